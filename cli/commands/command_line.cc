#include "cli/commands/command_line.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/manual/manual.h"
#include "cli/options/usage.h"
#include "cli/options/version.h"
#include "core/os/optional/optional_parts.h"

namespace plumbline::cli {

namespace {

// CLI11 takes a word like "[a,b]" apart. One that has this before it stays whole.
constexpr char kMark = '\x01';

void mark_behind_dashes(std::vector<std::string>& words) {
  for (auto word = std::ranges::find(words, "--"); word != words.end(); ++word) {
    if (word->starts_with('[')) word->insert(word->begin(), kMark);
  }
}

std::string without_mark(std::string word) {
  if (word.starts_with(kMark)) word.erase(0, 1);
  return word;
}

// Behind "--" stand the words of another program, which may be empty.
constexpr std::string_view kWordsOfAnother = "COMMAND";

// said takes what was given for an option or a name. Empty is what a variable leaves that is not
// set: it is neither a value, nor as if nothing were given.
std::string said(std::string& word) {
  if (word.empty()) {
    return "expected a value, it is empty (of a variable that is not set?); give one, or leave it "
           "out";
  }
  word = without_mark(std::move(word));
  return {};
}

// Parser is CLI11 with every command declared.
struct Parser {
  struct Declared {
    const Command* command;
    CLI::App* app;
    std::unique_ptr<Options> options;
  };

  CLI::App app{"Runs, judges and replays MCP orchestrators, clients and servers.", "plumbline"};
  std::vector<Declared> declared;
  bool verbose = false;

  Parser() {
    app.require_subcommand(1);
    // Before --version, which ends the reading.
    CLI::Option* const more =
        app.add_flag("--verbose", verbose, "With --version: which optional parts are here");
    more->needs(app.set_version_flag("--version", kVersion));
    for (const Command& command : all_commands()) declare(command);
  }

  void declare(const Command& command) {
    const std::string name(command.name);
    const std::size_t space = name.rfind(' ');
    CLI::App& above = space == std::string::npos ? app : *app.get_subcommand(name.substr(0, space));
    CLI::App& own = *above.add_subcommand(name.substr(space + 1), std::string(command.what));
    if (command.options == nullptr) {
      own.require_subcommand(1);
      return;
    }
    std::unique_ptr<Options> options = command.options();
    options->declare(own);
    for (CLI::Option* const option : own.get_options()) {
      if (option->get_items_expected_max() == 0) continue;  // A switch.
      if (option->get_name() == kWordsOfAnother) {
        option->transform(without_mark);
      } else {
        option->transform(CLI::Validator(said, ""));
      }
    }
    declared.push_back({&command, &own, std::move(options)});
  }

  // take_behind_dashes gives the words behind "--" to the command that is named, if it asks so.
  void take_behind_dashes(std::vector<std::string>& words) {
    const auto dashes = std::ranges::find(words, "--");
    for (const Declared& one : declared) {
      std::vector<std::string>* const behind = one.options->behind_dashes();
      if (behind == nullptr || words.empty() || one.command->name != words.front()) continue;
      if (dashes == words.end()) return;
      behind->assign(dashes + 1, words.end());
      words.erase(dashes, words.end());
      return;
    }
  }

  // part_at_equals makes two words of "--option=", of which CLI11 takes the next one for the value.
  void part_at_equals(std::vector<std::string>& words) const {
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
      if (!words[i].starts_with("--") || words[i].find('=') + 1 != words[i].size()) continue;
      const std::string option = words[i].substr(0, words[i].size() - 1);
      if (!takes_value(words, option)) continue;
      words[i] = option;
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(++i), "");
    }
  }

  // takes_value returns whether the command that `words` begin with has such an option.
  bool takes_value(const std::vector<std::string>& words, const std::string& option) const {
    const std::string one = words.front();
    const std::string two = words.size() < 2 ? one : one + ' ' + words[1];
    return std::ranges::any_of(declared, [&](const Declared& each) {
      if (each.command->name != one && each.command->name != two) return false;
      const CLI::Option* const found = each.app->get_option_no_throw(option);
      return found != nullptr && found->get_items_expected_max() > 0;
    });
  }

  bool knows(const std::string& command) const {
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    return std::ranges::count(commands, command,
                              [](const CLI::App* one) { return one->get_name(); }) > 0;
  }

  // chosen returns the command that was parsed: CLI11 sees to it that there is one.
  Declared& chosen() {
    return *std::ranges::find_if(declared, [](const Declared& one) { return one.app->parsed(); });
  }
};

// version_text is what --version prints. Of optional parts a line each, when `verbose`.
std::string version_text(bool verbose) {
  std::string text = std::string("plumbline ") + kVersion + "\n";
  if (!verbose) return text;
  for (const os::OptionalPart& part : os::optional_parts()) {
    text.append(part.library).append(part.present ? ": here" : ": missing").append(" (");
    text.append(part.purpose).append(")\n");
  }
  return text;
}

// manual_text answers --manual: a file of the manual, or, of "list", the names of all.
Result<std::string> manual_text(const CLI::App& app, const std::string& name) {
  const std::vector<CommandEntry> commands = commands_of(app);
  if (std::optional<std::string> text = manual_file(commands, name)) return *std::move(text);
  std::string names;
  for (const std::string& file : manual_files(commands)) names += file + "\n";
  if (name == "list") return names;
  return usage("--manual: there is no \"" + name + "\"; expected list, or what that prints");
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

Result<std::variant<Invocation, Answered>> parse_command_line(std::vector<std::string> words) {
  Parser parser;
  if (!words.empty() && !words.front().starts_with('-') && !parser.knows(words.front())) {
    return usage("unknown command \"" + words.front() + "\"; see plumbline --help");
  }
  if (words.size() == 2 && words.front() == "--manual") {
    Result<std::string> text = manual_text(parser.app, words.back());
    if (!text.ok()) return text.error();
    return std::variant<Invocation, Answered>(Answered{std::move(text).value()});
  }
  parser.take_behind_dashes(words);
  parser.part_at_equals(words);
  mark_behind_dashes(words);
  std::ranges::reverse(words);  // As CLI11 takes them.
  try {
    parser.app.parse(words);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = parser.app.get_subcommands();
    return std::variant<Invocation, Answered>(
        Answered{chosen.empty() ? parser.app.help() : chosen.front()->help("plumbline")});
  } catch (const CLI::CallForVersion&) {
    return std::variant<Invocation, Answered>(Answered{version_text(parser.verbose)});
  } catch (const CLI::ParseError& wrong) {
    return usage(one_line(wrong.what()) + "; see plumbline --help");
  }
  Parser::Declared& chosen = parser.chosen();
  const Status read = chosen.options->read();
  if (!read.ok()) return read.error();
  return std::variant<Invocation, Answered>(Invocation{chosen.command, std::move(chosen.options)});
}

}  // namespace plumbline::cli
