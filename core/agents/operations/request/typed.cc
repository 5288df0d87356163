#include "core/agents/operations/request/typed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/base/real_number.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

std::optional<Json> number_from(const std::string& text, bool whole) {
  std::int64_t integer = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, integer);
  if (failed == std::errc() && stop == end) return Json(integer);
  if (text.find_first_not_of("-.0123456789") != std::string::npos) return std::nullopt;  // "inf"
  const std::optional<double> real = whole ? std::nullopt : read_real(text);
  if (!real) return std::nullopt;
  return Json(*real);
}

// literal returns an object or an array that is written as JSON.
std::optional<Json> literal(const std::string& text) {
  if (!text.starts_with('{') && !text.starts_with('[')) return std::nullopt;
  Result<Json> read = parse_json(text);
  return read.ok() ? std::optional(std::move(read).value()) : std::nullopt;
}

// is_name_for_code returns whether a schema wants a code, such as "de" or "pt-BR", and `text` is
// none: "German".
bool is_name_for_code(const Json& schema, std::string_view text) {
  constexpr std::size_t kCodeLettersMax = 3;
  const std::string says = lower_case(string_or(schema, "description", ""));
  constexpr auto kCodes =
      std::to_array<std::string_view>({"language code", "country code", "currency code"});
  const bool wants_code = std::ranges::any_of(
      kCodes, [&says](std::string_view code) { return says.find(code) != std::string::npos; });
  return wants_code && text.substr(0, text.find_first_of("-_")).size() > kCodeLettersMax;
}

// has_form returns whether a text may have the format that a schema says.
bool has_form(const Json& schema, std::string_view text) {
  const std::string format = string_or(schema, "format", "");
  if (format == "email") return text.find('@') != text.npos;
  if (format == "uri" || format == "url") return text.find(':') != text.npos;
  return format != "uuid" || text.find_first_of("@/ ") == text.npos;
}

}  // namespace

std::string type_of(const Json& schema) {
  if (const auto type = find_string(schema, "type")) return *type;
  std::string out;
  const auto add = [&out](const std::string& type) {
    if (type == "null" || type == out) return true;
    return std::exchange(out, type).empty();
  };
  if (const Json* const types = find(schema, "type"); types != nullptr && types->is_array()) {
    for (const Json& type : *types) {
      if (!type.is_string() || !add(type.get<std::string>())) return "";
    }
  }
  for (const char* const key : {"anyOf", "oneOf"}) {
    const Json* const all = find(schema, key);
    if (all == nullptr || !all->is_array()) continue;
    for (const Json& one : *all) {
      const auto type = find_string(one, "type");
      if (!type || !add(*type)) return "";
    }
  }
  return out;
}

bool takes_text(const Json& schema) {
  if (type_of(schema) == "string") return true;
  for (const char* const key : {"anyOf", "oneOf"}) {
    const Json* const all = find(schema, key);
    if (all == nullptr || !all->is_array()) continue;
    for (const Json& one : *all) {
      if (string_or(one, "type", "") == "string" && find(one, "enum") == nullptr) return true;
    }
  }
  return false;
}

bool takes_number(const Json& schema) {
  const std::string type = type_of(schema);
  return (type == "number" || type == "integer") && find(schema, "enum") == nullptr;
}

std::optional<Json> typed(const Json& schema, const std::string& text) {
  const std::string said = type_of(schema);
  const bool any = said.empty();
  const std::string type = any ? "string" : said;
  if (any || type == "object" || type == "array") {
    std::optional<Json> whole = literal(text);
    if (whole && (any || whole->is_object() == (type == "object"))) return whole;
  }
  if (type == "string")
    return is_name_for_code(schema, text) || !has_form(schema, text) ? std::nullopt
                                                                     : std::optional<Json>(text);
  if (type == "integer" || type == "number") return number_from(text, type == "integer");
  if (type == "boolean" && (text == "true" || text == "yes")) return Json(true);
  if (type == "boolean" && (text == "false" || text == "no")) return Json(false);
  if (type == "array") {
    const Json* const items = find(schema, "items");
    std::optional<Json> item = typed(items ? *items : Json::object(), text);
    if (item) return Json::array({*item});
  }
  return std::nullopt;
}

}  // namespace plumbline::agents
