// The keywords of schemas that are rules or hold schemas: a schema is read by what stands in it,
// not by asking for everything that might.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plumbline::schema {

// Holds says how a keyword holds schemas. What is no schema is passed over.
enum class Holds : std::uint8_t { kNone, kOne, kList, kOneOrList, kMap };

// RuleSet is a set of kinds of rules, those that are read together.
using RuleSet = std::uint8_t;
inline constexpr RuleSet kValueRules = 1;
inline constexpr RuleSet kNumberRules = 2;
inline constexpr RuleSet kStringRules = 4;
inline constexpr RuleSet kArrayRules = 8;
inline constexpr RuleSet kObjectRules = 16;
inline constexpr RuleSet kInPlaceRules = 32;

struct Keyword {
  std::string_view name;
  RuleSet rules = 0;
  Holds holds = Holds::kNone;

  constexpr bool may_hold_one() const { return holds == Holds::kOne || holds == Holds::kOneOrList; }
  constexpr bool may_hold_list() const {
    return holds == Holds::kList || holds == Holds::kOneOrList;
  }
};

// Of all dialects: one of only one of them does no harm in the other, references may still point
// into it.
inline constexpr auto kKeywords = std::to_array<Keyword>({
    {"$defs", 0, Holds::kMap},
    {"additionalItems", kArrayRules, Holds::kOne},
    {"additionalProperties", kObjectRules, Holds::kOne},
    {"allOf", kInPlaceRules, Holds::kList},
    {"anyOf", kInPlaceRules, Holds::kList},
    {"const", kValueRules},
    {"contains", kArrayRules, Holds::kOne},
    {"contentSchema", 0, Holds::kOne},
    {"definitions", 0, Holds::kMap},
    {"dependencies", kObjectRules, Holds::kMap},
    {"dependentRequired", kObjectRules},
    {"dependentSchemas", kObjectRules, Holds::kMap},
    {"else", kInPlaceRules, Holds::kOne},
    {"enum", kValueRules},
    {"exclusiveMaximum", kNumberRules},
    {"exclusiveMinimum", kNumberRules},
    {"format", kStringRules},
    {"if", kInPlaceRules, Holds::kOne},
    {"items", kArrayRules, Holds::kOneOrList},
    {"maxContains", kArrayRules},
    {"maxItems", kArrayRules},
    {"maxLength", kStringRules},
    {"maxProperties", kObjectRules},
    {"maximum", kNumberRules},
    {"minContains", kArrayRules},
    {"minItems", kArrayRules},
    {"minLength", kStringRules},
    {"minProperties", kObjectRules},
    {"minimum", kNumberRules},
    {"multipleOf", kNumberRules},
    {"not", kInPlaceRules, Holds::kOne},
    {"oneOf", kInPlaceRules, Holds::kList},
    {"pattern", kStringRules},
    {"patternProperties", kObjectRules, Holds::kMap},
    {"prefixItems", kArrayRules, Holds::kList},
    {"properties", kObjectRules, Holds::kMap},
    {"propertyNames", kObjectRules, Holds::kOne},
    {"required", kObjectRules},
    {"then", kInPlaceRules, Holds::kOne},
    {"type", kValueRules},
    {"unevaluatedItems", kArrayRules, Holds::kOne},
    {"unevaluatedProperties", kObjectRules, Holds::kOne},
    {"uniqueItems", kArrayRules},
});

// keyword_of returns the keyword that a member of a schema is; null: none of these.
inline const Keyword* keyword_of(std::string_view name) {
  for (const Keyword& keyword : kKeywords) {  // Most differ in length.
    if (keyword.name == name) return &keyword;
  }
  return nullptr;
}

}  // namespace plumbline::schema
