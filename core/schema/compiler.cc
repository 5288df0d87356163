#include "core/schema/compiler.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/schema/cycles.h"
#include "core/schema/keywords.h"
#include "core/schema/text/number.h"

namespace plumbline::schema {

namespace {

constexpr std::pair<std::string_view, TypeSet> kTypeNames[] = {
    {"array", kArray},   {"boolean", kBoolean}, {"integer", kInteger}, {"null", kNull},
    {"number", kNumber}, {"object", kObject},   {"string", kString},
};

constexpr std::size_t kDynamicPairsMax = 1'000'000;  // Of anchors and resources, looked at.

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

// Compiler turns one schema after another into a Node, from a list of pending ones: neither deep
// nesting nor long chains of references use its stack. The first error ends the work.
class Compiler {
 public:
  explicit Compiler(Program& program) : program_(program) {}

  Status run() {
    Program& p = program_;
    Status added = p.resources.add(p.source, "", "", p.options.dialect, p.options.limits.depth_max);
    if (!added.ok()) return added;
    p.root = node_for(p.resources.all().front().root);
    drain();
    while (!error_ && add_dynamic_targets()) drain();
    if (error_) return *error_;
    return find_cycles(p.nodes);
  }

 private:
  void drain() {
    while (!pending_.empty() && !error_) {
      Node& node = *pending_.back();
      pending_.pop_back();
      compile(node);
    }
  }

  // fail keeps the first error. Its message begins with the place.
  void fail(ErrorCode code, const Location& location, const std::string& why) {
    const std::string pointer = error_ ? "" : pointer_to(location);
    if (!error_) error_ = Error{code, (pointer.empty() ? "/" : pointer) + ": " + why};
  }
  void fail(const Node& node, std::string_view keyword, const std::string& why) {
    fail(ErrorCode::kInvalidInput, step(*node.location, keyword), why);
  }

  const Location& step(const Location& outer, std::string_view name) {
    return program_.resources.locations().step(outer, name);
  }

  const Node* node_for(const Place& place) {
    const auto [slot, fresh] = nodes_.try_emplace(place.schema, nullptr);
    if (!fresh) return slot->second;
    if (program_.nodes.size() == program_.options.limits.nodes_max) {
      fail(ErrorCode::kLimitReached, *place.location,
           "the schema is too large: more than " +
               std::to_string(program_.options.limits.nodes_max) + " subschemas");
    }
    Node& node = program_.nodes.emplace_back();
    node.source = place.schema;
    node.resource = place.resource;
    node.location = place.location;
    slot->second = &node;
    pending_.push_back(&node);
    return &node;
  }

  // child returns the node of a schema below `node`.
  const Node* child(const Node& node, const Json& schema, const Location& location) {
    const Resource* const begun = program_.resources.begun_by(schema);
    return node_for(Place{&schema, begun != nullptr ? begun : node.resource, &location, {}});
  }

  // The readers below return nothing when the keyword is absent, and fail() when it is malformed.
  const Node* schema_at(const Node& node, std::string_view keyword) {
    const Json* const value = find(*node.source, keyword);
    return value == nullptr ? nullptr : child(node, *value, step(*node.location, keyword));
  }

  NodeList list_at(const Node& node, std::string_view keyword) {
    NodeList list;
    const Json* const value = find(*node.source, keyword);
    if (value == nullptr) return list;
    if (!value->is_array()) {
      fail(node, keyword, "expected an array of schemas");
      return list;
    }
    const Location& here = step(*node.location, keyword);
    for (std::size_t i = 0; i < value->size(); ++i) {
      list.push_back(child(node, (*value)[i], program_.resources.locations().item(here, i)));
    }
    return list;
  }

  const Json::object_t* map_at(const Node& node, std::string_view keyword) {
    const Json* const value = find(*node.source, keyword);
    if (value != nullptr && !value->is_object()) fail(node, keyword, "expected an object");
    return value == nullptr ? nullptr : value->get_ptr<const Json::object_t*>();
  }

  const Json* number_at(const Node& node, std::string_view keyword) {
    const Json* const value = find(*node.source, keyword);
    if (value != nullptr && !value->is_number()) fail(node, keyword, "expected a number");
    return value;
  }

