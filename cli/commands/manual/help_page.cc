// --help: options in groups, each in at most two lines of a terminal of 80 columns, and examples.

#include <algorithm>
#include <set>

#include "cli/commands/manual/manual.h"
#include "cli/known/known.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kTerminalColumns = 80;
constexpr std::size_t kText = 30;     // Where the words on an option begin.
constexpr std::size_t kLongText = 8;  // And on their own line, behind a long name.

// wrapped returns `text` in lines that begin at column `from`; the first is there already up to
// `at`. No word is broken.
std::string wrapped(std::string_view text, std::size_t from, std::size_t at) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    bool begins = at <= from;
    if (!begins && at + 1 + end > kTerminalColumns) {
      out += '\n';
      at = 0;
      begins = true;
    }
    if (at < from) {
      out.append(from - at, ' ');
      at = from;
    } else if (!begins) {
      out += ' ';
      ++at;
    }
    out.append(text.substr(0, end));
    at += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

std::string head_of(const OptionEntry& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + name;
  if (!option.value.empty()) names += (names.empty() ? "" : " ") + option.value;
  return names;
}

std::string lines_of_option(const OptionEntry& option) {
  std::string line = "  " + head_of(option);
  if (line.size() + 2 <= kText) return line + wrapped(option.what, kText, line.size());
  return line + "\n" + wrapped(option.what, kLongText, 0);
}

std::string usage_of(const CommandEntry& command) {
  std::string text = "Usage: " + full_name(command);
  for (const OptionEntry& positional : command.positionals) {
    text += positional.required ? " " + positional.value : " [" + positional.value + "]";
  }
  return text + (command.commands.empty() ? " [OPTIONS]" : " COMMAND") + "\n";
}

std::string line_of_command(const CommandEntry& command) {
  const std::string line = "  " + command.name;
  return line + wrapped(command.what, kText, line.size());
}

// commands_below lists commands; those of the program itself by what they are for.
std::string commands_below(const std::vector<CommandEntry>& commands, const CommandEntry& above) {
  std::set<std::string> left;
  for (const CommandEntry& command : commands) {
    const bool below = above.name.empty() || command.name.starts_with(above.name + " ");
    if (below && command.commands.empty()) left.insert(command.name);
  }
  std::string text;
  for (const CommandGroup& group : command_groups()) {
    std::string part;
    for (const std::string_view name : group.commands) {
      if (left.erase(std::string(name)) == 0) continue;
      part += line_of_command(*std::ranges::find(commands, name, &CommandEntry::name));
    }
    if (!part.empty()) text += "\n" + std::string(group.heading) + "\n" + part;
  }
  if (!left.empty()) text += "\nMore\n";
  for (const std::string& name : left) {
    text += line_of_command(*std::ranges::find(commands, name, &CommandEntry::name));
  }
  return text;
}

std::string shown_examples(const CommandEntry& command) {
  std::string text;
  for (const CommandExample& example : examples_of(command.name)) {
    text += text.empty() ? "\nExamples\n" : "";
    text += "  " + std::string(example.line) + "\n" + wrapped(example.what, 6, 0);
  }
  return text;
}

}  // namespace

std::string help_page(const std::vector<CommandEntry>& commands, const CommandEntry& command) {
  std::string text = wrapped(command.what + (command.what.ends_with('.') ? "" : "."), 0, 0) + "\n" +
                     usage_of(command);
  for (const OptionEntry& positional : command.positionals) text += lines_of_option(positional);
  if (!command.commands.empty()) text += commands_below(commands, command);
  for (const std::string_view group : option_groups()) {
    std::string part;
    for (const OptionEntry& option : command.options) {
      if (option.names.back() == "--help" || group_of_option(option.names.back()) != group)
        continue;
      part += lines_of_option(option);
    }
    if (!part.empty()) text += "\n" + std::string(group) + "\n" + part;
  }
  return text + shown_examples(command);
}

}  // namespace plumbline::cli
