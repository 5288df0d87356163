// Waits that look again and again, in place of being told.

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "core/tidy_rules.h"

namespace plumbline::tidy {
namespace {

constexpr double kPauseLeastMs = 10;

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t end_of_text(std::string_view code, std::size_t at) {
  while (at > 0 && (code[at - 1] == ' ' || code[at - 1] == '\n')) --at;
  return at;
}

// last_word returns the word that ends at `end`.
std::string_view last_word(std::string_view code, std::size_t end) {
  std::size_t start = end;
  while (start > 0 && is_of_word(code[start - 1])) --start;
  return code.substr(start, end - start);
}

// opening_of returns where the parenthesis opens that closes at `close`.
std::size_t opening_of(std::string_view code, std::size_t close) {
  int depth = 0;
  for (std::size_t at = close + 1; at-- > 0;) {
    if (code[at] == ')') ++depth;
    if (code[at] == '(' && --depth == 0) return at;
  }
  return 0;
}

// Head is what stands before a block, or before a statement without one.
enum class Head { kNone, kLoop, kOther };

// head_before tells it of what ends at `end`. A loop over a range does something for each of it.
Head head_before(std::string_view code, std::size_t end) {
  if (end == 0 || code[end - 1] == ';' || code[end - 1] == '{' || code[end - 1] == '}') {
    return Head::kNone;
  }
  if (code[end - 1] != ')') {
    const std::string_view word = last_word(code, end);
    if (word == "do") return Head::kLoop;
    return word == "else" ? Head::kNone : Head::kOther;
  }
  const std::size_t open = opening_of(code, end - 1);
  const std::string_view word = last_word(code, end_of_text(code, open));
  const bool ranges = code.substr(open, end - open).find(';') == std::string_view::npos;
  if (word == "while" || (word == "for" && !ranges)) return Head::kLoop;
  return word == "if" || word == "for" || word == "switch" ? Head::kNone : Head::kOther;
}

// is_in_loop returns whether the statement at `at` is repeated within its function.
bool is_in_loop(std::string_view code, std::size_t at) {
  if (head_before(code, end_of_text(code, at)) == Head::kLoop) return true;
  int depth = 0;
  while (at-- > 0) {
    if (code[at] == '}') ++depth;
    if (code[at] != '{' || depth-- > 0) continue;
    depth = 0;
    const Head head = head_before(code, end_of_text(code, at));
    if (head != Head::kNone) return head == Head::kLoop;
  }
  return false;
}

// is_alone returns whether the statement from `at` to `end` is all that is repeated.
bool is_alone(std::string_view code, std::size_t at, std::size_t end) {
  const std::size_t before = end_of_text(code, at);
  if (head_before(code, before) == Head::kLoop) return true;
  while (end < code.size() && (code[end] == ';' || code[end] == ' ' || code[end] == '\n')) ++end;
  return before > 0 && code[before - 1] == '{' && end < code.size() && code[end] == '}';
}

// span_in returns the first span of time that `text` names, in milliseconds.
std::optional<double> span_in(std::string_view text) {
  struct Unit {
    std::string_view name;
    double ms;
  };
  for (const Unit& unit : {Unit{"nanoseconds(", 1e-6}, Unit{"microseconds(", 1e-3},
                           Unit{"milliseconds(", 1}, Unit{"seconds(", 1'000}}) {
    const std::size_t at = find_word(text, unit.name);
    if (at == std::string_view::npos) continue;
    double count = 0;
    bool any = false;
    for (std::size_t digit = at + unit.name.size(); digit < text.size(); ++digit) {
      if (text[digit] == '\'') continue;
      if (std::isdigit(static_cast<unsigned char>(text[digit])) == 0) break;
      count = 10 * count + (text[digit] - '0');
      any = true;
    }
    if (any) return count * unit.ms;
  }
  return std::nullopt;
}

// span_of does so for what `text` calls by a constant of the same file as well.
std::optional<double> span_of(std::string_view code, std::string_view text) {
  if (const std::optional<double> named = span_in(text)) return named;
  for (std::size_t at = text.find('k'); at != std::string_view::npos; at = text.find('k', at + 1)) {
    if (at > 0 && is_of_word(text[at - 1])) continue;
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    const std::string definition = std::string(text.substr(at, end - at)) + " = ";
    const std::size_t defined = find_word(code, definition);
    if (defined == std::string_view::npos) continue;
    return span_in(code.substr(defined, code.find(';', defined) - defined));
  }
  return std::nullopt;
}

void check_sleep(std::string_view code, std::size_t at, std::size_t sleep, Findings& out) {
  std::size_t end = code.find('(', sleep);
  for (int depth = 0; end < code.size(); ++end) {
    if (code[end] == '(') ++depth;
    if (code[end] == ')' && --depth == 0) break;
  }
  const std::string_view text = code.substr(sleep, end - sleep);
  const bool gives_way = text.ends_with("now()");  // To what is due, and waits for nothing.
  const std::optional<double> span = gives_way ? 0 : span_of(code, text);
  if (!span || *span >= kPauseLeastMs || !is_in_loop(code, at)) return;
  if (gives_way && !is_alone(code, at, end + 1)) return;
  out.push_back(
      {line_at(code, at),
       "a loop that looks again in less than 10 ms, have it told by Changes or an Event"});
}

}  // namespace

void check_waits(const std::string& path, const std::string& code, Findings& out) {
  const bool is_test = path.starts_with("tests/") || path.ends_with("_test.cc") ||
                       path.ends_with("_fixture.cc") || path.ends_with("_fixture.h");
  if (is_test) return;
  for (std::size_t at = find_word(code, "co_await"); at != std::string::npos;
       at = find_word(code, "co_await", at + 1)) {
    std::size_t next = at + std::string_view("co_await").size();
    while (next < code.size() && (code[next] == ' ' || code[next] == '\n')) ++next;
    const std::string_view awaited = std::string_view(code).substr(next);
    if (awaited.starts_with("until(")) {
      out.push_back({line_at(code, at),
                     "'until' looks again and again, have it told by Changes or an Event"});
    }
    if (awaited.starts_with("Sleep(")) check_sleep(code, at, next, out);
  }
}

}  // namespace plumbline::tidy
