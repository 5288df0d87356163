#include <algorithm>

#include "cli/commands/manual/manual.h"

namespace plumbline::cli {

namespace {

// cell returns `text` as a cell of a table has it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(const std::string& text) {
  std::string out = "`";
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out + "`";
}

std::string form_of(const CommandEntry& command) {
  std::string text = full_name(command);
  if (!command.options.empty()) text += " [OPTIONS]";
  for (const OptionEntry& positional : command.positionals) {
    text += positional.required ? " " + positional.value : " [" + positional.value + "]";
  }
  return text + (command.commands.empty() ? "" : " COMMAND");
}

std::string row_of(const OptionEntry& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + code(name);
  if (!option.value.empty()) names += (names.empty() ? "" : " ") + code(option.value);
  std::string what = cell(option.what);
  if (!option.choices.empty()) {
    what += what.empty() ? "" : ": ";
    for (std::size_t i = 0; i < option.choices.size(); ++i) {
      what += (i == 0 ? "" : ", ") + code(option.choices[i]);
    }
  }
  return "| " + names + " | " + what + (option.required ? " (required)" : "") + " |\n";
}

std::string table_of(const char* title, const std::vector<OptionEntry>& options) {
  if (options.empty()) return "";
  std::string text = std::string("\n## ") + title + "\n\n| | |\n|---|---|\n";
  for (const OptionEntry& option : options) text += row_of(option);
  return text;
}

}  // namespace

std::string markdown_page(const std::vector<CommandEntry>& commands, const CommandEntry& command) {
  std::string text = "# " + full_name(command) + "\n\n" + command.what + ".\n\n```text\n" +
                     form_of(command) + "\n```\n";
  while (text.find("..\n") != std::string::npos) text.erase(text.find("..\n"), 1);
  if (!command.commands.empty()) {
    text += "\n## Commands\n\n| | |\n|---|---|\n";
    const std::string above = command.name.empty() ? "" : command.name + " ";
    for (const std::string& below : command.commands) {
      const auto entry = std::ranges::find(commands, above + below, &CommandEntry::name);
      text += "| [" + full_name(*entry) + "](" + page_name(*entry, ".md") + ") | " +
              cell(entry->what) + " |\n";
    }
  }
  return text + table_of("Arguments", command.positionals) + table_of("Options", command.options);
}

}  // namespace plumbline::cli
