#include "scenarios/format/format_properties.h"

#include <array>
#include <utility>

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

EventPattern read_pattern(const Json& json, const std::string& pointer,
                          std::optional<Problem>& problem) {
  const std::array<std::string_view, kEventKinds> names = event_names();
  EventPattern pattern;
  ObjectReader fields(json, pointer, "a pattern of events", problem);
  fields.require("event", "the kind of the event, as a trace spells it");
  if (const auto kind = fields.choice("event", names)) {
    pattern.kind = static_cast<EventKind>(*kind);
  }
  pattern.who = fields.string("who");
  if (const Json* const detail = fields.object("detail")) pattern.detail = *detail;
  fields.finish();
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

Property read_property(const Json& json, const std::string& pointer,
                       std::optional<Problem>& problem) {
  constexpr std::int64_t kAtMostMax = 1'000'000;
  Property property;
  ObjectReader fields(json, pointer, "an invariant", problem);
  fields.require("name", "a name for reports");
  property.name = fields.string("name").value_or("");
  check_name(fields, property.name);
  int verbs = 0;
  for (const PropertyKind kind : kKinds) {
    const std::string_view verb = name_of(kind);
    const Json* const what = fields.take(verb);
    if (what == nullptr) continue;
    ++verbs;
    property.kind = kind;
    if (kind == PropertyKind::kAlways) {
      property.output = *what;
    } else {
      property.what = read_pattern(*what, fields.pointer_to(verb), problem);
    }
  }
  if (verbs != 1) {
    add_problem(problem, pointer,
                "an invariant has " + std::to_string(verbs) +
                    " verbs, expected one of always, never, eventually, at_most, sometimes");
  }
  property.calm = fields.boolean("calm").value_or(false);
  if (property.kind == PropertyKind::kAtMost) {
    fields.require("times", "how often at most");
    property.times = fields.integer("times", 0, kAtMostMax).value_or(0);
  }
  if (property.kind == PropertyKind::kEventually) {
    if (const Json* const after = fields.take("after")) {
      property.after = read_pattern(*after, fields.pointer_to("after"), problem);
    }
  }
  fields.finish();
  return property;
}

}  // namespace

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
