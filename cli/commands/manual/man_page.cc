#include <algorithm>
#include <cctype>

#include "cli/commands/manual/manual.h"

namespace plumbline::cli {

namespace {

// roff returns `text` as roff wants it.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string dashed(std::string text) {
  std::ranges::replace(text, ' ', '-');
  return text;
}

std::string synopsis(const CommandEntry& command) {
  std::string text = ".SH SYNOPSIS\n" + bold(full_name(command));
  if (!command.options.empty()) text += " [" + italic("OPTIONS") + "]";
  for (const OptionEntry& positional : command.positionals) {
    const std::string word = italic(positional.value);
    text += positional.required ? " " + word : " [" + word + "]";
  }
  if (!command.commands.empty()) text += " " + italic("COMMAND");
  return text + "\n";
}

std::string told(const OptionEntry& option) {
  std::string text = ".TP\n";
  for (std::size_t i = 0; i < option.names.size(); ++i) {
    text += (i == 0 ? "" : ", ") + bold(option.names[i]);
  }
  if (!option.value.empty()) text += (option.names.empty() ? "" : " ") + italic(option.value);
  return text + "\n" + roff(option.what) + "\n";
}

std::string section(const char* title, const std::vector<OptionEntry>& options) {
  if (options.empty()) return "";
  std::string text = std::string(".SH ") + title + "\n";
  for (const OptionEntry& option : options) text += told(option);
  return text;
}

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\nNothing failed.\n"
    ".TP\n1\nSomething failed.\n"
    ".TP\n2\nBad usage, or a bad input file: one line on stderr says what, where, what was\n"
    "expected, and in brackets the id that plumbline explain takes.\n"
    ".TP\n3\nThe target could not be reached, or died.\n"
    ".TP\n4\nOf a sweep: all that failed is that something never ended. Of ask and thread resume:\n"
    "a person has to decide, to look at it, or to say more.\n"
    ".TP\n5\nOf ask and thread resume: nothing that the servers offer fits the request.\n"
    ".TP\n130\nInterrupted.\n";

}  // namespace

std::string man_page(const std::vector<CommandEntry>& commands, const CommandEntry& command,
                     std::string_view version) {
  const std::string name = dashed(full_name(command));
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string text = ".TH " + roff(title) + " 1 \"\" \"plumbline " + std::string(version) +
                     "\" \"Plumbline\"\n.SH NAME\n" + roff(name) + " \\- " + roff(command.what) +
                     "\n" + synopsis(command);
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    const std::string above = command.name.empty() ? "" : command.name + " ";
    for (const std::string& below : command.commands) {
      const auto entry = std::ranges::find(commands, above + below, &CommandEntry::name);
      text += ".TP\n" + bold(below) + "\n" + roff(entry->what) + " (see " +
              bold(dashed(full_name(*entry))) + "(1))\n";
    }
  }
  text += section("ARGUMENTS", command.positionals) + section("OPTIONS", command.options);
  text += kExitStatus;
  return text + ".SH SEE ALSO\n" + bold(command.name.empty() ? "plumbline-demo" : "plumbline") +
         "(1)\n";
}

}  // namespace plumbline::cli
