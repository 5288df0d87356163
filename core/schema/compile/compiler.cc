#include "core/schema/compile/compiler.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/schema/compile/cycles.h"
#include "core/schema/compile/first_error.h"
#include "core/schema/compile/keyword_reader.h"
#include "core/schema/compile/node_table.h"
#include "core/schema/compile/pattern_table.h"
#include "core/schema/compile/references.h"
#include "core/schema/keywords.h"
#include "core/schema/text/number.h"

namespace plumbline::schema {

namespace {

// rules_in returns the kinds of rules that a schema has any of.
RuleSet rules_in(const Json& schema) {
  RuleSet rules = 0;
  for (const auto& [name, value] : *schema.get_ptr<const Json::object_t*>()) {
    if (const Keyword* const keyword = keyword_of(name)) rules |= keyword->rules;
  }
  return rules;
}

template <typename T>
T& made(std::unique_ptr<T>& slot) {
  if (slot == nullptr) slot = std::make_unique<T>();
  return *slot;
}

// Compiler turns one schema after another into a Node. The first error ends the work.
class Compiler {
 public:
  explicit Compiler(Program& program)
      : program_(program),
        nodes_(program, error_),
        patterns_(program, error_),
        references_(program, nodes_, error_) {}

  Status run() {
    Program& p = program_;
    Status added = p.resources.add(p.source, "", "", p.options.dialect, p.options.limits.depth_max);
    if (!added.ok()) return added;
    p.root = nodes_.node_for(p.resources.all().front().root);
    drain();
    while (!error_.noted() && references_.add_dynamic_targets()) drain();
    if (error_.noted()) return *error_.error();
    return find_cycles(p.nodes);
  }

 private:
  void drain() {
    while (!error_.noted()) {
      Node* const node = nodes_.take_pending();
      if (node == nullptr) return;
      compile(*node);
    }
  }

  void compile(Node& node) {
    const Json& schema = *node.source;
    if (schema.is_boolean()) {
      node.refuses = schema == Json(false);
      return;
    }
    if (!schema.is_object()) {
      return error_.note(
          ErrorCode::kInvalidInput, *node.location,
          "a schema is an object or a boolean, not " + std::string(type_name(schema)));
    }
    const bool draft7 = node.resource->dialect == Dialect::kDraft7;
    const KeywordReader read(node, program_.resources.locations(), error_);
    if (find(schema, "$ref") != nullptr) {
      made(node.in_place).reference = references_.target(read);
      if (draft7) return;
    }
    const RuleSet rules = rules_in(schema);
    if (rules & kValueRules) values(node, read);
    if (rules & kNumberRules) numbers(node, read);
    if (rules & kStringRules) strings(node, read);
    if (rules & kArrayRules) arrays(node, read, draft7);
    if (rules & kObjectRules) objects(node, read, draft7);
    if (rules & kInPlaceRules) in_place(node, read);
    if (!draft7 && find(schema, "$dynamicRef") != nullptr) {
      references_.read_dynamic(read, made(node.in_place));
    }
  }

  // schema_at and list_at return the nodes that a keyword holds; nothing when it is absent.
  const Node* schema_at(const KeywordReader& read, std::string_view keyword) {
    const Json* const value = read.any(keyword);
    return value == nullptr ? nullptr : nodes_.child(read.node(), *value, read.at(keyword));
  }

  NodeList list_at(const KeywordReader& read, std::string_view keyword) {
    NodeList list;
    const Json* const value = read.array(keyword, "an array of schemas");
    if (value == nullptr) return list;
    const Location& here = read.at(keyword);
    for (std::size_t i = 0; i < value->size(); ++i) {
      list.push_back(nodes_.child(read.node(), (*value)[i], read.item(here, i)));
    }
    return list;
  }

  void values(Node& node, const KeywordReader& read) {
    node.types = read.types();
    node.constant = read.any("const");
    const Json* const enumeration = read.array("enum", "an array");
    if (enumeration == nullptr) return;
    node.has_enumeration = true;
    for (const Json& value : *enumeration) node.enumeration.push_back(&value);
    std::sort(node.enumeration.begin(), node.enumeration.end(), [](const Json* a, const Json* b) {
      return JsonOrder(limits::kJsonDepthMax).compare(*a, *b) < 0;
    });
  }

  void numbers(Node& node, const KeywordReader& read) {
    NumberRules rules;
    rules.minimum = read.number("minimum");
    rules.maximum = read.number("maximum");
    rules.exclusive_minimum = read.number("exclusiveMinimum");
    rules.exclusive_maximum = read.number("exclusiveMaximum");
    rules.multiple_of = read.number("multipleOf");
    if (rules.multiple_of != nullptr && compare_numbers(*rules.multiple_of, Json(0)) <= 0) {
      read.fail("multipleOf", "expected a number of more than 0");
    }
    if (rules.minimum != nullptr || rules.maximum != nullptr ||
        rules.exclusive_minimum != nullptr || rules.exclusive_maximum != nullptr ||
        rules.multiple_of != nullptr) {
      made(node.numbers) = rules;
    }
  }

