#include "conformance/checks/server/features/schema_problems.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/shapes.h"
#include "core/schema/keywords.h"
#include "core/schema/text/ecma_pattern.h"
#include "core/schema/text/format.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kSchemasMax = 2'000;  // Of one tool: what comes behind is not looked at.

struct Inner {
  const Json* schema;
  std::string at;
};

// add_inner adds the schemas that `schema` holds.
void add_inner(const Json& schema, const std::string& at, std::vector<Inner>& inner) {
  for (const auto& [name, value] : schema.items()) {
    const schema::Keyword* const keyword = schema::keyword_of(name);
    if (keyword == nullptr || keyword->holds == schema::Holds::kNone) continue;
    const std::string below = at + "/" + name;
    if (keyword->may_hold_one() && value.is_object()) inner.push_back({&value, below});
    if (keyword->may_hold_list() && value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i].is_object()) inner.push_back({&value[i], below + "/" + std::to_string(i)});
      }
    }
    if (keyword->holds == schema::Holds::kMap && value.is_object()) {
      for (const auto& [key, one] : value.items()) {
        if (one.is_object()) inner.push_back({&one, below + "/" + key});
      }
    }
  }
}

std::string place(SchemaAt one, std::string_view member) {
  return shortened(one.at + "/" + std::string(member));
}

bool is_of(const Json& value, std::string_view type) {
  if (type == "integer") {
    if (!value.is_number_float()) return value.is_number();
    return std::floor(value.get<double>()) == value.get<double>();
  }
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "array") return value.is_array();
  return type != "object" || value.is_object();
}

// fits_type returns whether `value` is of the type that `schema` names, of one of them, or of any.
bool fits_type(const Json& schema, const Json& value) {
  const Json* const type = find(schema, "type");
  if (type == nullptr) return true;
  if (type->is_string()) return is_of(value, type->get_ref<const std::string&>());
  if (!type->is_array()) return true;
  return std::ranges::any_of(*type, [&](const Json& one) {
    return !one.is_string() || is_of(value, one.get_ref<const std::string&>());
  });
}

std::string misfit_of_values(SchemaAt one) {
  const std::string type =
      find(one.schema, "type") == nullptr ? "" : dump_json(*find(one.schema, "type"));
  if (const Json* const constant = find(one.schema, "const")) {
    if (!fits_type(one.schema, *constant)) {
      return place(one, "const") + " is " + shortened(dump_json(*constant)) +
             ", which is not of its type " + type + ": nothing fits";
    }
  }
  const Json* const values = find(one.schema, "enum");
  if (values == nullptr || !values->is_array()) return "";
  if (values->empty()) return place(one, "enum") + " is empty: nothing fits";
  std::size_t misfits = 0;
  const Json* first = nullptr;
  for (const Json& value : *values) {
    if (fits_type(one.schema, value)) continue;
    if (misfits++ == 0) first = &value;
  }
  if (misfits == 0) return "";
  return place(one, "enum") + " has " + shortened(dump_json(*first)) +
         ", which is not of its type " + type +
         (misfits == values->size() ? ": nothing fits" : ": nothing can be that value");
}

std::string misfit_of_bounds(SchemaAt one) {
  constexpr std::pair<const char*, const char*> kBounds[] = {{"minimum", "maximum"},
                                                             {"minLength", "maxLength"},
                                                             {"minItems", "maxItems"},
                                                             {"minProperties", "maxProperties"}};
  for (const auto& [low, high] : kBounds) {
    const Json* const least = find(one.schema, low);
    const Json* const most = find(one.schema, high);
    if (least == nullptr || most == nullptr || !least->is_number() || !most->is_number()) continue;
    if (!(*most < *least)) continue;
    return place(one, low) + " is " + dump_json(*least) + " and " + high + " is " +
           dump_json(*most) + ": nothing fits";
  }
  return "";
}

// is_shut_out returns whether `schema` lets no member of this name in.
bool is_shut_out(const Json& schema, const std::string& name) {
  const Json* const properties = find(schema, "properties");
  const Json* const own = properties == nullptr ? nullptr : find(*properties, name);
  if (own != nullptr) return *own == Json(false);
  const Json* const more = find(schema, "additionalProperties");
  return more != nullptr && *more == Json(false) && find(schema, "patternProperties") == nullptr;
}

std::string misfit_of_required(SchemaAt one) {
  const Json* const required = find(one.schema, "required");
  if (required == nullptr || !required->is_array()) return "";
  for (const Json& name : *required) {
    if (!name.is_string() || !is_shut_out(one.schema, name.get<std::string>())) continue;
    return place(one, "required") + " has " + shortened(dump_json(name)) +
           ", which it lets nobody give: nothing fits";
  }
  return "";
}

