#include "conformance/checks/server/promises/values/said_defaults.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/tool_arguments.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// What stands before the value, and what behind it.
constexpr std::array<std::string_view, 7> kBeforeDefault = {
    "defaults to ", "default to ",       "default is ", "default: ",
    "default = ",   "default value is ", "(default "};
constexpr std::array<std::string_view, 24> kBehindDefault = {
    " unless another",   " unless a different", " unless given",  " unless specified",
    " unless otherwise", " unless set",         " if left out",   " if it is left out",
    " if omitted",       " if not given",       " if none is",    " if not specified",
    " if not set",       " if absent",          " if missing",    " when omitted",
    " when left out",    " when not given",     " when not set",  " when not specified",
    " by default",       " (default)",          " (the default)", " unless you"};
constexpr std::string_view kQuotes = "\"'`";

bool is_bare(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

// default_value reads a value that a property can have: quoted, one of its choices, or a number.
Json default_value(std::string_view text, bool quoted, const Json* choices, const Json& property) {
  while (!quoted && text.ends_with('.')) text.remove_suffix(1);
  if (text.empty()) return nullptr;
  if (choices != nullptr) {
    const Json value = std::string(text);
    return std::ranges::find(*choices, value) == choices->end() ? Json() : value;
  }
  const std::string type = string_or(property, "type", "");
  if (type == "string") return quoted ? Json(std::string(text)) : Json();
  if (type == "boolean") return text == "true" || text == "false" ? Json(text == "true") : Json();
  if (type != "integer" && type != "number") return nullptr;
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? Json(number) : Json();
}

// is_conditional returns whether what stands behind a value says that it is not always that.
bool is_conditional(std::string_view behind) {
  constexpr std::array<std::string_view, 8> kConditions = {" for ", " when ", " if ",  " unless ",
                                                           " or ",  " on ",   " with", " in "};
  return std::ranges::any_of(kConditions,
                             [&](std::string_view one) { return behind.starts_with(one); });
}

// value_ahead reads the value that begins a text, and value_before the one that ends it.
Json value_ahead(std::string_view text, const Json* choices, const Json& property) {
  if (text.empty()) return nullptr;
  if (kQuotes.find(text.front()) != std::string_view::npos) {
    const std::size_t end = text.find(text.front(), 1);
    if (end == std::string_view::npos || is_conditional(text.substr(end + 1))) return nullptr;
    return default_value(text.substr(1, end - 1), true, choices, property);
  }
  std::size_t end = 0;
  while (end < text.size() && is_bare(text[end])) ++end;
  if (is_conditional(text.substr(end))) return nullptr;
  return default_value(text.substr(0, end), false, choices, property);
}

Json value_before(std::string_view text, const Json* choices, const Json& property) {
  if (text.empty()) return nullptr;
  if (kQuotes.find(text.back()) != std::string_view::npos) {
    const std::size_t begin = text.rfind(text.back(), text.size() - 2);
    if (begin == std::string_view::npos || text.size() < 2) return nullptr;
    return default_value(text.substr(begin + 1, text.size() - begin - 2), true, choices, property);
  }
  std::size_t begin = text.size();
  while (begin > 0 && is_bare(text[begin - 1])) --begin;
  return default_value(text.substr(begin), false, choices, property);
}

// defaults_in gathers the defaults that one clause tells.
void defaults_in(const std::string& clause, const Json* choices, const Json& property,
                 std::vector<Json>& found) {
  const std::string low = lower_case(clause);
  const auto take = [&](Json value) {
    if (!value.is_null() && std::ranges::find(found, value) == found.end()) {
      found.push_back(std::move(value));
    }
  };
  for (const std::string_view before : kBeforeDefault) {
    const std::size_t at = low.find(before);
    if (at == std::string::npos) continue;
    take(value_ahead(std::string_view(clause).substr(at + before.size()), choices, property));
  }
  for (const std::string_view behind : kBehindDefault) {
    const std::size_t at = low.find(behind);
    if (at != std::string::npos) {
      take(value_before(std::string_view(clause).substr(0, at), choices, property));
    }
  }
}

std::vector<std::string> clauses_of(const std::string& text) {
  std::vector<std::string> found(1);
  for (const char c : text) {
    const bool colon = c == ':' && !found.back().ends_with("default");
    if (c == ',' || c == ';' || c == '(' || colon) found.emplace_back();
    found.back() += c;
  }
  return found;
}

// clause_is_about returns whether a clause names a parameter, and no other one of its tool.
bool clause_is_about(const std::string& clause, const std::string& name, const Json& tool) {
  for (const Sentence& one : sentences_in(clause)) {
    if (!names_member(one, name)) continue;
    const Json* const properties = properties_of(tool);
    return std::ranges::none_of(properties->items(), [&](const auto& other) {
      return other.key() != name && names_member(one, other.key());
    });
  }
  return false;
}

bool is_required(const Json& tool, const std::string& name) {
  const Json* const required = at_pointer(tool, "/inputSchema/required");
  return required != nullptr && required->is_array() &&
         std::ranges::find(*required, Json(name)) != required->end();
}

}  // namespace

Json default_in_words(const Json& tool, const std::string& name, const Json& property) {
  if (is_required(tool, name) || !property.is_object()) return nullptr;
  const Json* const choices = choices_of(tool, name);
  std::vector<Json> found;
  defaults_in(string_or(property, "description", ""), choices, property, found);
  for (const Sentence& sentence : sentences_in(string_or(tool, "description", ""))) {
    for (const std::string& clause : clauses_of(sentence.text)) {
      if (clause_is_about(clause, name, tool)) defaults_in(clause, choices, property, found);
    }
  }
  return found.size() == 1 ? found.front() : Json();
}

}  // namespace plumbline::conformance
