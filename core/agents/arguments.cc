#include "core/agents/arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "core/agents/request_text.h"
#include "core/agents/words.h"
#include "core/base/check.h"

namespace plumbline::agents {

namespace {

// Kind groups properties by what their name says they hold.
enum class Kind {
  kPath,
  kUri,
  kRecipient,
  kPerson,
  kPhrase,
  kText,
  kIdentifier,
  kSubject,
  kPlace,
  kOther
};

struct KindWords {
  Kind kind;
  std::vector<std::string_view> words;
};

// A property is of the first kind that one of its name's words belongs to.
const std::vector<KindWords>& kind_table() {
  static const std::vector<KindWords> table = {
      {Kind::kUri, {"uri", "url", "link", "href"}},
      {Kind::kRecipient,
       {"to", "recipient", "recipients", "email", "channel", "assignee", "address"}},
      {Kind::kPath, {"path", "file", "filename", "folder", "filepath"}},
      {Kind::kPhrase, {"search", "q", "term", "keyword", "pattern", "topic", "question"}},
      {Kind::kText, {"text", "body", "content", "message", "comment", "note"}},
      {Kind::kIdentifier, {"id", "number", "key", "issue", "ticket", "order"}},
      {Kind::kPerson, {"name", "person", "who", "user", "customer"}},
      {Kind::kPlace, {"city", "location", "place", "country", "room"}},
      {Kind::kSubject, {"subject", "title", "document", "attachment", "report", "item"}},
  };
  return table;
}

Kind kind_of(std::string_view property) {
  std::vector<std::string> words;
  for (const std::string& word : words_of(property)) words.push_back(fold(word));
  for (const KindWords& row : kind_table()) {
    for (const std::string_view word : row.words) {
      if (contains(words, word)) return row.kind;
    }
  }
  return Kind::kOther;
}

std::optional<Json> number_from(const std::string& text, bool whole) {
  std::int64_t integer = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, integer);
  if (failed == std::errc() && stop == end) return Json(integer);
  double real = 0;
  const auto [real_stop, real_failed] = std::from_chars(text.data(), end, real);
  if (!whole && real_failed == std::errc() && real_stop == end) return Json(real);
  return std::nullopt;
}

// typed turns words of the request into the type that the schema asks for.
std::optional<Json> typed(const Json& schema, const std::string& text) {
  const std::string type = string_or(schema, "type", "string");
  if (type == "string") return Json(text);
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

// enum_value returns the enum value that the request speaks of, when it is exactly one.
std::optional<Json> enum_value(const Json& schema, const RequestText& request) {
  const Json* const values = find(schema, "enum");
  if (values == nullptr || !values->is_array()) return std::nullopt;
  std::optional<Json> found;
  for (const Json& value : *values) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr || !request.speaks_of(*text)) continue;
    if (found) return std::nullopt;  // Two fit: no guess.
    found = value;
  }
  return found;
}

// by_kind finds a value by what the property's name says it holds.
std::optional<std::string> by_kind(Kind kind, RequestText& request) {
  switch (kind) {
    case Kind::kPath:
      return request.path();
    case Kind::kUri:
      return request.uri();
    case Kind::kRecipient:
      return request.recipient();
    case Kind::kPerson:
      return request.person();
    case Kind::kPhrase:
      return request.phrase_after({"for", "about", "matching", "containing", "named", "on"});
    case Kind::kText:
      return request.phrase_after({"saying", "says", "text", "reading"});
    case Kind::kIdentifier:
      return request.identifier();
    case Kind::kSubject:
      return request.direct_object();
    case Kind::kPlace:
      return request.capitalised_after({"in", "for", "at", "of"});
    case Kind::kOther:
      return std::nullopt;
  }
  check(false, "unknown Kind");
  return std::nullopt;
}

std::optional<Json> from_request(const std::string& name, const Json& schema, bool required,
                                 bool only_required_text, RequestText& request) {
  if (const std::optional<std::string> said = request.assigned(name)) return typed(schema, *said);
  if (find(schema, "enum") != nullptr) return enum_value(schema, request);
  const std::string type = string_or(schema, "type", "string");
  if (type == "integer" || type == "number") {
    std::optional<std::string> digits = request.number_near(name);
    if (!digits && required) digits = request.only_number();
    return digits ? typed(schema, *digits) : std::nullopt;
  }
  if (!required || (type != "string" && type != "array")) return std::nullopt;
  std::optional<std::string> text = by_kind(kind_of(name), request);
  if (!text && only_required_text) text = request.only_quoted();
  return text ? typed(schema, *text) : std::nullopt;
}

}  // namespace

std::string_view name_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::kRequest:
      return "request";
    case Provenance::kConfiguration:
      return "configuration";
    case Provenance::kSchemaDefault:
      return "schema_default";
  }
  check(false, "unknown Provenance");
  return {};
}

Extraction extract_arguments(std::string_view request, const Capability& capability,
                             const Json& configured) {
  Extraction out;
  const Json* const properties = find(capability.input_schema, "properties");
  std::vector<std::string> required;
  if (const Json* const names = find(capability.input_schema, "required");
      names && names->is_array()) {
    for (const Json& name : *names) {
      if (const auto* const text = name.get_ptr<const std::string*>()) required.push_back(*text);
    }
  }
  RequestText text(request);
  const auto fill = [&](const std::string& name, Json value, Provenance provenance) {
    out.arguments[name] = std::move(value);
    out.sources.push_back(ArgumentSource{name, provenance});
  };
  if (properties != nullptr && properties->is_object()) {
    for (const auto& [name, schema] : properties->items()) {
      const bool is_required = contains(required, name);
      std::optional<Json> said =
          from_request(name, schema, is_required, required.size() == 1 && is_required, text);
      if (said) {
        fill(name, std::move(*said), Provenance::kRequest);
      } else if (const Json* const value = find(configured, name)) {
        fill(name, *value, Provenance::kConfiguration);
      } else if (const Json* const value_default = find(schema, "default")) {
        fill(name, *value_default, Provenance::kSchemaDefault);
      }
    }
  }
  for (const std::string& name : required) {
    if (!out.arguments.contains(name)) out.missing.push_back(name);
  }
  return out;
}

}  // namespace plumbline::agents
