#include "scenarios/format/format_properties.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/json/fields/fields.h"
#include "scenarios/judge/situations.h"

namespace plumbline::scenarios {

namespace {

using PropertyKind = Property::Kind;

constexpr std::array<PropertyKind, 5> kKinds = {PropertyKind::kAlways, PropertyKind::kNever,
                                                PropertyKind::kEventually, PropertyKind::kAtMost,
                                                PropertyKind::kSometimes};

constexpr std::size_t kEventKinds = static_cast<std::size_t>(EventKind::kNote) + 1;

std::array<std::string_view, kEventKinds> event_names() {
  std::array<std::string_view, kEventKinds> names;
  for (std::size_t i = 0; i < kEventKinds; ++i) names[i] = name_of(static_cast<EventKind>(i));
  return names;
}

void read_detail(ObjectReader& fields, EventPattern& pattern) {
  if (const Json* const detail = fields.object("detail")) pattern.detail = *detail;
}

const Fields<EventPattern>& pattern_fields() {
  static const std::array<std::string_view, kEventKinds> kNames = event_names();
  static const Fields<EventPattern> kFields(
      "a pattern of events", {
                                 field::choice("event", &EventPattern::kind, kNames)
                                     .must("the kind of the event, as a trace spells it"),
                                 field::words("who", &EventPattern::who),
                                 field::own<EventPattern>("detail", shape::object(), read_detail),
                             });
  return kFields;
}

EventPattern read_pattern(const Json& json, const std::string& pointer,
                          std::optional<Problem>& problem) {
  EventPattern pattern;
  pattern_fields().read(json, pointer, problem, pattern);
  return pattern;
}

// A name becomes part of a check id.
void check_name(ObjectReader& fields, const std::string& name) {
  const bool plain =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  if (!plain) {
    fields.refuse("name", "\"name\" is \"" + name + "\", expected small letters, digits and -");
  } else if (find_situation(name)) {
    fields.refuse("name", "\"" + name + "\" is the name of a situation, expected another");
  }
}

void read_verb(PropertyKind kind, ObjectReader& fields, Property& property) {
  const std::string_view verb = name_of(kind);
  const Json* const what = fields.take(verb);
  if (what == nullptr) return;
  property.kind = kind;
  if (kind == PropertyKind::kAlways) {
    property.output = *what;
  } else {
    property.what = read_pattern(*what, fields.pointer_to(verb), fields.problem());
  }
}

const Fields<Property>& property_fields() {
  static const Fields<Property> kFields = [] {
    Fields<Property>::Rows rows = {
        field::words("name", &Property::name)
            .of({{"type", "string"}, {"pattern", "^[a-z0-9-]+$"}})
            .must("a name for reports"),
        field::yes("calm", &Property::calm).says("judge this only if no trouble is drawn"),
    };
    for (const PropertyKind kind : kKinds) {
      const bool output = kind == PropertyKind::kAlways;
      rows.push_back(field::own<Property>(
          name_of(kind), output ? Json::object() : shape::ref("event_pattern"),
          [kind](ObjectReader& fields, Property& property) { read_verb(kind, fields, property); }));
      if (output) rows.back() = std::move(rows.back()).says("members that every output must have");
    }
    return Fields<Property>("an invariant", std::move(rows));
  }();
  return kFields;
}

// What stands beside a verb.
const Field<Property>& times_row() {
  constexpr std::int64_t kAtMostMax = 1'000'000;
  static const Field<Property> kRow =
      field::whole("times", &Property::times, 0, kAtMostMax).must("how often at most");
  return kRow;
}

const Field<Property>& after_row() {
  static const Field<Property> kRow =
      field::object("after", &Property::after, pattern_fields(), shape::ref("event_pattern"));
  return kRow;
}

Property read_property(const Json& json, const std::string& pointer,
                       std::optional<Problem>& problem) {
  Property property;
  ObjectReader fields(json, pointer, "an invariant", problem);
  property_fields().read(fields, property);
  check_name(fields, property.name);
  const auto verbs =
      std::ranges::count_if(kKinds, [&](PropertyKind kind) { return fields.has(name_of(kind)); });
  if (verbs != 1) {
    add_problem(problem, pointer,
                "an invariant has " + std::to_string(verbs) +
                    " verbs, expected one of always, never, eventually, at_most, sometimes");
  }
  if (property.kind == PropertyKind::kAtMost) {
    Fields<Property>("an invariant", {times_row()}).read(fields, property);
  }
  if (property.kind == PropertyKind::kEventually) {
    Fields<Property>("an invariant", {after_row()}).read(fields, property);
  }
  fields.finish();
  return property;
}

}  // namespace

Json pattern_shape() { return pattern_fields().shape(); }

Json properties_shape() {
  Json one = property_fields().and_those({"", {times_row(), after_row()}}).shape();
  one["required"] = Json::array({"name"});
  return shape::says(shape::list(std::move(one)), "what must hold in every weather");
}

std::vector<Property> read_properties(const Json& json, const std::string& pointer,
                                      std::optional<Problem>& problem) {
  std::vector<Property> properties;
  if (!json.is_array()) {
    add_problem(problem, pointer,
                "\"invariants\" is " + std::string(type_name(json)) + ", expected an array");
    return properties;
  }
  for (std::size_t i = 0; i < json.size(); ++i) {
    properties.push_back(read_property(json[i], pointer + '/' + std::to_string(i), problem));
  }
  return properties;
}

}  // namespace plumbline::scenarios
