// Coroutine hazards.
//
// g++ 12.2 destroys twice what an awaiting expression builds with braces, in a lambda with captures
// or in an operand of ?:. Build the value in a named local first. And a coroutine outlives the
// statement that calls it: what it takes by const& or by view may be gone at its first suspension.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "core/tidy_rules.h"

namespace plumbline::tidy {
namespace {

constexpr std::string_view kRiskyAwait =
    "brace or ?: inside a co_await expression, build it before";
constexpr std::string_view kBorrowed =
    "coroutine parameter by const&, && or view, take it by value";
constexpr std::string_view kCapturing =
    "capturing lambda is a coroutine, pass values as parameters";

bool is_space(char c) { return c == ' ' || c == '\n'; }

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t skip_space(std::string_view code, std::size_t at) {
  while (at < code.size() && is_space(code[at])) ++at;
  return at;
}

// before_space returns where the text before `at` ends, spaces aside.
std::size_t before_space(std::string_view code, std::size_t at) {
  while (at > 0 && is_space(code[at - 1])) --at;
  return at;
}

bool ends_with_word(std::string_view code, std::size_t end, std::string_view word) {
  if (end < word.size() || code.substr(end - word.size(), word.size()) != word) return false;
  return end == word.size() || !is_name(code[end - word.size() - 1]);
}

// opens_value returns whether the brace at `at` builds a value rather than opens a block.
bool opens_value(std::string_view code, std::size_t at) {
  if (at == 0) return false;
  const char left = code[at - 1];
  if (is_name(left) || left == '>' || left == ']') return true;  // Formatted blocks have a space.
  const std::size_t end = before_space(code, at);
  if (end == 0) return false;
  const char last = code[end - 1];
  if (last == '=' || last == ',' || last == '(') return true;
  return ends_with_word(code, end, "return") || ends_with_word(code, end, "co_return");
}

// closes_value returns whether the brace at `at` ends a value: an expression goes on behind it.
bool closes_value(std::string_view code, std::size_t at) {
  const std::size_t next = skip_space(code, at + 1);
  return next < code.size() &&
         std::string_view(",).?:+-*/<>=|&]").find(code[next]) != std::string_view::npos &&
         code.substr(next, 2) != "++" && code.substr(next, 2) != "--";
}

// is_control returns whether the parenthesis at `at` belongs to a statement, not to an expression.
bool is_control(std::string_view code, std::size_t at) {
  const std::size_t end = before_space(code, at);
  return std::ranges::any_of(
      std::vector<std::string_view>{"if", "while", "for", "switch", "constexpr"},
      [&](std::string_view word) { return ends_with_word(code, end, word); });
}

// risky_before walks from a co_await to the start of its statement. `enclosing` receives, innermost
// first, whether each bracket around it is a control statement's.
bool risky_before(std::string_view code, std::size_t at, std::vector<bool>& enclosing) {
  int depth = 0;
  while (at-- > 0) {
    const char c = code[at];
    if (c == '?') return true;
    if (c == ';' && depth == 0) return false;
    if (c == '{') return opens_value(code, at);
    if (c == '}') return closes_value(code, at);
    if (c == ')' || c == ']') ++depth;
    if (c != '(' && c != '[') continue;
    if (depth > 0) {
      --depth;
      continue;
    }
    const bool control = c == '(' && is_control(code, at);
    enclosing.push_back(control);
    if (control) return false;
  }
  return false;
}

// risky_after walks from a co_await to the end of its statement.
bool risky_after(std::string_view code, std::size_t at, const std::vector<bool>& enclosing) {
  int depth = 0;
  std::size_t left = 0;
  for (; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '?' || c == '{') return true;
    if (c == ';' || c == '}') return false;
    if (c == '(' || c == '[') ++depth;
    if (c != ')' && c != ']') continue;
    if (--depth >= 0) continue;
    if (left >= enclosing.size() || enclosing[left]) return false;
    ++left;
    depth = 0;
  }
  return false;
}

void check_awaits(const std::string& code, Findings& out) {
  for (std::size_t at = find_word(code, "co_await"); at != std::string::npos;
       at = find_word(code, "co_await", at + 1)) {
    if (ends_with_word(code, before_space(code, at), "operator")) continue;
    std::vector<bool> enclosing;
    if (risky_before(code, at, enclosing) || risky_after(code, at, enclosing)) {
      out.push_back({line_at(code, at), std::string(kRiskyAwait)});
    }
  }
}

// matching returns where the bracket that opens at `at` closes; angle brackets count when it is
// one. npos when it does not.
std::size_t matching(std::string_view code, std::size_t at) {
  const char open = code[at];
  const char close = open == '(' ? ')' : open == '[' ? ']' : open == '<' ? '>' : '}';
  int depth = 0;
  for (; at < code.size() && code[at] != ';'; ++at) {
    if (code[at] == open) ++depth;
    if (code[at] == close && code[at - 1] != '-' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

// matching_back returns where the bracket that closes at `at` opens, npos when it does not.
std::size_t matching_back(std::string_view code, std::size_t at, char open) {
  const char close = code[at];
  int depth = 0;
  for (std::size_t back = at + 1; back-- > 0;) {
    if (code[back] == close) ++depth;
    if (code[back] == open && --depth == 0) return back;
  }
  return std::string_view::npos;
}

bool is_borrowed(std::string_view parameter) {
  const bool reference = parameter.find('&') != std::string_view::npos;
  if (parameter.find("&&") != std::string_view::npos) return true;
  if (reference) return find_word(parameter, "const") != std::string_view::npos;
  return find_word(parameter, "string_view") != std::string_view::npos ||
         find_word(parameter, "span") != std::string_view::npos;
}

// has_borrowed reads a parameter list. What a parameter's own type keeps inside <> or () is its
// business: std::function<void(std::string_view)> may be held.
bool has_borrowed(std::string_view list) {
  std::string parameter;
  int depth = 0;
  for (const char c : list) {
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (depth == 0 && c == ',') {
      if (is_borrowed(parameter)) return true;
      parameter.clear();
    } else if (depth == 0) {
      parameter += c;
    }
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
  }
  return is_borrowed(parameter);
}

// check_lambda looks at the lambda whose "-> Task<" arrow stands at `arrow` and whose return type
// ends at `end`. One that only passes a Task on is no coroutine.
void check_lambda(std::string_view code, std::size_t arrow, std::size_t end, Findings& out) {
  std::size_t close = before_space(code, arrow);
  if (ends_with_word(code, close, "mutable")) close = before_space(code, close - 7);
  if (close == 0 || code[close - 1] != ')') return;
  const std::size_t open = matching_back(code, close - 1, '(');
  const std::size_t body = skip_space(code, end + 1);
  if (open == std::string_view::npos || body >= code.size() || code[body] != '{') return;
  std::size_t last = body;
  for (int depth = 0; last < code.size(); ++last) {
    if (code[last] == '{') ++depth;
    if (code[last] == '}' && --depth == 0) break;
  }
  const std::string_view inside = code.substr(body, last - body);
  const bool coroutine = find_word(inside, "co_await") != std::string_view::npos ||
                         find_word(inside, "co_return") != std::string_view::npos;
  if (!coroutine) return;
  if (has_borrowed(code.substr(open + 1, close - open - 2))) {
    out.push_back({line_at(code, arrow), std::string(kBorrowed)});
  }
  const std::size_t bracket = before_space(code, open);
  if (bracket < 2 || code[bracket - 1] != ']') return;
  if (code[before_space(code, bracket - 1) - 1] != '[') {
    out.push_back({line_at(code, arrow), std::string(kCapturing)});
  }
}

void check_declarations(const std::string& text, Findings& out) {
  const std::string_view code = text;
  for (std::size_t at = find_word(code, "Task<"); at != std::string_view::npos;
       at = find_word(code, "Task<", at + 1)) {
    const std::size_t end = matching(code, at + 4);
    if (end == std::string_view::npos) continue;
    const std::size_t before = before_space(code, at);
    if (before >= 2 && code.substr(before - 2, 2) == "->") {
      check_lambda(code, before - 2, end, out);
      continue;
    }
    std::size_t open = skip_space(code, end + 1);
    while (open < code.size() && (is_name(code[open]) || code[open] == ':')) ++open;
    if (open >= code.size() || code[open] != '(') continue;
    const std::size_t close = matching(code, open);
    if (close == std::string_view::npos) continue;
    if (has_borrowed(code.substr(open + 1, close - open - 1))) {
      out.push_back({line_at(code, at), std::string(kBorrowed)});
    }
  }
}

}  // namespace

void check_coroutines(const std::string& code, Findings& out) {
  check_awaits(code, out);
  check_declarations(code, out);
}

}  // namespace plumbline::tidy
