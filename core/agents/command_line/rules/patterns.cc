#include "core/agents/command_line/rules/patterns.h"

#include <cctype>
#include <utility>

#include <re2/re2.h>

#include "core/base/check.h"

namespace plumbline::agents::command_line {

namespace {

RE2::Options any_case() {
  RE2::Options options;
  options.set_case_sensitive(false);
  options.set_dot_nl(true);
  options.set_log_errors(false);
  return options;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

bool is_word_byte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// pattern_of returns what finds `text` as whole words, with any blanks where it has some; nothing
// when it is blank.
std::string pattern_of(std::string_view text) {
  std::string pattern;
  char last = ' ';
  for (const char c : text) {
    const bool begins = !is_blank(c) && is_blank(last);
    if (begins) pattern += pattern.empty() ? (is_word_byte(c) ? "\\b" : "") : "\\s+";
    if (!is_blank(c)) pattern += RE2::QuoteMeta(re2::StringPiece(&c, 1));
    last = c;
  }
  const std::size_t end = text.find_last_not_of(" \t\n");
  if (end != std::string_view::npos && is_word_byte(text[end])) pattern += "\\b";
  return pattern;
}

}  // namespace

const std::vector<Danger>& local_dangers() {
  static const std::vector<Danger> dangers = {
      {R"(rm\s+-rf\s+/)", "it removes folders from the root on"},
      {R"(:\(\)\{\s*:\|:&\s*\};:)", "it starts processes without end"},
      {R"(mkfs)", "it formats a file system"},
      {R"(dd\s+if=.*of=/dev/)", "it writes to a device"},
      {R"(>\s*/dev/sda)", "it overwrites a disk"},
      {R"(curl.*\|\s*sh)", "it runs what it downloads"},
      {R"(wget.*\|\s*sh)", "it runs what it downloads"},
      {R"(chmod\s+777)", "it lets everybody write"},
      {R"(chown.*-R\s+)", "it gives whole folders away"},
  };
  return dangers;
}

const std::vector<Danger>& remote_dangers() {
  static const std::vector<Danger> dangers = {
      {R"(reboot)", "it restarts the machine"},      {R"(shutdown)", "it stops the machine"},
      {R"(systemctl\s+stop)", "it stops a service"}, {R"(service.*stop)", "it stops a service"},
      {R"(kill\s+-9)", "it kills processes"},
  };
  return dangers;
}

struct Patterns::Entry {
  Entry(const std::string& pattern, std::string reason)
      : re2(pattern, any_case()), why(std::move(reason)) {}
  RE2 re2;
  std::string why;
};

Patterns::Patterns(const std::vector<Danger>& dangers, const std::vector<std::string>& blocked) {
  for (const Danger& danger : dangers) {
    add(std::string(danger.pattern), "the pattern " + std::string(danger.pattern) +
                                         " is found in it: " + std::string(danger.what));
  }
  for (const std::string& text : blocked) {
    const std::string pattern = pattern_of(text);
    if (!pattern.empty()) add(pattern, "\"" + text + "\" is blocked");
  }
}

Patterns::Patterns(Patterns&& other) noexcept = default;
Patterns& Patterns::operator=(Patterns&& other) noexcept = default;
Patterns::~Patterns() = default;

void Patterns::add(const std::string& pattern, std::string why) {
  entries_.push_back(std::make_unique<const Entry>(pattern, std::move(why)));
  check(entries_.back()->re2.ok(), "a pattern of commands cannot be compiled");
}

std::optional<std::string> Patterns::find(std::string_view line) const {
  const re2::StringPiece text(line.data(), line.size());
  for (const auto& entry : entries_) {
    if (RE2::PartialMatch(text, entry->re2)) return entry->why;
  }
  return std::nullopt;
}

}  // namespace plumbline::agents::command_line
