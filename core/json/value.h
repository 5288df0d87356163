// Json is the value type of every message, file and report. This folder is the only place that
// includes nlohmann/json.
//
// Object keys are kept sorted. The functions here never throw; elsewhere, use find() and the
// *_or() readers below instead of at(), get<>() and operator[] on a const value, which do.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace plumbline {

// KeyOrder is the order of the bytes, as of std::less. The first byte tells most keys apart.
struct KeyOrder {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const {
    if (a.empty() || b.empty() || a.front() == b.front()) return a < b;
    return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
  }
};

template <typename Key, typename Value, typename Less, typename Allocator>
using KeyMap = std::map<Key, Value, KeyOrder, Allocator>;

using Json = nlohmann::basic_json<KeyMap>;

}  // namespace plumbline

// The library would move what a value holds to a list of its own before it destroys it, against
// values so deep that the stack overflows. Values that parse_json read are not: only what is deeper
// than they may be is taken apart so.
template <>
inline void plumbline::Json::json_value::destroy(plumbline::Json::value_t type);

namespace plumbline {

// json_ends is how many values this thread is destroying, each within the one before.
inline thread_local int json_ends = 0;
inline constexpr int kJsonEndsMax = 256;

// take_json_apart empties a list or an object, and ends all that is in it one after the other.
void take_json_apart(Json::array_t& values);
void take_json_apart(Json::object_t& members);

// end_json_part destroys what a value of the library holds, as it was allocated.
template <typename Part>
void end_json_part(Part* part) {
  std::destroy_at(part);
  std::allocator<Part>().deallocate(part, 1);
}

// end_json_parts does so with a list or with an object, and with all that is in it.
template <typename Parts>
void end_json_parts(Parts* parts) {
  if (json_ends >= kJsonEndsMax) take_json_apart(*parts);
  ++json_ends;
  end_json_part(parts);
  --json_ends;
}

}  // namespace plumbline

template <>
inline void plumbline::Json::json_value::destroy(plumbline::Json::value_t type) {
  if (type == value_t::object) plumbline::end_json_parts(object);
  if (type == value_t::array) plumbline::end_json_parts(array);
  if (type == value_t::string) plumbline::end_json_part(string);
  if (type == value_t::binary) plumbline::end_json_part(binary);
}

namespace plumbline {

// find returns the member `key` of an object, nullptr when `object` is none or has none. The
// pointer lives as long as the member.
const Json* find(const Json& object, std::string_view key);

// add_last gives an object the member `key`, which it must not have. It is made where it stands,
// and quickest where all other keys stand before it.
template <typename Value>
void add_last(Json& object, const char* key, Value&& value) {
  auto& members = object.get_ref<Json::object_t&>();
  members.emplace_hint(members.end(), key, std::forward<Value>(value));
}

// at_pointer returns the value at an RFC 6901 pointer, nullptr when there is none or the pointer
// is malformed.
const Json* at_pointer(const Json& root, std::string_view pointer);

// pointer_token escapes one step of a pointer: ~ as ~0, / as ~1.
std::string pointer_token(std::string_view key);

// The readers return the member as the type, or `fallback` when it is missing or another type.
std::string string_or(const Json& object, std::string_view key, std::string_view fallback);
std::int64_t int_or(const Json& object, std::string_view key, std::int64_t fallback);
bool bool_or(const Json& object, std::string_view key, bool fallback);

// find_string and find_int return nothing when the member is missing or another type.
std::optional<std::string> find_string(const Json& object, std::string_view key);
std::optional<std::int64_t> find_int(const Json& object, std::string_view key);

// as_int returns the whole number that `value` is: any JSON number without a fraction that fits
// 64 bits, 3.0 included.
std::optional<std::int64_t> as_int(const Json& value);

// type_name names the JSON type for people: "an object", "a string", "null" ...
std::string_view type_name(const Json& value);

}  // namespace plumbline
