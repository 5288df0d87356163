#include "core/json/fields/shape.h"

#include <string>
#include <utility>

namespace plumbline::shape {

namespace {

Json of_type(std::string_view type) { return {{"type", type}}; }

Json needs_one(std::string_view first, std::string_view second) {
  Json out = Json::array();
  for (const std::string_view name : {first, second}) {
    out.push_back(with(Json::object(), "required", Json::array({name})));
  }
  return out;
}

}  // namespace

Json whole(std::int64_t min, std::int64_t max) {
  return {{"type", "integer"}, {"minimum", min}, {"maximum", max}};
}

Json number(std::int64_t above, std::int64_t max) {
  return {{"type", "number"}, {"exclusiveMinimum", above}, {"maximum", max}};
}

Json yes() { return of_type("boolean"); }
Json text() { return of_type("string"); }
Json words() { return with(text(), "minLength", 1); }
Json object() { return of_type("object"); }
Json list(Json items) { return with(of_type("array"), "items", std::move(items)); }
Json pair(Json items) { return with(with(list(std::move(items)), "minItems", 2), "maxItems", 2); }
Json by_name(Json values) { return with(object(), "additionalProperties", std::move(values)); }

Json one_of(std::span<const std::string_view> names) {
  Json out = Json::object();
  Json& all = out["enum"] = Json::array();
  for (const std::string_view name : names) all.push_back(name);
  return out;
}

Json only(Json value) { return with(Json::object(), "const", std::move(value)); }

Json either(Json first, Json second) {
  Json out = Json::object();
  out["oneOf"] = Json::array({std::move(first), std::move(second)});
  return out;
}

Json ref(std::string_view name) { return {{"$ref", "#/$defs/" + std::string(name)}}; }
Json milliseconds() { return ref("milliseconds"); }

Json duration_text() { return {{"type", "string"}, {"pattern", "^[0-9]+(ms|s|m|h)$"}}; }

Json any_milliseconds() {
  constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1'000;
  return either({{"type", "number"}, {"minimum", 0}, {"maximum", kDayMs}}, duration_text());
}

Json closed(Json members) {
  return with(with(object(), "additionalProperties", false), "properties", std::move(members));
}

Json one_of_two(std::string_view first, std::string_view second) {
  Json out = Json::object();
  out["oneOf"] = needs_one(first, second);
  return out;
}

Json any_of_two(std::string_view first, std::string_view second) {
  Json out = Json::object();
  out["anyOf"] = needs_one(first, second);
  return out;
}

Json with_members(Json shape, const Json& other) {
  const auto members = other.find("properties");
  if (members == other.end()) return shape;
  for (const auto& [key, member] : members->items()) shape["properties"].emplace(key, member);
  return shape;
}

Json says(Json shape, std::string_view words) {
  return with(std::move(shape), "description", words);
}

Json with(Json shape, std::string_view key, Json value) {
  shape[std::string(key)] = std::move(value);
  return shape;
}

}  // namespace plumbline::shape
