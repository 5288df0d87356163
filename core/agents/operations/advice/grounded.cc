#include "core/agents/operations/advice/grounded.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/operations/arguments/arguments.h"
#include "core/agents/operations/arguments/checked.h"
#include "core/agents/operations/arguments/standing.h"
#include "core/agents/operations/request/dated.h"
#include "core/agents/operations/request/request_text.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/letters.h"
#include "core/base/real_number.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

constexpr int kDepthMax = 16;
constexpr auto kNumberWords =
    std::to_array<std::string_view>({"zero", "one", "two", "three", "four", "five", "six", "seven",
                                     "eight", "nine", "ten", "eleven", "twelve"});

// part_of and items_of return what a schema says of a member, and of the items of an array; an
// empty object where it says nothing.
const Json& part_of(const Json& schema, const std::string& name) {
  static const Json nothing = Json::object();
  const Json* const properties = find(schema, "properties");
  const Json* const part = properties != nullptr ? find(*properties, name) : nullptr;
  return part != nullptr ? *part : nothing;
}

const Json& items_of(const Json& schema) {
  static const Json nothing = Json::object();
  const Json* const items = find(schema, "items");
  return items != nullptr ? *items : nothing;
}

// is_choice returns whether a schema, or one of its alternatives, lists the value.
bool is_choice(const Json& schema, const Json& value) {
  const Json* const values = find(schema, "enum");
  if (values != nullptr && values->is_array() && std::ranges::count(*values, value) > 0)
    return true;
  const Json* const only = find(schema, "const");
  if (only != nullptr && *only == value) return true;
  for (const char* const key : {"anyOf", "oneOf"}) {
    const Json* const parts = find(schema, key);
    if (parts == nullptr || !parts->is_array()) continue;
    if (std::ranges::any_of(*parts, [&](const Json& part) { return is_choice(part, value); })) {
      return true;
    }
  }
  return false;
}

// is_of_word returns whether a sign continues a word or a number.
bool is_of_word(char sign) { return std::isalnum(static_cast<unsigned char>(sign)) != 0; }

// Grounds is what a request says, as far as values of arguments may rest on it.
class Grounds {
 public:
  explicit Grounds(std::string_view request)
      : request_(request), lower_(lower_case(request)), dates_(dates_in(RequestText(request))) {}

  // hold returns whether the request says a value; texts become as the request writes them.
  bool hold(Json& value, const Json& schema, int depth = 0) const {
    if (depth > kDepthMax) return false;
    if (value.is_boolean() || is_choice(schema, value)) return true;
    if (auto* const text = value.get_ptr<std::string*>()) {
      const std::string proposed = *text;
      const bool said = say(*text);
      // One of the words that the schema tells of, and does not list.
      const bool told = string_or(schema, "description", "").find(proposed) != std::string::npos;
      if (said && told) *text = proposed;
      return said;
    }
    if (value.is_number()) return count(value.get<double>());
    if (value.is_array()) {
      return std::ranges::all_of(
          value, [&](Json& item) { return hold(item, items_of(schema), depth + 1); });
    }
    if (!value.is_object()) return false;  // null
    for (auto& [name, member] : value.items()) {
      const Json& part = part_of(schema, name);
      std::string key = name;
      if (part.empty() && (!say(key) || key != name)) return false;
      if (!hold(member, part, depth + 1)) return false;
    }
    return true;
  }

 private:
  bool say(std::string& text) const {
    if (std::ranges::find(dates_, text, &SaidDate::text) != dates_.end()) return true;
    const std::string wanted = lower_case(text);
    if (wanted.empty()) return false;
    for (std::size_t at = lower_.find(wanted); at != std::string::npos;
         at = lower_.find(wanted, at + 1)) {
      const std::size_t end = at + wanted.size();
      const bool begins = at == 0 || !is_of_word(lower_[at - 1]) || !is_of_word(lower_[at]);
      const bool ends =
          end == lower_.size() || !is_of_word(lower_[end]) || !is_of_word(lower_[end - 1]);
      if (!begins || !ends) continue;
      text = request_.substr(at, wanted.size());
      return true;
    }
    return false;
  }

  // count returns whether a number stands in the request: 1500 is "1,500" as well, and 5 is "$5",
  // or "five".
  bool count(double number) const {
    for (std::size_t i = 0; i < kNumberWords.size(); ++i) {
      std::string word(kNumberWords[i]);
      if (number == static_cast<double>(i) && say(word)) return true;
    }
    for (std::size_t at = 0; at < request_.size(); ++at) {
      if (!is_digit(request_[at]) || (at > 0 && is_of_word(request_[at - 1]))) continue;
      const bool dashed = at > 0 && request_[at - 1] == '-';  // A minus, or "10-20".
      std::string digits;
      for (; at < request_.size(); ++at) {
        const bool more = at + 1 < request_.size() && is_digit(request_[at + 1]);
        if (is_digit(request_[at]) || (request_[at] == '.' && more)) {
          digits += request_[at];
        } else if (request_[at] != ',' || !more) {
          break;
        }
      }
      const std::optional<double> said = read_real(digits);
      if (said && (*said == number || (dashed && -*said == number))) return true;
    }
    return false;
  }

  std::string request_;
  std::string lower_;
  std::vector<SaidDate> dates_;
};

// is_given returns whether the words of the request alone give that value: 20 seconds are 20000 of
// timeout_ms.
bool is_given(const Extraction& words, const std::string& name, const Json& value) {
  return std::ranges::any_of(words.sources, [&](const ArgumentSource& source) {
    return source.name == name && words.value(name) == value;
  });
}

}  // namespace

std::optional<Extraction> grounded_arguments(const Json& proposed, std::string_view request,
                                             const connector::Capability& capability,
                                             const Json& configured) {
  const Json& schema = taken_schema(capability);
  const std::optional<std::string> wrapper = wrapper_of(capability);
  const Json* const inner = wrapper ? find(proposed, *wrapper) : nullptr;
  const Json& said = inner != nullptr && inner->is_object() ? *inner : proposed;
  const std::vector<std::string> required = required_of(schema);
  const Json* const properties = find(schema, "properties");
  const Grounds grounds(request);
  const Extraction words = extract_arguments(request, capability, configured);
  Extraction out;
  for (const auto& [name, proposal] : said.items()) {
    const Json& part = part_of(schema, name);
    Json value = proposal;
    const bool given = is_given(words, name, value) || grounds.hold(value, part);
    if (!given && !value.is_null()) return std::nullopt;
    if (given) out.give(name, std::move(value), Provenance::kRequest);
  }
  if (properties != nullptr && properties->is_object()) {
    for (const auto& [name, property] : properties->items()) {
      if (find(out.arguments, name) != nullptr) continue;
      give_standing(out, name, property, contains(required, name), configured);
    }
  }
  add_missing(out, required, properties, capability.input_schema);
  if (!out.missing.empty()) return std::nullopt;
  wrap(out, capability);
  return out;
}

}  // namespace plumbline::agents
