// The x-mcp-header annotations of the tools that a server lists: spec 2026-07-28,
// basic/transports/streamable-http, Schema Extension. A client over HTTP drops a tool whose
// annotations are wrong. They are read from the survey, over any transport.

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/wire/mirrored.h"

namespace plumbline::conformance {

namespace {

// Reach is how the root of a schema leads to one that is annotated.
enum class Reach {
  kProperties,  // By "properties" alone, as it should be.
  kIndirect,    // By a keyword that the specification rules out.
  kElsewhere,   // By another one, or it is the root itself.
};

struct Annotation {
  Json value;
  Json schema;  // That has it.
  std::string place;
  Reach reach = Reach::kProperties;
};

constexpr std::array kIndirect = {
    "items", "prefixItems", "additionalItems", "contains", "unevaluatedItems",
    "oneOf", "anyOf",       "allOf",           "not",      "if",
    "then",  "else",
};
// Of these the schemas are members. What stands below $defs is reached by $ref.
constexpr std::array kIndirectMaps = {"$defs", "definitions"};
constexpr std::array kElsewhere = {"additionalProperties", "unevaluatedProperties",
                                   "propertyNames"};
constexpr std::array kElsewhereMaps = {"patternProperties", "dependentSchemas", "dependencies"};

// Walk collects the annotations of one schema. Values of "const", "default" and the like are no
// schemas: what is in them means nothing.
class Walk {
 public:
  explicit Walk(const Json& root) { read(root, "", Reach::kElsewhere, Reach::kProperties); }

  std::vector<Annotation> found;

 private:
  // `reach` is that of `schema` itself, `below` that of its properties.
  void read(const Json& schema, const std::string& place, Reach reach, Reach below) {
    if (!schema.is_object()) return;
    if (const Json* const value = find(schema, "x-mcp-header")) {
      found.push_back({*value, schema, place.empty() ? "its root" : place, reach});
    }
    members(schema, "properties", place, below);
    for (const char* const key : kIndirectMaps) members(schema, key, place, Reach::kIndirect);
    for (const char* const key : kElsewhereMaps) members(schema, key, place, worse(below));
    for (const char* const key : kElsewhere) schemas(schema, key, place, worse(below));
    for (const char* const key : kIndirect) schemas(schema, key, place, Reach::kIndirect);
  }

  static Reach worse(Reach below) {
    return below == Reach::kIndirect ? Reach::kIndirect : Reach::kElsewhere;
  }

  void members(const Json& schema, const char* key, const std::string& place, Reach reach) {
    const Json* const map = find(schema, key);
    if (map == nullptr || !map->is_object()) return;
    for (const auto& [name, each] : map->items()) {
      read(each, place + "/" + key + "/" + name, reach, reach);
    }
  }

