#include "core/schema/sample_value.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/schema/text/pattern_sample.h"
#include "core/schema/text_example.h"

namespace plumbline::schema {

namespace {

// Some libraries write the least number that a language has where there is no other.
constexpr std::int64_t kNoBound = -1'000'000'000;

// A schema may refer to itself: below this many references and properties, samples are null.
constexpr int kSampleDepthMax = 16;

constexpr std::size_t kReadsOfPattern = 100;    // What it takes to compile and to match it.
constexpr std::uint64_t kBytesOfStep = 64;      // That are read in one.
constexpr std::uint64_t kValueBytesMost = 128;  // Of a member without its name, or an item.

class Sampler {
 public:
  explicit Sampler(const Json& root) : root_(root) {}

  // value spends one value; when there is none left, it is null.
  Json value(const Json& schema) {
    if (!spend(1, 0) || depth_ >= kSampleDepthMax) return nullptr;
    ++depth_;
    Json made = choose(schema);
    --depth_;
    return made;
  }

  // members fills the properties that are required or have a default.
  Json members(const Json& schema) {
    Json object(Json::value_t::object);
    const Json* const properties = find(schema, "properties");
    if (properties == nullptr || !properties->is_object()) return object;
    const std::set<std::string_view> required = required_of(schema);
    for (const auto& [name, property] : *properties->get_ptr<const Json::object_t*>()) {
      if (!spend(1, 0)) break;
      const Json& target = resolve(property);
      if (required.count(name) == 0 && !find(target, "default")) continue;
      if (!spend(0, name.size())) break;
      name_ = name;
      object[name] = value(target);
    }
    return object;
  }

  // charge pays for everything that was made; false: `budget` has not as much.
  bool charge(Budget& budget) const {
    const std::uint64_t values = kSampleValuesMax - values_left_;
    const std::uint64_t bytes = kSampleBytesMax - bytes_left_;
    const bool steps = budget.spend(plumbline::Resource::kSteps, values + bytes / kBytesOfStep);
    return steps &&
           budget.spend(plumbline::Resource::kValueBytes, values * kValueBytesMost + bytes);
  }

 private:
  // spend returns whether there is enough left: what makes a sample, and what is read for it.
  bool spend(std::size_t values, std::size_t bytes) {
    spent_ = spent_ || values > values_left_ || bytes > bytes_left_;
    if (spent_) return false;
    values_left_ -= values;
    bytes_left_ -= bytes;
    return true;
  }

  std::set<std::string_view> required_of(const Json& schema) {
    std::set<std::string_view> names;
    const Json* const required = find(schema, "required");
    if (required == nullptr || !required->is_array()) return names;
    for (const Json& name : *required) {
      const auto* const text = name.get_ptr<const Json::string_t*>();
      if (!spend(1, 0)) break;
      if (text != nullptr) names.insert(*text);
    }
    return names;
  }

  const Json& resolve(const Json& schema) {
    const Json* at = &schema;
    for (int hops = 0; hops < kSampleDepthMax; ++hops) {
      const Json* const reference = find(*at, "$ref");
      const auto* const text = reference ? reference->get_ptr<const Json::string_t*>() : nullptr;
      if (text == nullptr || !text->starts_with('#') || !spend(0, text->size())) break;
      const Json* const target = at_pointer(root_, std::string_view(*text).substr(1));
      if (target == nullptr) break;
      at = target;
    }
    return *at;
  }

  // given returns a value that stands in the schema, null when it is more than is left.
  Json given(const Json& stated) { return afford(stated) ? stated : Json(); }

  bool afford(const Json& stated) {
    const auto* const text = stated.get_ptr<const Json::string_t*>();
    if (!spend(1, text == nullptr ? 0 : text->size())) return false;
    if (const auto* const members = stated.get_ptr<const Json::object_t*>()) {
      return std::ranges::all_of(*members, [this](const auto& member) {
        return spend(0, member.first.size()) && afford(member.second);
      });
    }
    return !stated.is_array() ||
           std::ranges::all_of(stated, [this](const Json& item) { return afford(item); });
  }

  // listed returns the first item of an array member, nullptr when there is none.
  static const Json* listed(const Json& schema, std::string_view key) {
    const Json* const list = find(schema, key);
    return list != nullptr && list->is_array() && !list->empty() ? &list->front() : nullptr;
  }