  std::size_t count_at(const Node& node, std::string_view keyword, std::size_t fallback) {
    const Json* const value = find(*node.source, keyword);
    if (value == nullptr) return fallback;
    if (!value->is_number() || !is_whole(*value) || compare_numbers(*value, Json(0)) < 0) {
      fail(node, keyword, "expected a whole number of at least 0");
      return fallback;
    }
    const std::optional<std::int64_t> count = as_int(*value);
    return count ? static_cast<std::size_t>(*count) : kNoMaximum;
  }

  bool flag_at(const Node& node, std::string_view keyword) {
    const Json* const value = find(*node.source, keyword);
    if (value != nullptr && !value->is_boolean()) fail(node, keyword, "expected true or false");
    return bool_or(*node.source, keyword, false);
  }

  std::vector<std::string_view> names_in(const Node& node, std::string_view keyword,
                                         const Json& value) {
    std::vector<std::string_view> names;
    if (!value.is_array()) fail(node, keyword, "expected an array of strings");
    for (const Json& name : value) {
      const auto* const text = name.get_ptr<const Json::string_t*>();
      if (text == nullptr) {
        fail(node, keyword, "expected an array of strings");
        break;
      }
      names.emplace_back(*text);
    }
    return names;
  }

  // pattern compiles each text once, and all of them with as much memory as the limits have.
  const Pattern* pattern(const Location& location, std::string_view text) {
    const auto [slot, fresh] = patterns_.try_emplace(text, nullptr);
    if (!fresh || error_) return slot->second;
    const SchemaLimits& limits = program_.options.limits;
    Result<Pattern> compiled = Pattern::compile(text, limits.pattern_bytes_max,
                                                limits.patterns_memory_max - pattern_memory_);
    if (!compiled.ok()) {
      fail(compiled.error().code, location, compiled.error().message);
      return nullptr;
    }
    pattern_memory_ += compiled.value().memory();
    slot->second = &program_.patterns.emplace_back(std::move(compiled).value());
    return slot->second;
  }

  void compile(Node& node) {
    const Json& schema = *node.source;
    if (schema.is_boolean()) {
      node.refuses = schema == Json(false);
      return;
    }
    if (!schema.is_object()) {
      return fail(ErrorCode::kInvalidInput, *node.location,
                  "a schema is an object or a boolean, not " + std::string(type_name(schema)));
    }
    const bool draft7 = node.resource->dialect == Dialect::kDraft7;
    if (schema.contains("$ref")) {
      made(node.in_place).reference = reference(node, "$ref").first;
      if (draft7) return;
    }
    const RuleSet rules = rules_in(schema);
    if (rules & kValueRules) values(node);
    if (rules & kNumberRules) numbers(node);
    if (rules & kStringRules) strings(node);
    if (rules & kArrayRules) arrays(node, draft7);
    if (rules & kObjectRules) objects(node, draft7);
    if (rules & kInPlaceRules) in_place(node);
    if (!draft7) later_keywords(node);
  }

  void values(Node& node) {
    const Json& schema = *node.source;
    if (const Json* const type = find(schema, "type")) node.types = types_of(node, *type);
    node.constant = find(schema, "const");
    const Json* const enumeration = find(schema, "enum");
    if (enumeration == nullptr) return;
    if (!enumeration->is_array()) return fail(node, "enum", "expected an array");
    node.has_enumeration = true;
    for (const Json& value : *enumeration) node.enumeration.push_back(&value);
    std::sort(node.enumeration.begin(), node.enumeration.end(), [](const Json* a, const Json* b) {
      return JsonOrder(limits::kJsonDepthMax).compare(*a, *b) < 0;
    });
  }

  TypeSet types_of(const Node& node, const Json& type) {
    TypeSet types = 0;
    if (type.is_array()) {
      for (const Json& one : type) types |= one.is_string() ? types_of(node, one) : TypeSet{0};
      if (types == 0) fail(node, "type", "expected a type or a list of types");
      return types;
    }
    const auto* const name = type.get_ptr<const Json::string_t*>();
    for (const auto& [known, bit] : kTypeNames) {
      if (name != nullptr && *name == known) return bit;
    }
    fail(node, "type", clipped(dump_json(type)) + " is no type");
    return types;
  }

