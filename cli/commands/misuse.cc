#include "cli/commands/command_line.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/manual/command_tree.h"
#include "cli/known/known.h"
#include "cli/options/nearest_ids.h"
#include "cli/options/shown_words.h"
#include "core/base/errors/errors.h"
#include "core/base/words/joined_by.h"

namespace plumbline::cli {

namespace {

using Words = std::vector<std::string>;

bool is_dashed(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

bool names_url(std::string_view word) { return word.find("://") != std::string_view::npos; }

// command_below returns the command `name` of `app`; nullptr: there is none.
const CLI::App* command_below(const CLI::App& app, const std::string& name) {
  for (const CLI::App* const one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

// names_below returns the commands of `app` that help shows, those that they hold with them.
Words names_below(const CLI::App& app, const std::string& above) {
  Words names;
  for (const CLI::App* const one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_group().empty()) continue;
    names.push_back(above + one->get_name());
    const Words below = names_below(*one, above + one->get_name() + " ");
    names.insert(names.end(), below.begin(), below.end());
  }
  return names;
}

// option_names returns the long names of the options of `app` that help shows.
Words option_names(const CLI::App& app) {
  Words names;
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// shown_name returns an option as help has it: "--url URL".
std::string shown_name(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  const std::string value = value_of(option);
  return option.get_name() + (value.empty() ? "" : " " + value);
}

// Misuse looks at one command line that was refused.
class Misuse {
 public:
  Misuse(const CLI::App& app, const Words& words) : app_(app), command_(&app), words_(words) {
    while (at_ < words_.size()) {
      const CLI::App* const below = command_below(*command_, words_[at_]);
      if (below == nullptr) break;
      command_ = below;
      name_ += (name_.empty() ? "" : " ") + words_[at_++];
    }
  }

  Error told(const CLI::ParseError& wrong) const {
    if (is<CLI::ArgumentMismatch>(wrong)) return unread(mismatch(wrong.what()));
    if (const CLI::Option* const option = empty_option()) {
      return the_error("cli.empty-value", option->get_name(), seen());
    }
    if (!is<CLI::ExtrasError>(wrong) && !is<CLI::RequiredError>(wrong)) return unread(wrong.what());
    if (holds_commands() && at_ < words_.size() && !is_dashed(words_[at_])) {
      return unknown_below(words_[at_]);
    }
    for (const std::string& word : app_.remaining(true)) {
      if (word == "--") continue;
      if (is_dashed(word)) return unknown_option(word.substr(0, word.find('=')));
      const bool takes = names_url(word) && command_->get_option_no_throw("--url") != nullptr;
      return unread("unexpected word \"" + word + "\" behind " + name_ +
                    (takes ? "; did you mean --url " + word + "?" : ""));
    }
    if (holds_commands()) return unread(name_ + ": say which: " + commands_below());
    for (const CLI::Option* const option : command_->get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      return unread(name_ + ": expected " + shown_name(*option) + ", which is missing");
    }
    return unread(wrong.what());
  }

  Error unknown() const {
    const std::string& word = words_.front();
    if (word == "--" || names_url(word)) {
      return no_command(
          word, "; did you mean " +
                    (names_url(word) ? "plumbline check server " + word : line_with_dashes(0)) +
                    "?");
    }
    const std::string both = words_.size() < 2 ? word : word + " " + words_[1];
    const Words known = names_below(app_, "");
    for (const std::string& text : {both, word}) {
      const std::string_view meant = meant_by("command", text, "");
      const std::string near =
          meant.empty() ? did_you_mean(text, known) : "; did you mean " + std::string(meant) + "?";
      if (!near.empty()) return no_command(word, near);
    }
    if (words_.size() > 1 && !is_dashed(words_[1])) {
      return no_command(word, "; did you mean " + line_with_dashes(0) + "?");
    }
    return no_command(word, "");
  }

 private:
  template <typename Kind>
  static bool is(const CLI::ParseError& wrong) {
    return dynamic_cast<const Kind*>(&wrong) != nullptr;
  }

  // empty_option returns the first option that an empty word was given for.
  const CLI::Option* empty_option() const {
    for (const CLI::Option* const option : command_->get_options()) {
      if (std::ranges::find(option->results(), "") != option->results().end()) return option;
    }
    return nullptr;
  }

  std::string seen() const { return "; see plumbline " + named() + "--help"; }

  // led returns `words` with what leads on to where to look, and named the command to look at.
  static std::string led(const std::string& words) {
    return words + (words.ends_with('?') ? " S" : "; s");
  }
  std::string named() const { return name_.empty() ? "" : name_ + " "; }

  Error unread(std::string words) const {
    std::ranges::replace(words, '\n', ' ');
    words.resize(words.find_last_not_of(' ') + 1);
    return the_error("cli.unread-words", led(words), named());
  }

  Error no_command(const std::string& words, const std::string& near) const {
    return the_error("cli.unknown-command", words, led(near), named());
  }

  bool holds_commands() const {
    return !command_->get_subcommands([](const CLI::App*) { return true; }).empty();
  }

  std::string commands_below() const { return joined_by(", ", names_below(*command_, "")); }

  // line_with_dashes returns the command line as it judges the program that begins at `from`.
  std::string line_with_dashes(std::size_t from) const {
    Words line(words_.begin() + static_cast<std::ptrdiff_t>(from), words_.end());
    std::erase(line, "--");
    const std::string command = name_.empty() ? "check server" : name_;
    return "plumbline " + command + " -- " + shown_words(line);
  }

  Error unknown_below(const std::string& word) const {
    const Words known = names_below(*command_, name_.empty() ? "" : name_ + " ");
    const std::string whole = name_.empty() ? word : name_ + " " + word;
    if (names_url(word)) {
      return no_command(whole, "; did you mean plumbline check server " + word + "?");
    }
    std::string near = did_you_mean(whole, known);
    if (near.empty()) near = ", expected one of " + commands_below();
    return no_command(whole, near);
  }

  Error unknown_option(const std::string& word) const {
    const std::string said = name_.empty() ? before_command(word) : of_command(word);
    return the_error("cli.unknown-option", led(said), named());
  }

  // of_command tells of an option that the command does not have.
  std::string of_command(const std::string& word) const {
    std::string said = word + " of " + name_;
    const std::string_view meant = meant_by("option", word, name_);
    const std::string near = meant.empty() ? did_you_mean(word, option_names(*command_))
                                           : "; did you mean " + std::string(meant) + "?";
    said += near;
    const std::size_t program = first_of_program();
    if (program < words_.size()) {
      said += said.ends_with('?') ? " If it is for " : "; if it is for ";
      said += words_[program] + ", write " + line_with_dashes(program);
    } else if (near.empty()) {
      const Words others = commands_with(word);
      if (!others.empty()) said += "; it is one of " + joined_by(", ", others);
    }
    return said;
  }

  // before_command tells of an option that stands before the command.
  std::string before_command(const std::string& word) const {
    const Words known = commands_with(word);
    const std::string& said = word;
    if (!known.empty()) return said + " before the command; options stand behind it";
    return said + did_you_mean(word, option_names(app_));
  }

  Words commands_with(const std::string& option) const {
    Words names;
    for (const std::string& name : names_below(app_, "")) {
      const std::size_t space = std::min(name.find(' '), name.size());
      const CLI::App* one = command_below(app_, name.substr(0, space));
      if (space < name.size()) one = command_below(*one, name.substr(space + 1));
      if (one == nullptr || one->get_option_no_throw(option) == nullptr) continue;
      names.push_back(name);
    }
    return names;
  }

  // first_of_program returns where the words of a program begin that miss their --; the end: there
  // are none.
  std::size_t first_of_program() const {
    const auto options = command_->get_options();
    const auto first = std::ranges::find_if(
        options, [](const CLI::Option* option) { return option->get_positional(); });
    const std::string what = first == options.end() ? "" : (*first)->get_name(true);
    const bool starts_programs = what == "TARGET" || what == "COMMAND";
    const bool has_dashes = std::ranges::find(words_, "--") != words_.end();
    const std::size_t none = words_.size();
    if (!starts_programs || has_dashes || at_ >= none) return none;
    return is_dashed(words_[at_]) || names_url(words_[at_]) ? none : at_;
  }

  // mismatch tells of an option with too many values, or none: CLI11 says "NAME: ...".
  std::string mismatch(const std::string& text) const {
    const std::string name = text.substr(0, text.find_first_of(": "));
    const CLI::Option* option = command_->get_option_no_throw(name);
    if (option == nullptr) option = command_->get_option_no_throw("--" + name);  // Of a switch.
    if (option == nullptr) return text;
    if (option->get_items_expected_max() == 0) return option->get_name() + " takes no value";
    const auto names_it = [&name](const std::string& word) {
      return word == name || word.starts_with(name + "=");
    };
    if (std::ranges::count_if(words_, names_it) > 1) {
      return name + " stands there twice, expected it once";
    }
    return name + ": expected " + shown_name(*option) + ", its value is missing";
  }

  const CLI::App& app_;
  const CLI::App* command_;
  const Words& words_;
  std::string name_;
  std::size_t at_ = 0;  // Of the first word behind the command.
};

}  // namespace

Error misuse(const CLI::App& app, const std::vector<std::string>& words,
             const CLI::ParseError& wrong) {
  return Misuse(app, words).told(wrong);
}

Error unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  return Misuse(app, words).unknown();
}

}  // namespace plumbline::cli