  void schemas(const Json& schema, const char* key, const std::string& place, Reach reach) {
    const Json* const one = find(schema, key);
    if (one == nullptr) return;
    read(*one, place + "/" + key, reach, reach);
    if (!one->is_array()) return;
    for (const Json& each : *one) read(each, place + "/" + key, reach, reach);
  }
};

std::string text_of(const Annotation& annotation) {
  return "the x-mcp-header " + shortened(dump_json(annotation.value)) + " at " +
         shortened(annotation.place);
}

// each_annotation judges every one by itself; `problem` returns an empty string for a good one.
template <typename Problem>
Finding each_annotation(const Probe& probe, Problem problem) {
  Tally tally;
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const schema = find(tool, "inputSchema");
    if (schema == nullptr) continue;
    for (const Annotation& annotation : Walk(*schema).found) {
      tally.saw();
      const std::string wrong = problem(annotation);
      if (wrong.empty()) continue;
      tally.wrong("the tool \"" + shortened(string_or(tool, "name", "")) +
                      "\": " + text_of(annotation) + " " + wrong,
                  evidence_of(tool));
    }
  }
  return tally.finding("no tool has an x-mcp-header");
}

std::string name_of(const Annotation& annotation) {
  return annotation.value.is_string() ? annotation.value.get<std::string>() : std::string();
}

Task<Finding> names_some_header(Probe& probe) {
  co_return each_annotation(probe, [](const Annotation& annotation) -> std::string {
    return annotation.value == Json("") ? "is empty" : "";
  });
}

Task<Finding> names_headers_by_tokens(Probe& probe) {
  co_return each_annotation(probe, [](const Annotation& annotation) -> std::string {
    return is_header_token(name_of(annotation)) ? "" : "is no token of HTTP";
  });
}

Task<Finding> names_headers_in_print(Probe& probe) {
  co_return each_annotation(probe, [](const Annotation& annotation) -> std::string {
    const bool controls = std::ranges::any_of(name_of(annotation), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
    return controls ? "has a control character" : "";
  });
}

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Task<Finding> names_each_header_once(Probe& probe) {
  Tally tally;
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const schema = find(tool, "inputSchema");
    if (schema == nullptr) continue;
    std::map<std::string, std::string> places;
    for (const Annotation& annotation : Walk(*schema).found) {
      tally.saw();
      const auto [at, fresh] = places.emplace(lowered(name_of(annotation)), annotation.place);
      if (fresh) continue;
      tally.wrong("the tool \"" + shortened(string_or(tool, "name", "")) + "\": " +
                      text_of(annotation) + " stands at " + shortened(at->second) + " as well",
                  evidence_of(tool));
    }
  }
  co_return tally.finding("no tool has an x-mcp-header");
}

bool is_mirrored_type(const Json& type) {
  return type == Json("integer") || type == Json("string") || type == Json("boolean");
}

// type_problem: null beside one of the types is no other type of what is mirrored.
std::string type_problem(const Json& type) {
  constexpr const char* kWrong = ", expected the type integer, string or boolean";
  if (!type.is_array()) {
    return is_mirrored_type(type) ? "" : "has the type " + shortened(dump_json(type)) + kWrong;
  }
  const bool right = std::ranges::all_of(
      type, [](const Json& each) { return is_mirrored_type(each) || each == Json("null"); });
  return right && type != Json::array({"null"}) && !type.empty()
             ? ""
             : "has the types " + shortened(dump_json(type)) + kWrong;
}

// says_otherwise returns whether a schema without "type" may still allow primitive values alone.
bool says_otherwise(const Json& schema) {
  return std::ranges::any_of(std::array{"$ref", "enum", "const", "oneOf", "anyOf", "allOf"},
                             [&](const char* key) { return find(schema, key) != nullptr; });
}

Task<Finding> mirrors_primitive_values(Probe& probe) {
  std::string unclear;
  Json schema;
  Finding finding = each_annotation(probe, [&](const Annotation& annotation) -> std::string {
    const Json* const type = find(annotation.schema, "type");
    if (type != nullptr) return type_problem(*type);
    if (!says_otherwise(annotation.schema)) return "stands on a parameter of any type";
    unclear = text_of(annotation) + " stands on a parameter that does not say its type there";
    schema = annotation.schema;
    return "";
  });
  if (finding.verdict == Verdict::kPass && !unclear.empty()) {
    co_return showing(risky(unclear), schema);
  }
  co_return std::move(finding);
}

Task<Finding> mirrors_what_can_be_reached(Probe& probe) {
  co_return each_annotation(probe, [](const Annotation& annotation) -> std::string {
    if (annotation.reach == Reach::kProperties) return "";
    return "is not reached from the root by \"properties\" alone";
  });
}

Task<Finding> mirrors_nothing_indirect(Probe& probe) {
  co_return each_annotation(probe, [](const Annotation& annotation) -> std::string {
    if (annotation.reach != Reach::kIndirect) return "";
    return "stands below a keyword of arrays, composition or conditions, or behind $ref";
  });
}

constexpr ServerCheck kHeaderAnnotationsChecks[] = {
    {"http.x-mcp-header-not-empty", Eras::kStateless, SessionUse::kOpens, names_some_header},
    {"http.x-mcp-header-token-syntax", Eras::kStateless, SessionUse::kOpens,
     names_headers_by_tokens},
    {"http.x-mcp-header-no-control-chars", Eras::kStateless, SessionUse::kOpens,
     names_headers_in_print},
    {"http.x-mcp-header-unique", Eras::kStateless, SessionUse::kOpens, names_each_header_once},
    {"http.x-mcp-header-primitive-types", Eras::kStateless, SessionUse::kOpens,
     mirrors_primitive_values},
    {"http.x-mcp-header-statically-reachable", Eras::kStateless, SessionUse::kOpens,
     mirrors_what_can_be_reached},
    {"http.x-mcp-header-no-indirect-path", Eras::kStateless, SessionUse::kOpens,
     mirrors_nothing_indirect},
};

}  // namespace

ServerChecks header_annotations_checks() { return kHeaderAnnotationsChecks; }

}  // namespace plumbline::conformance
