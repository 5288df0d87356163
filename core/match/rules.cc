#include "core/match/rules.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <re2/re2.h>

#include "core/base/text.h"
#include "core/schema/schema.h"

namespace plumbline::match {

namespace {

constexpr std::size_t kReasonBytesMax = 160;  // Of what a library says.
constexpr std::size_t kPatternBytesMax = 4'096;
constexpr std::size_t kUnorderedMax = 500'000;  // Pairs of what is expected and what is there.

constexpr std::array<std::string_view, 7> kTypes = {"object",  "array",   "string", "number",
                                                    "integer", "boolean", "null"};

bool is_type(const Json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return as_int(value).has_value();
  if (type == "boolean") return value.is_boolean();
  return value.is_null();
}

std::string type_of(const Json& value) {
  for (const std::string_view type :
       {"object", "array", "string", "integer", "number", "boolean"}) {
    if (is_type(value, type)) return std::string(type);
  }
  return "null";
}

double number_of(const Json& value) {
  return value.is_number_float() ? *value.get_ptr<const double*>()
                                 : static_cast<double>(as_int(value).value_or(0));
}

RE2::Options quiet_options() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

std::string none(const Json&) { return {}; }
std::string truth(const Json& value) { return value == Json(true) ? "" : "expected true"; }
std::string number(const Json& value) { return value.is_number() ? "" : "expected a number"; }
std::string list(const Json& value) { return value.is_array() ? "" : "expected an array"; }

std::string pattern(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  if (text == nullptr) return "expected a pattern in a string";
  if (text->size() > kPatternBytesMax) return "expected a pattern of at most 4096 bytes";
  const RE2 re2(*text, quiet_options());
  return re2.ok() ? "" : "expected a pattern of RE2: " + clipped(re2.error(), kReasonBytesMax);
}

std::string type(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  const bool known = text != nullptr && std::ranges::find(kTypes, *text) != kTypes.end();
  if (known) return {};
  std::string all;
  for (const std::string_view one : kTypes) all += (all.empty() ? "" : ", ") + std::string(one);
  return "expected one of " + all;
}

std::string json_schema(const Json& value) {
  const Result<schema::Schema> compiled = schema::Schema::compile(value);
  return compiled.ok() ? "" : "expected a JSON Schema: " + compiled.error().message;
}

std::string length(const Json& value) {
  if (value.is_object() || as_int(value).value_or(-1) >= 0) return {};
  return "expected a whole number, or {\"$min\": N, \"$max\": N}";
}

std::string distance(const Json& value) {
  const bool two = value.is_array() && value.size() == 2 && value[0].is_number() &&
                   value[1].is_number() && number_of(value[1]) >= 0;
  return two ? "" : "expected [NUMBER, DISTANCE]";
}

void hold_equal(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  comparison.equal(value, got, at);
}

void hold_contains(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  const auto* const text = got.get_ptr<const std::string*>();
  const auto* const part = value.get_ptr<const std::string*>();
  if (text != nullptr && part != nullptr) {
    const Masks& masks = comparison.masks();
    if (masks.steady(*text).find(masks.steady(*part)) != std::string::npos) return;
  } else if (got.is_array()) {
    for (const Json& item : got) {
      if (comparison.fits(value, item, at.below("*"))) return;
    }
  }
  comparison.differ(at, "to contain " + shown(value), &got);
}

void hold_regex(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  const auto* const text = got.get_ptr<const std::string*>();
  const RE2 re2(*value.get_ptr<const std::string*>(), quiet_options());
  if (text != nullptr && re2.ok() && RE2::PartialMatch(*text, re2)) return;
  comparison.differ(at, "to match " + shown(value), &got);
}

void hold_type(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  const auto& wanted = *value.get_ptr<const std::string*>();
  if (is_type(got, wanted)) return;
  comparison.differ(at, "type " + wanted, type_of(got) + " " + shown(got));
}

void hold_schema(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  const Result<schema::Schema> compiled = schema::Schema::compile(value);
  if (!compiled.ok()) return comparison.differ(at, "a JSON Schema", compiled.error().message, true);
  const std::optional<schema::Violation> wrong = compiled.value().validate(got);
  if (!wrong) return;
  Place place = at;
  place.shown += wrong->instance_pointer;
  const Json* const there = at_pointer(got, wrong->instance_pointer);
  comparison.differ(place, "what the schema asks for: " + wrong->message,
                    there == nullptr ? std::string("nothing") : shown(*there), wrong->undecided);
}

void hold_length(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  const auto* const text = got.get_ptr<const std::string*>();
  if (text == nullptr && !got.is_structured()) {
    return comparison.differ(at, "something that has a length", &got);
  }
  std::size_t size = got.size();
  if (text != nullptr) {  // In characters, not in bytes.
    size = static_cast<std::size_t>(std::ranges::count_if(
        *text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
  }
  const Json number_there(size);
  if (value.is_object()) return comparison.walk(value, &number_there, at.below("$length"));
  if (as_int(value) == static_cast<std::int64_t>(size)) return;
  comparison.differ(at, "length " + shown(value), "length " + std::to_string(size));
}

void hold_min(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  if (got.is_number() && number_of(got) >= number_of(value)) return;
  comparison.differ(at, "at least " + shown(value), &got);
}

void hold_max(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  if (got.is_number() && number_of(got) <= number_of(value)) return;
  comparison.differ(at, "at most " + shown(value), &got);
}

void hold_near(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  const bool near =
      got.is_number() && std::abs(number_of(got) - number_of(value[0])) <= number_of(value[1]);
  if (near) return;
  comparison.differ(at, shown(value[0]) + " or at most " + shown(value[1]) + " away", &got);
}

// Pairing gives each of the wanted items one of its own: a maximum matching of the two sides.
class Pairing {
 public:
  explicit Pairing(std::vector<std::vector<bool>> fits, std::size_t there)
      : fits_(std::move(fits)), taken_(there, kNobody) {}

  // place returns whether `item` finds one, maybe after others have moved.
  bool place(std::size_t item) {
    std::vector<bool> seen(taken_.size());
    return find(item, seen);
  }
  bool is_taken(std::size_t there) const { return taken_[there] != kNobody; }

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  bool find(std::size_t item, std::vector<bool>& seen) {
    for (std::size_t there = 0; there < taken_.size(); ++there) {
      if (!fits_[item][there] || seen[there]) continue;
      seen[there] = true;
      if (taken_[there] != kNobody && !find(taken_[there], seen)) continue;
      taken_[there] = item;
      return true;
    }
    return false;
  }

  std::vector<std::vector<bool>> fits_;
  std::vector<std::size_t> taken_;
};

// nearest_of returns the item that differs least from `wanted`, as JSON; "nothing": none is free.
std::string nearest_of(const Json& wanted, const Json& got, const Pairing& pairing,
                       const Masks& masks) {
  std::string nearest = "nothing that fits";
  std::size_t least = kMismatchesMax + 1;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (pairing.is_taken(i)) continue;
    std::vector<Mismatch> found;
    Comparison(masks, found).walk(wanted, &got[i], {});
    if (found.size() >= least) continue;
    least = found.size();
    nearest = "nothing that fits, nearest is " + shown(got[i]);
  }
  return nearest;
}

void hold_unordered(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  if (!got.is_array()) return comparison.differ(at, "an array", &got);
  if (value.size() != got.size()) {
    comparison.differ(at, std::to_string(value.size()) + " items in any order",
                      std::to_string(got.size()) + ": " + shown(got));
    return;
  }
  if (value.size() * got.size() > kUnorderedMax) {
    return comparison.differ(at, "an array that is short enough to be compared in any order",
                             std::to_string(got.size()) + " items", true);
  }
  std::vector<std::vector<bool>> table(value.size(), std::vector<bool>(got.size()));
  for (std::size_t i = 0; i < value.size(); ++i) {
    for (std::size_t j = 0; j < got.size(); ++j) {
      table[i][j] = comparison.fits(value[i], got[j], at.below(std::to_string(j)));
    }
  }
  Pairing pairing(std::move(table), got.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (pairing.place(i)) continue;
    comparison.differ(at, "an item " + shown(value[i]),
                      nearest_of(value[i], got, pairing, comparison.masks()));
  }
}

void hold_each(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  if (!got.is_array()) return comparison.differ(at, "an array", &got);
  for (std::size_t i = 0; i < got.size(); ++i) {
    comparison.walk(value, &got[i], at.below(std::to_string(i)));
  }
}

void hold_some(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  if (!got.is_array()) return comparison.differ(at, "an array", &got);
  for (const Json& item : got) {
    if (comparison.fits(value, item, at.below("*"))) return;
  }
  comparison.differ(at, "an item " + shown(value), &got);
}

void hold_none(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  if (!got.is_array()) return comparison.differ(at, "an array", &got);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Place place = at.below(std::to_string(i));
    if (comparison.fits(value, got[i], place)) {
      comparison.differ(place, "no item " + shown(value), &got[i]);
    }
  }
}

void hold_json(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  const auto* const text = got.get_ptr<const std::string*>();
  const Result<Json> read = text == nullptr ? Result<Json>(Error{}) : parse_json(*text);
  if (!read.ok()) return comparison.differ(at, "a text that is JSON", &got);
  comparison.walk(value, &read.value(), at);
}

void hold_any(const Json&, const Json&, const Place&, Comparison&) {}

void hold_absent(const Json&, const Json& got, const Place& at, Comparison& comparison) {
  comparison.differ(at, "nothing", &got);
}

void hold_not(const Json& value, const Json& got, const Place& at, Comparison& comparison) {
  if (comparison.fits(value, got, at)) comparison.differ(at, "other than " + shown(value), &got);
}

constexpr auto kRules = std::to_array<Rule>({
    {"$equal", none, hold_equal, true},
    {"$literal", none, hold_equal, true},
    {"$contains", none, hold_contains, false},
    {"$regex", pattern, hold_regex, true},
    {"$type", type, hold_type, true},
    {"$schema", json_schema, hold_schema, true},
    {"$length", length, hold_length, false},
    {"$min", number, hold_min, true},
    {"$max", number, hold_max, true},
    {"$near", distance, hold_near, true},
    {"$unordered", list, hold_unordered, false},
    {"$each", none, hold_each, false},
    {"$some", none, hold_some, false},
    {"$none", none, hold_none, false},
    {"$json", none, hold_json, false},
    {"$any", truth, hold_any, true},
    {"$absent", truth, hold_absent, true},
    {"$not", none, hold_not, false},
});

}  // namespace

std::span<const Rule> all_rules() { return kRules; }

const Rule* rule_of(std::string_view name) {
  const auto found = std::ranges::find(kRules, name, &Rule::name);
  return found == kRules.end() ? nullptr : &*found;
}

}  // namespace plumbline::match