  void numbers(Node& node) {
    NumberRules rules;
    rules.minimum = number_at(node, "minimum");
    rules.maximum = number_at(node, "maximum");
    rules.exclusive_minimum = number_at(node, "exclusiveMinimum");
    rules.exclusive_maximum = number_at(node, "exclusiveMaximum");
    rules.multiple_of = number_at(node, "multipleOf");
    if (rules.multiple_of != nullptr && compare_numbers(*rules.multiple_of, Json(0)) <= 0) {
      fail(node, "multipleOf", "expected a number of more than 0");
    }
    if (rules.minimum != nullptr || rules.maximum != nullptr ||
        rules.exclusive_minimum != nullptr || rules.exclusive_maximum != nullptr ||
        rules.multiple_of != nullptr) {
      made(node.numbers) = rules;
    }
  }

  void strings(Node& node) {
    StringRules rules;
    rules.length_min = count_at(node, "minLength", 0);
    rules.length_max = count_at(node, "maxLength", kNoMaximum);
    if (const Json* const text = find(*node.source, "pattern")) {
      const auto* const string = text->get_ptr<const Json::string_t*>();
      if (string == nullptr) return fail(node, "pattern", "expected a string");
      rules.pattern = pattern(step(*node.location, "pattern"), *string);
    }
    if (program_.options.assert_format) {
      rules.format = find_format(string_or(*node.source, "format", ""));
    }
    if (rules.length_min > 0 || rules.length_max < kNoMaximum || rules.pattern != nullptr ||
        rules.format != nullptr) {
      made(node.strings) = rules;
    }
  }

  void arrays(Node& node, bool draft7) {
    const Json& schema = *node.source;
    ArrayRules rules;
    rules.items_min = count_at(node, "minItems", 0);
    rules.items_max = count_at(node, "maxItems", kNoMaximum);
    rules.unique = flag_at(node, "uniqueItems");
    const Json* const items = find(schema, "items");
    if (draft7 && items != nullptr && items->is_array()) {
      rules.prefix = list_at(node, "items");
      rules.rest = schema_at(node, "additionalItems");
    } else {
      rules.rest = schema_at(node, "items");
      if (!draft7) rules.prefix = list_at(node, "prefixItems");
    }
    rules.contains = schema_at(node, "contains");
    if (!draft7) {
      rules.contains_min = count_at(node, "minContains", 1);
      rules.contains_max = count_at(node, "maxContains", kNoMaximum);
      rules.unevaluated = schema_at(node, "unevaluatedItems");
    }
    if (rules.items_min > 0 || rules.items_max < kNoMaximum || rules.unique ||
        !rules.prefix.empty() || rules.rest != nullptr || rules.contains != nullptr ||
        rules.unevaluated != nullptr) {
      made(node.arrays) = std::move(rules);
    }
  }

  void objects(Node& node, bool draft7) {
    ObjectRules rules;
    rules.members_min = count_at(node, "minProperties", 0);
    rules.members_max = count_at(node, "maxProperties", kNoMaximum);
    if (const Json* const names = find(*node.source, "required")) {
      rules.required = names_in(node, "required", *names);
    }
    members(node, rules);
    rules.additional = schema_at(node, "additionalProperties");
    rules.names = schema_at(node, "propertyNames");
    if (draft7) {
      dependencies(node, "dependencies", rules);
    } else {
      dependencies(node, "dependentRequired", rules);
      dependencies(node, "dependentSchemas", rules);
      rules.unevaluated = schema_at(node, "unevaluatedProperties");
    }
    if (rules.members_min > 0 || rules.members_max < kNoMaximum || !rules.required.empty() ||
        !rules.properties.empty() || !rules.patterns.empty() || rules.additional != nullptr ||
        rules.names != nullptr || !rules.dependencies.empty() || rules.unevaluated != nullptr) {
      made(node.objects) = std::move(rules);
    }
  }

  void members(const Node& node, ObjectRules& rules) {
    if (const Json::object_t* const properties = map_at(node, "properties")) {
      const Location& here = step(*node.location, "properties");
      for (const auto& [name, schema] : *properties) {
        rules.properties.push_back({name, child(node, schema, step(here, name))});
      }
    }
    if (const Json::object_t* const patterns = map_at(node, "patternProperties")) {
      const Location& here = step(*node.location, "patternProperties");
      for (const auto& [text, schema] : *patterns) {
        const Location& location = step(here, text);
        const Pattern* const compiled = pattern(location, text);
        rules.patterns.push_back({compiled, child(node, schema, location)});
      }
    }
  }

