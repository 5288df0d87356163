// Program is what a schema is compiled to: nodes with resolved references, read-only afterwards.
//
// A Node keeps pointers into the Json documents that the Program owns, and sorts its keywords by
// the type of value they speak about, so that a value pays only for those of its own type.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/schema/options.h"
#include "core/schema/resources.h"
#include "core/schema/text/format.h"
#include "core/schema/text/pattern.h"

namespace plumbline::schema {

struct Node;
using NodeList = std::vector<const Node*>;
inline constexpr std::size_t kNoMaximum = std::numeric_limits<std::size_t>::max();

// A set of JSON types. A whole number is both kInteger and kNumber.
using TypeSet = std::uint8_t;
inline constexpr TypeSet kNull = 1, kBoolean = 2, kObject = 4, kArray = 8, kNumber = 16;
inline constexpr TypeSet kString = 32, kInteger = 64, kAnyType = 255;

struct NumberRules {
  const Json* minimum = nullptr;
  const Json* maximum = nullptr;
  const Json* exclusive_minimum = nullptr;
  const Json* exclusive_maximum = nullptr;
  const Json* multiple_of = nullptr;
};

struct StringRules {
  std::size_t length_min = 0;
  std::size_t length_max = kNoMaximum;
  const Pattern* pattern = nullptr;
  const Format* format = nullptr;  // Null: an annotation.
};

struct ArrayRules {
  std::size_t items_min = 0;
  std::size_t items_max = kNoMaximum;
  bool unique = false;
  NodeList prefix;
  const Node* rest = nullptr;
  const Node* contains = nullptr;
  std::size_t contains_min = 1;
  std::size_t contains_max = kNoMaximum;
  const Node* unevaluated = nullptr;
};

struct ObjectRules {
  struct Property {
    std::string_view name;
    const Node* node;
  };
  struct PatternProperty {
    const Pattern* pattern;
    const Node* node;
  };
  struct Dependency {
    std::string_view keyword;
    std::string_view name;
    std::vector<std::string_view> required;
    const Node* node = nullptr;
  };

  std::size_t members_min = 0;
  std::size_t members_max = kNoMaximum;
  std::vector<std::string_view> required;
  std::vector<Property> properties;  // Sorted by name, as members are.
  std::vector<PatternProperty> patterns;
  const Node* additional = nullptr;
  const Node* names = nullptr;
  std::vector<Dependency> dependencies;
  const Node* unevaluated = nullptr;
};

// DynamicTargets are the places that a "$dynamicRef" may mean, one for each resource that has the
// anchor. The outermost resource of the evaluation decides.
struct DynamicTargets {
  std::vector<std::pair<const Resource*, const Node*>> nodes;
};

// InPlace are the subschemas that judge the same value as the node itself.
struct InPlace {
  const Node* reference = nullptr;
  const Node* dynamic_fallback = nullptr;
  const DynamicTargets* dynamic = nullptr;  // Null: the fallback is the target.
  NodeList all, any, one;
  const Node* negated = nullptr;
  const Node* condition = nullptr;
  const Node* consequence = nullptr;
  const Node* alternative = nullptr;
};

struct Node {
  const Json* source = nullptr;
  const Resource* resource = nullptr;
  const Location* location = nullptr;
  bool refuses = false;  // The schema `false`.
  TypeSet types = kAnyType;
  const Json* constant = nullptr;
  bool has_enumeration = false;
  std::vector<const Json*> enumeration;  // Sorted by JsonOrder.
  std::unique_ptr<NumberRules> numbers;
  std::unique_ptr<StringRules> strings;
  std::unique_ptr<ArrayRules> arrays;
  std::unique_ptr<ObjectRules> objects;
  std::unique_ptr<InPlace> in_place;
};

struct Program {
  Json source;
  CompileOptions options;
  Resources resources;
  std::deque<Node> nodes;
  std::list<Pattern> patterns;
  std::list<std::pair<std::string, DynamicTargets>> dynamic;
  const Node* root = nullptr;
};

}  // namespace plumbline::schema
