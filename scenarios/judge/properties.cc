#include "scenarios/judge/properties.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/base/wildcard.h"

namespace plumbline::scenarios {

bool has_part(const Json& value, const Json& part) {
  if (part.is_null()) return true;
  const auto* const text = part.get_ptr<const std::string*>();
  if (text != nullptr) {
    const auto* const whole = value.get_ptr<const std::string*>();
    return whole != nullptr && fits(*text, *whole);
  }
  const auto* const members = part.get_ptr<const Json::object_t*>();
  if (members == nullptr) return value == part;
  return std::ranges::all_of(*members, [&](const auto& member) {
    const Json* const found = find(value, member.first);
    return found != nullptr && has_part(*found, member.second);
  });
}

namespace {

std::string described(const TraceEvent& event) {
  constexpr std::size_t kDetailBytesMax = 200;
  std::string detail = dump_json(event.detail);
  if (detail.size() > kDetailBytesMax)
    detail = std::string(beginning(detail, kDetailBytesMax)) + "...";
  return std::string(name_of(event.kind)) + " of " + std::string(event.who) + " at " +
         std::to_string(milliseconds_of(event.at.time_since_epoch())) + " ms: " + detail;
}

}  // namespace

bool EventPattern::fits(const TraceEvent& event) const {
  return event.kind == kind && (!who || plumbline::fits(*who, event.who)) &&
         has_part(event.detail, detail);
}

std::string_view name_of(Property::Kind kind) {
  switch (kind) {
    case Property::Kind::kAlways:
      return "always";
    case Property::Kind::kNever:
      return "never";
    case Property::Kind::kEventually:
      return "eventually";
    case Property::Kind::kAtMost:
      return "at_most";
    case Property::Kind::kSometimes:
      return "sometimes";
  }
  check(false, "unknown Property::Kind");
  return {};
}

namespace {

std::string there_was(const TraceEvent& event) {
  const std::string what = described(event);
  const bool vowel = std::string_view("aeiou").find(what.front()) != std::string_view::npos;
  return (vowel ? "there was an " : "there was a ") + what;
}

}  // namespace

PropertyWatch::PropertyWatch(std::span<const Property> properties, bool calm) {
  for (const Property& property : properties) {
    if (calm || !property.calm) watched_.push_back(Watched{&property});
  }
}

void PropertyWatch::on_event(const TraceEvent& event) {
  for (Watched& one : watched_) {
    const Property& property = *one.property;
    if (property.kind == Property::Kind::kAlways) continue;
    if (property.after && property.after->fits(event)) one.owed = true;
    if (property.what.fits(event)) meet(one, event);
  }
}

void PropertyWatch::meet(Watched& one, const TraceEvent& event) {
  const Property& property = *one.property;
  ++one.count;
  one.owed = false;
  if (property.kind == Property::Kind::kNever) fail(one, there_was(event));
  if (property.kind == Property::Kind::kAtMost && one.count > property.times) {
    fail(one, there_was(event) + ", number " + std::to_string(one.count) + ", expected at most " +
                  std::to_string(property.times));
  }
}

void PropertyWatch::check_output(const Json& final_output) {
  for (Watched& one : watched_) {
    const Property& property = *one.property;
    if (property.kind != Property::Kind::kAlways) continue;
    if (has_part(final_output, property.output)) continue;
    fail(one, "final_output is " + dump_json(final_output) + ", expected it to have " +
                  dump_json(property.output));
  }
}

void PropertyWatch::finish() {
  for (Watched& one : watched_) {
    const Property& property = *one.property;
    if (property.kind != Property::Kind::kEventually) continue;
    const bool missing = property.after ? one.owed : one.count == 0;
    if (missing) fail(one, "it never came, expected it before the end of the run");
  }
}

std::vector<std::string> PropertyWatch::seen() const {
  std::vector<std::string> names;
  for (const Watched& one : watched_) {
    if (one.property->kind == Property::Kind::kSometimes && one.count > 0) {
      names.push_back(one.property->name);
    }
  }
  return names;
}

void PropertyWatch::fail(Watched& one, std::string message) {
  if (std::exchange(one.failed, true)) return;
  failures_.push_back(RunFailure{"property." + one.property->name,
                                 std::string(name_of(one.property->kind)) + ": " + message});
}

}  // namespace plumbline::scenarios