  void strings(Node& node, const KeywordReader& read) {
    StringRules rules;
    rules.length_min = read.count("minLength", 0);
    rules.length_max = read.count("maxLength", kNoMaximum);
    if (const std::string* const text = read.text("pattern")) {
      rules.pattern = patterns_.pattern(read.at("pattern"), *text);
    }
    if (program_.options.assert_format) {
      rules.format = find_format(string_or(*node.source, "format", ""));
    }
    if (rules.length_min > 0 || rules.length_max < kNoMaximum || rules.pattern != nullptr ||
        rules.format != nullptr) {
      made(node.strings) = rules;
    }
  }

  void arrays(Node& node, const KeywordReader& read, bool draft7) {
    ArrayRules rules;
    rules.items_min = read.count("minItems", 0);
    rules.items_max = read.count("maxItems", kNoMaximum);
    rules.unique = read.flag("uniqueItems");
    const Json* const items = read.any("items");
    if (draft7 && items != nullptr && items->is_array()) {
      rules.prefix = list_at(read, "items");
      rules.rest = schema_at(read, "additionalItems");
    } else {
      rules.rest = schema_at(read, "items");
      if (!draft7) rules.prefix = list_at(read, "prefixItems");
    }
    rules.contains = schema_at(read, "contains");
    if (!draft7) {
      rules.contains_min = read.count("minContains", 1);
      rules.contains_max = read.count("maxContains", kNoMaximum);
      rules.unevaluated = schema_at(read, "unevaluatedItems");
    }
    if (rules.items_min > 0 || rules.items_max < kNoMaximum || rules.unique ||
        !rules.prefix.empty() || rules.rest != nullptr || rules.contains != nullptr ||
        rules.unevaluated != nullptr) {
      made(node.arrays) = std::move(rules);
    }
  }

  void objects(Node& node, const KeywordReader& read, bool draft7) {
    ObjectRules rules;
    rules.members_min = read.count("minProperties", 0);
    rules.members_max = read.count("maxProperties", kNoMaximum);
    if (const Json* const names = read.any("required")) {
      rules.required = read.names("required", *names);
    }
    members(read, rules);
    rules.additional = schema_at(read, "additionalProperties");
    rules.names = schema_at(read, "propertyNames");
    if (draft7) {
      dependencies(read, "dependencies", rules);
    } else {
      dependencies(read, "dependentRequired", rules);
      dependencies(read, "dependentSchemas", rules);
      rules.unevaluated = schema_at(read, "unevaluatedProperties");
    }
    if (rules.members_min > 0 || rules.members_max < kNoMaximum || !rules.required.empty() ||
        !rules.properties.empty() || !rules.patterns.empty() || rules.additional != nullptr ||
        rules.names != nullptr || !rules.dependencies.empty() || rules.unevaluated != nullptr) {
      made(node.objects) = std::move(rules);
    }
  }

  void members(const KeywordReader& read, ObjectRules& rules) {
    if (const Json::object_t* const properties = read.object("properties")) {
      const Location& here = read.at("properties");
      for (const auto& [name, schema] : *properties) {
        rules.properties.push_back(
            {name, nodes_.child(read.node(), schema, read.step(here, name))});
      }
    }
    if (const Json::object_t* const patterns = read.object("patternProperties")) {
      const Location& here = read.at("patternProperties");
      for (const auto& [text, schema] : *patterns) {
        const Location& location = read.step(here, text);
        const Pattern* const compiled = patterns_.pattern(location, text);
        rules.patterns.push_back({compiled, nodes_.child(read.node(), schema, location)});
      }
    }
  }

  void dependencies(const KeywordReader& read, std::string_view keyword, ObjectRules& rules) {
    const Json::object_t* const map = read.object(keyword);
    if (map == nullptr) return;
    const Location& here = read.at(keyword);
    for (const auto& [name, value] : *map) {
      ObjectRules::Dependency dependency;
      dependency.keyword = keyword;
      dependency.name = name;
      const bool names = value.is_array() && keyword != "dependentSchemas";
      if (names || keyword == "dependentRequired") {
        dependency.required = read.names(keyword, value);
      } else {
        dependency.node = nodes_.child(read.node(), value, read.step(here, name));
      }
      rules.dependencies.push_back(std::move(dependency));
    }
  }

  void in_place(Node& node, const KeywordReader& read) {
    InPlace rules;
    rules.all = list_at(read, "allOf");
    rules.any = list_at(read, "anyOf");
    rules.one = list_at(read, "oneOf");
    rules.negated = schema_at(read, "not");
    rules.condition = schema_at(read, "if");
    if (rules.condition != nullptr) {
      rules.consequence = schema_at(read, "then");
      rules.alternative = schema_at(read, "else");
    }
    if (rules.all.empty() && rules.any.empty() && rules.one.empty() && rules.negated == nullptr &&
        rules.condition == nullptr) {
      return;
    }
    if (node.in_place != nullptr) rules.reference = node.in_place->reference;
    made(node.in_place) = std::move(rules);
  }

  Program& program_;
  FirstError error_;
  NodeTable nodes_;
  PatternTable patterns_;
  References references_;
};

}  // namespace

Result<std::unique_ptr<const Program>> compile_program(Json schema, const CompileOptions& options) {
  auto program = std::make_unique<Program>();
  program->source = std::move(schema);
  program->options = options;
  if (Status compiled = Compiler(*program).run(); !compiled.ok()) {
    return std::move(compiled).error();
  }
  return std::unique_ptr<const Program>(std::move(program));
}

}  // namespace plumbline::schema