// unescaped returns the text of a fragment: %24 is '$'.
std::string unescaped(std::string_view text) {
  std::string plain;
  const auto hex = [](char c) { return std::string_view("0123456789abcdef").find(c | 0x20); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) < 16 && hex(text[i + 2]) < 16;
    plain += escape ? static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2])) : text[i];
    i += escape ? 2 : 0;
  }
  return plain;
}

// has_named returns whether a schema in `root` has `name` under one of these keywords.
bool has_named(const Json& root, std::initializer_list<const char*> keywords,
               std::string_view name) {
  const std::string found = first_in(root, [&](SchemaAt one) -> std::string {
    for (const char* const keyword : keywords) {
      if (find_string(one.schema, keyword) == name) return "here";
    }
    return "";
  });
  return !found.empty();
}

bool is_metaschema(std::string_view address) {
  return address.find("json-schema.org/") != std::string_view::npos;
}

bool is_known_format(std::string_view format) {
  constexpr std::string_view kMore[] = {"duration",
                                        "idn-email",
                                        "idn-hostname",
                                        "iri",
                                        "iri-reference",
                                        "uri-template",
                                        "relative-json-pointer",
                                        "int32",
                                        "int64",
                                        "float",
                                        "double",
                                        "byte",
                                        "binary",
                                        "password",
                                        "enum"};
  return schema::find_format(format) != nullptr ||
         std::ranges::find(kMore, format) != std::end(kMore);
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

// names_trouble looks at the properties of the root, which language models see as parameters.
std::string names_trouble(SchemaAt one) {
  const Json* const properties = find(one.schema, "properties");
  if (properties == nullptr || !properties->is_object() || !one.at.empty()) return "";
  for (const auto& [name, property] : properties->items()) {
    if (is_plain_name(name)) continue;
    return "has a property " + shortened(dump_json(Json(name))) +
           ": the Claude API takes 1 to 64 letters, digits, '_', '.' and '-' alone";
  }
  return "";
}

std::string dialect_trouble(SchemaAt one) {
  const std::string dialect = string_or(one.schema, "$schema", "");
  if (dialect.empty() || mentions(dialect, "draft-07") || mentions(dialect, "2020-12")) return "";
  return "is written in " + shortened(dialect) +
         ": the Claude API takes 2020-12, and clients of the TypeScript SDK know draft-07 and "
         "2020-12 alone";
}

}  // namespace

std::string first_in(const Json& root, const std::function<std::string(SchemaAt)>& problem) {
  if (!root.is_object()) return "";
  std::vector<Inner> all = {{&root, ""}};
  for (std::size_t i = 0; i < all.size() && i < kSchemasMax; ++i) {
    const Inner one = all[i];
    std::string wrong = problem({*one.schema, one.at});
    if (!wrong.empty()) return wrong;
    add_inner(*one.schema, one.at, all);
  }
  return "";
}

std::string pattern_trouble(SchemaAt one) {
  if (const auto pattern = find_string(one.schema, "pattern")) {
    const std::string wrong = schema::ecma_pattern_problem(*pattern);
    if (!wrong.empty()) {
      return place(one, "pattern") + " is \"" + shortened(*pattern) + "\": " + wrong;
    }
  }
  const Json* const named = find(one.schema, "patternProperties");
  if (named == nullptr || !named->is_object()) return "";
  for (const auto& [pattern, below] : named->items()) {
    const std::string wrong = schema::ecma_pattern_problem(pattern);
    if (wrong.empty()) continue;
    return place(one, "patternProperties") + " has \"" + shortened(pattern) + "\": " + wrong;
  }
  return "";
}

std::string misfit(SchemaAt one) {
  std::string wrong = misfit_of_values(one);
  if (wrong.empty()) wrong = misfit_of_bounds(one);
  return wrong.empty() ? misfit_of_required(one) : wrong;
}

std::string reference_trouble(SchemaAt one, const Json& root) {
  const auto reference = find_string(one.schema, "$ref");
  if (!reference) return "";
  const std::string shown = place(one, "$ref") + " is \"" + shortened(*reference) + "\"";
  const std::size_t hash = std::min(reference->find('#'), reference->size());
  const std::string base = reference->substr(0, hash);
  const std::string fragment = unescaped(reference->substr(std::min(hash + 1, reference->size())));
  if (is_metaschema(base)) return "";
  if (!base.empty()) {
    if (has_named(root, {"$id"}, base)) return "";
    return shown + ", which leaves the document: nobody fetches it";
  }
  if (find(root, "$id") != nullptr && fragment.empty()) return "";
  const bool found =
      fragment.empty() ||
      (fragment.front() == '/' ? at_pointer(root, fragment) != nullptr
                               : has_named(root, {"$anchor", "$dynamicAnchor", "$id"}, fragment) ||
                                     has_named(root, {"$id"}, "#" + fragment));
  return found ? "" : shown + ", and nothing stands there";
}