  Json choose(const Json& unresolved) {
    const Json& schema = resolve(unresolved);
    if (const Json* const usual = find(schema, "default")) return given(*usual);
    if (const Json* const only = find(schema, "const")) return given(*only);
    if (const Json* const first = listed(schema, "enum")) return given(*first);
    if (const Json* const first = listed(schema, "examples")) return given(*first);
    for (const char* const choices : {"oneOf", "anyOf"}) {
      const Json* const first = listed(schema, choices);
      if (first != nullptr && !find(schema, "properties")) return value(*first);
    }
    return of_type(schema);
  }

  Json of_type(const Json& schema) {
    std::string type = string_or(schema, "type", "");
    if (const Json* const first = listed(schema, "type")) {
      type = first->is_string() ? first->get_ref<const std::string&>() : "";
    }
    if (type == "object" || find(schema, "properties")) return members(schema);
    if (type == "array") return items(schema);
    if (type == "string") return text(schema);
    if (type == "integer" || type == "number") return number(schema);
    if (type == "boolean") return false;
    if (type.empty()) return "sample";
    return nullptr;
  }

  Json items(const Json& schema) {
    Json list = Json::array();
    const Json* const item = find(schema, "items");
    const std::int64_t count = std::clamp<std::int64_t>(int_or(schema, "minItems", 0), 0, 100);
    for (std::int64_t i = 0; i < count && !spent_; ++i) {
      list.push_back(item ? value(*item) : Json(i));
    }
    return list;
  }

  Json text(const Json& schema) {
    const std::string format = string_or(schema, "format", "");
    if (format == "email") return "someone@example.com";
    if (format == "uri") return "https://example.com/";
    if (format == "date") return "2026-01-01";
    if (format == "date-time") return "2026-01-01T00:00:00Z";
    const std::int64_t least = std::clamp<std::int64_t>(int_or(schema, "minLength", 0), 0, 10'000);
    const std::int64_t most = std::max<std::int64_t>(int_or(schema, "maxLength", 10'000), 0);
    std::string made = "sample";
    const auto example = text_example(name_, string_or(schema, "description", ""));
    if (example && fits(*example, least, most)) made = *example;
    if (const auto pattern = find_string(schema, "pattern")) {
      const std::size_t read = std::min(pattern->size(), kSampledPatternBytesMax);
      if (!spend(0, read * kReadsOfPattern)) return nullptr;
      if (!matches_pattern(*pattern, made)) made = "sample";
      if (!matches_pattern(*pattern, made)) made = text_of_pattern(*pattern).value_or(made);
    }
    made.resize(std::max(made.size(), static_cast<std::size_t>(least)), 'x');
    made.resize(std::min(made.size(), static_cast<std::size_t>(most)));
    return spend(0, made.size()) ? Json(std::move(made)) : Json();
  }

  static bool fits(std::string_view text, std::int64_t least, std::int64_t most) {
    const auto size = static_cast<std::int64_t>(text.size());
    return size >= least && size <= most;
  }

  static Json number(const Json& schema) {
    const Json* const least = find(schema, "minimum");
    const bool bounded = least == nullptr || !least->is_number() || *least > Json(kNoBound);
    if (least != nullptr && bounded) return *least;
    const Json* const above = find(schema, "exclusiveMinimum");
    if (above != nullptr && above->is_number()) return next_above(*above);
    const Json* const most = find(schema, "maximum");
    if (most != nullptr && (least == nullptr || *most < Json(1))) return *most;
    return 1;
  }

  // next_above returns `least` and one more: a fraction where no whole number holds that.
  static Json next_above(const Json& least) {
    const std::optional<std::int64_t> whole = as_int(least);
    if (whole && *whole < std::numeric_limits<std::int64_t>::max()) return *whole + 1;
    return least.get<double>() + 1;
  }

  const Json& root_;
  std::string_view name_;  // Of the property that is made.
  int depth_ = 0;
  std::size_t values_left_ = kSampleValuesMax;
  std::size_t bytes_left_ = kSampleBytesMax;
  bool spent_ = false;
};

}  // namespace

Json sample_value(const Json& root, const Json& schema, Budget* budget) {
  Sampler sampler(root);
  Json made = sampler.value(schema);
  return budget == nullptr || sampler.charge(*budget) ? made : Json();
}

Json sample_arguments(const Json& input_schema, Budget* budget) {
  Sampler sampler(input_schema);
  Json made = sampler.members(input_schema);
  return budget == nullptr || sampler.charge(*budget) ? made : Json::object();
}

Json accepted_defaults(const Json& requested_schema, Budget* budget) {
  return sample_arguments(requested_schema, budget);
}

}  // namespace plumbline::schema
