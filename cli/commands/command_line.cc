#include "cli/commands/command_line.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/completion.h"
#include "cli/commands/manual/manual.h"
#include "cli/options/version.h"
#include "core/base/errors/errors.h"
#include "core/os/optional/optional_parts.h"
#include "core/os/own_process.h"

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
  if (word.empty()) return "it is empty";  // Misuse says it in whole.
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
        app.add_flag("--verbose", verbose, "With --version: list the optional parts");
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
      if (option->get_items_expected_max() == 0) {
        option->disable_flag_override();  // A switch takes no value.
        continue;
      }
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
    if (words.empty() || dashes == words.end()) return;
    const std::string two = words.size() < 2 ? "" : words[0] + ' ' + words[1];
    for (const Declared& one : declared) {
      std::vector<std::string>* const behind = one.options->behind_dashes();
      if (behind == nullptr) continue;
      if (one.command->name != words.front() && one.command->name != two) continue;
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
  text.append("runs: ").append(os::running_as()).append("\n");
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
  return the_error("cli.no-such-page", name);
}

// help_of returns the help of the command that was named.
std::string help_of(const CLI::App& app) {
  std::string name;
  const CLI::App* chosen = &app;
  for (auto below = app.get_subcommands(); !below.empty(); below = chosen->get_subcommands()) {
    chosen = below.front();
    name += (name.empty() ? "" : " ") + chosen->get_name();
  }
  const std::vector<CommandEntry> commands = commands_of(app);
  return help_page(commands, *std::ranges::find(commands, name, &CommandEntry::name));
}

// note_on tells of options of ours that stand behind "--", where the command of somebody else gets
// them. Those that programs share (--config, --verbose) are taken to be meant for it.
std::string note_on(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 9> kOurs = {
      "--level",   "--only",     "--skip",         "--report",         "--baseline",
      "--fail-on", "--revision", "--allow-writes", "--update-baseline"};
  const auto dashes = std::ranges::find(words, "--");
  for (auto word = dashes; word != words.end(); ++word) {
    const std::string name = word->substr(0, word->find('='));
    if (std::ranges::find(kOurs, name) == kOurs.end()) continue;
    return name + " behind -- goes to " + *(dashes + 1) +
           "; if it is for plumbline, write it before --";
  }
  return "";
}

// take_habits takes what people know from other programs: `help COMMAND`, `version`.
void take_habits(std::vector<std::string>& words) {
  if (words.empty()) return;
  if (words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  } else if (words.size() == 1 && (words.front() == "version" || words.front() == "-V")) {
    words.front() = "--version";
  }
}

// kOverview is what `plumbline` alone prints: what people come for.
constexpr const char* kOverview =
    R"(Plumbline checks MCP servers, clients and gateways against the specification, and
runs agents through faults that you can replay.

  plumbline check server -- node server.js      Check your server; or give its URL
  plumbline check client -- my-client {url}     Check your client
  plumbline run scenarios/ --client -- my-agent {config} {request}
                                                Put your agent through faults
  plumbline record --out session.jsonl -- node server.js
                                                Record a session, to replay it later
  plumbline demo                                See all of it, with a report

plumbline --help lists all commands; plumbline COMMAND --help has examples of each.
)";

}  // namespace

Result<std::variant<Invocation, Answered>> parse_command_line(std::vector<std::string> words) {
  Parser parser;
  take_habits(words);
  if (words.empty()) return std::variant<Invocation, Answered>(Answered{kOverview});
  const bool option = words.front().starts_with('-') && words.front() != "--";
  if (!option && !parser.knows(words.front())) {
    return unknown_command(parser.app, words);
  }
  if (words.size() == 2 && words.front() == "--manual") {
    Result<std::string> text = manual_text(parser.app, words.back());
    if (!text.ok()) return text.error();
    return std::variant<Invocation, Answered>(Answered{std::move(text).value()});
  }
  const std::vector<std::string> given = words;
  parser.take_behind_dashes(words);
  parser.part_at_equals(words);
  mark_behind_dashes(words);
  std::ranges::reverse(words);  // As CLI11 takes them.
  try {
    parser.app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return std::variant<Invocation, Answered>(Answered{help_of(parser.app)});
  } catch (const CLI::CallForVersion&) {
    return std::variant<Invocation, Answered>(Answered{version_text(parser.verbose)});
  } catch (const CLI::ParseError& wrong) {
    return misuse(parser.app, given, wrong);
  }
  Parser::Declared& chosen = parser.chosen();
  const Status read = chosen.options->read();
  if (!read.ok()) return read.error();
  const auto* const completion = dynamic_cast<const CompletionOptions*>(chosen.options.get());
  if (completion != nullptr && !completion->script().empty()) {  // Made of the parser itself.
    return std::variant<Invocation, Answered>(
        Answered{*manual_file(commands_of(parser.app), completion->script())});
  }
  return std::variant<Invocation, Answered>(
      Invocation{chosen.command, std::move(chosen.options), note_on(given)});
}

}  // namespace plumbline::cli