std::string host_trouble(SchemaAt one) {
  if (one.at.empty()) {
    for (const char* const choice : {"anyOf", "oneOf"}) {
      if (find(one.schema, choice) == nullptr) continue;
      return "has " + std::string(choice) +
             " at its root: the Claude API and the OpenAI API refuse it there";
    }
  }
  if (const auto to = find_string(one.schema, "$ref"); to && to->starts_with("#/properties/")) {
    return place(one, "$ref") + " is \"" + shortened(*to) +
           "\", a reference to no definition: the API of Moonshot (Kimi) refuses all but #/$defs/";
  }
  if (std::string wrong = dialect_trouble(one); !wrong.empty()) return wrong;
  if (std::string wrong = names_trouble(one); !wrong.empty()) return wrong;
  const bool list = string_or(one.schema, "type", "") == "array";
  if (list && find(one.schema, "items") == nullptr && find(one.schema, "prefixItems") == nullptr) {
    return (one.at.empty() ? "its root" : shortened(one.at)) +
           std::string(" is an array without items: the OpenAI API, the Gemini API and VS Code ") +
           "refuse every tool beside it";
  }
  if (const auto format = find_string(one.schema, "format"); format && !is_known_format(*format)) {
    return place(one, "format") + " is \"" + shortened(*format) +
           "\", which JSON Schema and OpenAPI do not have: the Gemini API refuses it, and Ajv " +
           "does in strict mode";
  }
  const Json* const required = find(one.schema, "required");
  const Json* const properties = find(one.schema, "properties");
  if (required == nullptr || !required->is_array() || properties == nullptr) return "";
  for (const Json& name : *required) {
    if (!name.is_string() || find(*properties, name.get_ref<const std::string&>()) != nullptr) {
      continue;
    }
    if (is_shut_out(one.schema, name.get<std::string>())) continue;  // Nothing fits at all.
    return place(one, "required") + " has " + shortened(dump_json(name)) +
           ", which is no property: the Gemini API and the OpenAI API refuse it";
  }
  return "";
}

namespace {

constexpr std::string_view kHints[] = {"readOnlyHint", "destructiveHint", "idempotentHint",
                                       "openWorldHint"};

// schema_word returns a member of `object` that belongs into a schema, or is one; empty: none.
std::string schema_word(const Json& object, bool of_tool) {
  for (const auto& [name, value] : object.items()) {
    const bool schema = name == "input_schema" || name == "output_schema" || name == "parameters" ||
                        name == "$schema" ||
                        (!of_tool && (name == "inputSchema" || name == "outputSchema"));
    const schema::Keyword* const keyword = schema::keyword_of(name);
    if (schema || (keyword != nullptr && name != "format" && name != "const")) return name;
  }
  return "";
}

// wrapped_schema returns a member of `schema` that is no word of JSON Schema and holds one.
std::string wrapped_schema(const Json& schema) {
  for (const auto& [name, value] : schema.items()) {
    constexpr std::string_view kValues[] = {"default", "const", "example", "examples", "enum"};
    const bool free = schema::keyword_of(name) != nullptr || name.starts_with("x-") ||
                      std::ranges::find(kValues, name) != std::end(kValues);
    if (free || !value.is_object()) continue;
    const Json* const properties = find(value, "properties");
    if (properties != nullptr && properties->is_object()) return name;
  }
  return "";
}

}  // namespace

std::string misplaced(const Json& tool) {
  for (const std::string_view hint : kHints) {
    if (find(tool, hint) == nullptr) continue;
    return "has " + std::string(hint) + " beside its annotations, where nobody looks for it";
  }
  if (const std::string word = schema_word(tool, true); !word.empty()) {
    return "has \"" + word + "\" beside its inputSchema, where nobody looks for it";
  }
  const Json* const annotations = find(tool, "annotations");
  if (annotations != nullptr && annotations->is_object()) {
    const std::string word = schema_word(*annotations, false);
    if (!word.empty()) return "has \"" + word + "\" in its annotations, a word of its schema";
  }
  const Json* const input = find(tool, "inputSchema");
  if (input == nullptr || !input->is_object()) return "";
  for (const std::string_view hint : kHints) {
    if (find(*input, hint) == nullptr) continue;
    return "has " + std::string(hint) + " in its inputSchema, where nobody looks for it";
  }
  const std::string wraps = wrapped_schema(*input);
  return wraps.empty() ? ""
                       : "has a schema below \"" + wraps +
                             "\" of its inputSchema, which JSON Schema does not look into";
}

}  // namespace plumbline::conformance
