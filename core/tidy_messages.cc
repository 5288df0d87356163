// A message is for people: nobody decides by its words. What failed travels as a value, beside it.

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "core/tidy_rules.h"

namespace plumbline::tidy {
namespace {

// Where the words are of others, whose protocol has no code for what they say:
//
//   failure.cc     a JSON-RPC error that has neither a status nor a code that names what was wrong,
//                  and the text of a tool's isError
//   client_era.cc  a refusal of initialize that names the revisions it knows in a sentence
//   http_refusal.cc  a server that has no 404 for a session that is over; -32001, which some say
//                  it with, is also of other troubles
//   mcp_hub.cc     a tool's isError, which has no code, of a server that does not know the tool
//   refusal.cc     a model's provider that has no code for a prompt that is too long
//
// fingerprint.cc knows an SDK by what it says.
constexpr std::array<std::string_view, 5> kWordsOfOthers = {
    "core/connector/mcp_hub.cc", "core/mcp/client/client_era.cc", "core/mcp/protocol/failure.cc",
    "core/mcp/transport/http_refusal.cc", "core/model/providers/refusal.cc"};

// What variables are called that hold words of a message: literals are not looked for in them.
constexpr std::array<std::string_view, 3> kHoldWords = {"said", "why", "words"};

constexpr std::array<std::string_view, 10> kSearches = {
    "find",        "rfind",     "find_first_of", "find_last_of", "contains",
    "starts_with", "ends_with", "compare",       "substr",       "front"};

// Functions that look into a text that they are given.
constexpr std::array<std::string_view, 13> kReaders = {
    "fits",          "contains",    "starts_with",  "ends_with",    "find_word",
    "has_phrase",    "strstr",      "lower_case",   "PartialMatch", "FullMatch",
    "classify_text", "versions_in", "says_too_long"};

// What gives a text on as it is.
constexpr std::array<std::string_view, 5> kKeepers = {"string", "string_view", "move", "clipped",
                                                      "redact"};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view word_at(std::string_view code, std::size_t at) {
  std::size_t end = at;
  while (end < code.size() && is_letter(code[end])) ++end;
  return code.substr(at, end - at);
}

bool is_one_of(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != words.end();
}

// called_with returns the function whose argument the text before `at` is: "fits" of
// "fits(habit.like, row".
std::string_view called_with(std::string_view code, std::size_t at) {
  int depth = 0;
  while (at-- > 0) {
    const char c = code[at];
    if (c == ';' || c == '{' || c == '}') return {};
    if (c == ')') ++depth;
    if (c != '(' || depth-- > 0) continue;
    std::size_t begin = at;
    while (begin > 0 && is_letter(code[begin - 1])) --begin;
    return code.substr(begin, at - begin);
  }
  return {};
}

// decides returns whether what stands behind a message at `end` looks into it.
bool decides(std::string_view code, std::size_t end) {
  const std::string_view rest = code.substr(end);
  if (rest.starts_with('.')) return is_one_of(word_at(code, end + 1), kSearches);
  for (const std::string_view sign : {" == ", " != "}) {
    if (!rest.starts_with(sign)) continue;
    const std::string_view other = rest.substr(sign.size());
    return other.starts_with('"') || (other.starts_with('k') && other.size() > 1 &&
                                      std::isupper(static_cast<unsigned char>(other[1])) != 0);
  }
  return false;
}

// is_member returns whether the name at `at` is one of something: "row.message".
bool is_member(std::string_view code, std::size_t at) {
  return at > 1 && (code[at - 1] == '.' || code.substr(at - 2, 2) == "->");
}

// carrier_of returns the text that the statement around `at` puts what stands there into: "told" of
// "std::string told = name + row.message". Empty: none, or it is JSON.
std::string_view carrier_of(std::string_view code, std::size_t at) {
  const std::string_view around = called_with(code, at);
  if (!around.empty() && !is_one_of(around, kKeepers)) return {};
  const std::size_t before = code.find_last_of(";{}", at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view statement = code.substr(begin, at - begin);
  std::size_t sign = statement.find(" = ");
  if (sign == std::string_view::npos) sign = statement.find(" += ");
  if (sign == std::string_view::npos || statement.find("Json") < sign) return {};
  std::size_t name = sign;
  while (name > 0 && is_letter(statement[name - 1])) --name;
  return is_member(statement, name) ? std::string_view() : statement.substr(name, sign - name);
}

// is_decided_by returns whether the code behind `at`, to the end of its block, looks into the text
// `carrier`.
bool is_decided_by(std::string_view carrier, std::string_view code, std::size_t at) {
  int depth = 0;
  std::size_t end = code.find(';', at);
  if (carrier.empty() || end == std::string_view::npos) return false;
  const std::size_t begin = end;
  while (end < code.size() && depth >= 0) {
    depth += code[end] == '{' ? 1 : code[end] == '}' ? -1 : 0;
    ++end;
  }
  const std::string_view rest = code.substr(0, end);
  for (std::size_t use = find_word(rest, carrier, begin); use != std::string::npos;
       use = find_word(rest, carrier, use + 1)) {
    const bool shown = rest.substr(use + carrier.size()).starts_with(".substr(");
    if (is_member(rest, use) || shown) continue;
    if (decides(rest, use + carrier.size()) || is_one_of(called_with(rest, use), kReaders)) {
      return true;
    }
  }
  return false;
}

// looks_for_words returns whether at `end`, behind a variable, a literal of letters is looked for.
bool looks_for_words(std::string_view code, std::size_t end) {
  if (end >= code.size() || code[end] != '.') return false;
  const std::string_view search = word_at(code, end + 1);
  if (!is_one_of(search, kSearches)) return false;
  const std::string_view rest = code.substr(end + 1 + search.size());
  return rest.starts_with("(\"") || rest.starts_with("(k");
}

void check_held_words(const std::string& code, Findings& out) {
  for (const std::string_view name : kHoldWords) {
    for (std::size_t at = find_word(code, name); at != std::string::npos;
         at = find_word(code, name, at + 1)) {
      if (!looks_for_words(code, at + name.size())) continue;
      out.push_back({line_at(code, at),
                     "a decision by the words of a message, let a value travel beside it"});
    }
  }
}

}  // namespace

void check_messages(const std::string& path, const std::string& code, Findings& out) {
  const bool shows_only = path.ends_with("_test.cc") || path.ends_with("_fixture.h") ||
                          path.starts_with("fuzz/") || path.starts_with("tests/");
  if (shows_only || is_one_of(path, kWordsOfOthers)) return;
  check_held_words(code, out);
  constexpr std::string_view kMessage = "message";
  for (std::size_t at = find_word(code, kMessage); at != std::string::npos;
       at = find_word(code, kMessage, at + 1)) {
    if (!is_member(code, at)) continue;
    const std::string_view reader = called_with(code, at);
    if (!decides(code, at + kMessage.size()) && !is_one_of(reader, kReaders) &&
        !is_decided_by(carrier_of(code, at), code, at)) {
      continue;
    }
    out.push_back(
        {line_at(code, at), "a decision by the words of a message, let a value travel beside it"});
  }
}

}  // namespace plumbline::tidy