  void dependencies(const Node& node, std::string_view keyword, ObjectRules& rules) {
    const Json::object_t* const map = map_at(node, keyword);
    if (map == nullptr) return;
    const Location& here = step(*node.location, keyword);
    for (const auto& [name, value] : *map) {
      ObjectRules::Dependency dependency;
      dependency.keyword = keyword;
      dependency.name = name;
      const bool names = value.is_array() && keyword != "dependentSchemas";
      if (names || keyword == "dependentRequired") {
        dependency.required = names_in(node, keyword, value);
      } else {
        dependency.node = child(node, value, step(here, name));
      }
      rules.dependencies.push_back(std::move(dependency));
    }
  }

  void in_place(Node& node) {
    InPlace rules;
    rules.all = list_at(node, "allOf");
    rules.any = list_at(node, "anyOf");
    rules.one = list_at(node, "oneOf");
    rules.negated = schema_at(node, "not");
    rules.condition = schema_at(node, "if");
    if (rules.condition != nullptr) {
      rules.consequence = schema_at(node, "then");
      rules.alternative = schema_at(node, "else");
    }
    if (rules.all.empty() && rules.any.empty() && rules.one.empty() && rules.negated == nullptr &&
        rules.condition == nullptr) {
      return;
    }
    if (node.in_place != nullptr) rules.reference = node.in_place->reference;
    made(node.in_place) = std::move(rules);
  }

  // later_keywords reads what draft-07 does not have.
  void later_keywords(Node& node) {
    if (!node.source->contains("$dynamicRef")) return;
    const auto [target, anchor] = reference(node, "$dynamicRef");
    InPlace& rules = made(node.in_place);
    rules.dynamic_fallback = target;
    if (!anchor.empty()) rules.dynamic = &dynamic_targets(anchor);
  }

  // reference returns the target of a reference and the dynamic anchor that it was named by.
  std::pair<const Node*, std::string> reference(const Node& node, std::string_view keyword) {
    const std::optional<std::string> text = find_string(*node.source, keyword);
    if (!text) {
      fail(node, keyword, "expected a string");
      return {nullptr, {}};
    }
    Result<Place> target = program_.resources.resolve(*node.resource, *text);
    if (!target.ok()) {
      fail(target.error().code, step(*node.location, keyword), target.error().message);
      return {nullptr, {}};
    }
    return {node_for(target.value()), target.value().dynamic_anchor};
  }

  DynamicTargets& dynamic_targets(const std::string& anchor) {
    for (auto& [name, targets] : program_.dynamic) {
      if (name == anchor) return targets;
    }
    return program_.dynamic.emplace_back(anchor, DynamicTargets{}).second;
  }

  // add_dynamic_targets makes a node of every place that a "$dynamicRef" may mean. Returns whether
  // there were new ones: they may hold further references.
  bool add_dynamic_targets() {
    bool added = false;
    const std::size_t resources = program_.resources.all().size();
    dynamic_pairs_ += program_.dynamic.size() * resources;
    if (dynamic_pairs_ > kDynamicPairsMax) {
      fail(ErrorCode::kLimitReached, *program_.root->location,
           "the schema is too large: too many places that a \"$dynamicRef\" may mean");
      return false;
    }
    for (auto& [name, targets] : program_.dynamic) {
      for (const Resource& resource : program_.resources.all()) {
        const auto anchor = resource.anchors.find(name);
        if (anchor == resource.anchors.end() || anchor->second.dynamic_anchor.empty()) continue;
        const bool known =
            std::any_of(targets.nodes.begin(), targets.nodes.end(),
                        [&resource](const auto& target) { return target.first == &resource; });
        if (known) continue;
        targets.nodes.emplace_back(&resource, node_for(anchor->second));
        added = true;
      }
    }
    return added;
  }

  Program& program_;
  std::map<const Json*, Node*> nodes_;  // Looked up, never iterated.
  std::map<std::string_view, const Pattern*> patterns_;
  std::size_t pattern_memory_ = 0;
  std::size_t dynamic_pairs_ = 0;
  std::vector<Node*> pending_;
  std::optional<Error> error_;
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
