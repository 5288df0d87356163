#include "core/schema/sample_value.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace plumbline::schema {

namespace {

// A schema may refer to itself: below this many references and properties, samples are null.
constexpr int kSampleDepthMax = 16;

class Sampler {
 public:
  explicit Sampler(const Json& root) : root_(root) {}

  Json value(const Json& schema) {
    if (depth_ >= kSampleDepthMax) return nullptr;
    ++depth_;
    Json made = choose(schema);
    --depth_;
    return made;
  }

  // members fills the properties that are required or have a default.
  Json members(const Json& schema) {
    Json object(Json::value_t::object);
    const Json* const properties = find(schema, "properties");
    const Json* const required = find(schema, "required");
    const auto is_required = [required](const std::string& name) {
      return required != nullptr && required->is_array() &&
             std::find(required->begin(), required->end(), Json(name)) != required->end();
    };
    if (properties != nullptr && properties->is_object()) {
      for (const auto& [name, property] : properties->items()) {
        const Json& target = resolve(property);
        if (is_required(name) || find(target, "default")) object[name] = value(target);
      }
    }
    return object;
  }

 private:
  const Json& resolve(const Json& schema) const {
    const Json* at = &schema;
    for (int hops = 0; hops < kSampleDepthMax; ++hops) {
      const auto reference = find_string(*at, "$ref");
      if (!reference || !reference->starts_with('#')) break;
      const Json* const target = at_pointer(root_, std::string_view(*reference).substr(1));
      if (target == nullptr) break;
      at = target;
    }
    return *at;
  }

  // listed returns the first item of an array member, nullptr when there is none.
  static const Json* listed(const Json& schema, std::string_view key) {
    const Json* const list = find(schema, key);
    return list != nullptr && list->is_array() && !list->empty() ? &list->front() : nullptr;
  }

  Json choose(const Json& unresolved) {
    const Json& schema = resolve(unresolved);
    if (const Json* const given = find(schema, "default")) return *given;
    if (const Json* const given = find(schema, "const")) return *given;
    if (const Json* const first = listed(schema, "enum")) return *first;
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
    for (std::int64_t i = 0; i < count; ++i) list.push_back(item ? value(*item) : Json(i));
    return list;
  }

  static Json text(const Json& schema) {
    const std::string format = string_or(schema, "format", "");
    if (format == "email") return "someone@example.com";
    if (format == "uri") return "https://example.com/";
    if (format == "date") return "2026-01-01";
    if (format == "date-time") return "2026-01-01T00:00:00Z";
    std::string made = "sample";
    const std::int64_t least = std::clamp<std::int64_t>(int_or(schema, "minLength", 0), 0, 10'000);
    const std::int64_t most = std::max<std::int64_t>(int_or(schema, "maxLength", 10'000), 0);
    while (static_cast<std::int64_t>(made.size()) < least) made += 'x';
    if (static_cast<std::int64_t>(made.size()) > most) made.resize(static_cast<std::size_t>(most));
    return made;
  }

  static Json number(const Json& schema) {
    if (const Json* const least = find(schema, "minimum")) return *least;
    const Json* const above = find(schema, "exclusiveMinimum");
    if (above != nullptr && above->is_number_integer()) return above->get<std::int64_t>() + 1;
    if (above != nullptr && above->is_number()) return above->get<double>() + 1;
    if (const Json* const most = find(schema, "maximum")) return *most;
    return 1;
  }

  const Json& root_;
  int depth_ = 0;
};

}  // namespace

Json sample_value(const Json& root, const Json& schema) { return Sampler(root).value(schema); }

Json sample_arguments(const Json& input_schema) {
  return Sampler(input_schema).members(input_schema);
}

Json accepted_defaults(const Json& requested_schema) { return sample_arguments(requested_schema); }

}  // namespace plumbline::schema
