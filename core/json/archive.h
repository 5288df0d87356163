// The two ways between a struct and JSON that is kept: each field is named once, for both.
//
//   struct Fields {
//     static void fields(auto& archive, Some<Link> auto& part) { archive("id", part.id); }
//     static Kind last(Kind) { return Kind::kRare; }  // Of an enum: its last value.
//   };
//   Json kept = JsonWriter<Fields>::write(link);
//   Result<Link> link = JsonReader<Fields>::read<Link>(kept, "the kept link");
//
// Enums are consecutive from 0, and have a name_of().

#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/json/value.h"

namespace plumbline {

// Some is a Wanted to read into, or a const one to write.
template <typename Part, typename Wanted>
concept Some = std::same_as<std::remove_const_t<Part>, Wanted>;

// JsonWriter makes an object of a part. Enums go by their names; what is optional is an array of
// none or one, for a JSON null is something else than nothing.
template <typename Fields>
class JsonWriter {
 public:
  template <typename Part>
  static Json write(const Part& part) {
    JsonWriter writer;
    Fields::fields(writer, part);
    return std::move(writer.out_);
  }

  template <typename Value>
  void operator()(const char* key, const Value& value) {
    out_[key] = json_of(value);
  }

 private:
  template <typename Value>
  static Json json_of(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      return Json(name_of(value));
    } else if constexpr (std::is_arithmetic_v<Value> || std::same_as<Value, std::string> ||
                         std::same_as<Value, Json>) {
      return Json(value);
    } else {
      return write(value);
    }
  }
  template <typename Item>
  static Json json_of(const std::vector<Item>& items) {
    Json out = Json::array();
    for (const Item& item : items) out.push_back(json_of(item));
    return out;
  }
  template <typename Value>
  static Json json_of(const std::optional<Value>& value) {
    Json out = Json::array();
    if (value) out.push_back(json_of(*value));
    return out;
  }

  Json out_ = Json::object();
};

// JsonReader fills a part from what a JsonWriter made.
template <typename Fields>
class JsonReader {
 public:
  // read returns the part. kInvalidInput, the first field that does not fit: "WHAT has no good
  // "NAME"".
  template <typename Part>
  static Result<Part> read(const Json& saved, std::string_view what) {
    Part part;
    std::string wrong;
    JsonReader reader(saved, wrong);
    Fields::fields(reader, part);
    if (wrong.empty()) return part;
    return Error{ErrorCode::kInvalidInput, std::string(what) + " has no good \"" + wrong + '"'};
  }

  template <typename Value>
  void operator()(const char* key, Value& value) {
    const Json* const json = find(in_, key);
    if ((json == nullptr || !take(*json, value)) && wrong_.empty()) wrong_ = key;
  }

 private:
  JsonReader(const Json& in, std::string& wrong) : in_(in), wrong_(wrong) {}

  bool take(const Json& json, Json& value) {
    value = json;
    return true;
  }
  bool take(const Json& json, std::string& value) {
    const auto* const text = json.get_ptr<const std::string*>();
    if (text != nullptr) value = *text;
    return text != nullptr;
  }
  bool take(const Json& json, bool& value) {
    const auto* const truth = json.get_ptr<const bool*>();
    if (truth != nullptr) value = *truth;
    return truth != nullptr;
  }
  bool take(const Json& json, double& value) {
    if (json.is_number()) value = json.get<double>();
    return json.is_number();
  }
  template <std::integral Number>
  bool take(const Json& json, Number& value) {
    const std::optional<std::int64_t> number = as_int(json);
    if (number) value = static_cast<Number>(*number);
    return number && std::in_range<Number>(*number);
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  bool take(const Json& json, Enum& value) {
    for (int i = 0; i <= static_cast<int>(Fields::last(Enum())); ++i) {
      value = static_cast<Enum>(i);
      if (json == name_of(value)) return true;
    }
    return false;
  }
  template <typename Item>
  bool take(const Json& json, std::vector<Item>& items) {
    if (!json.is_array()) return false;
    items.clear();
    for (const Json& item : json) {
      if (!take(item, items.emplace_back())) return false;
    }
    return true;
  }
  template <typename Value>
  bool take(const Json& json, std::optional<Value>& value) {
    if (!json.is_array() || json.size() > 1) return false;
    value.reset();
    return json.empty() || take(json.front(), value.emplace());
  }
  template <typename Part>
  requires std::is_class_v<Part>
  bool take(const Json& json, Part& part) {
    JsonReader reader(json, wrong_);
    Fields::fields(reader, part);
    return wrong_.empty();
  }

  const Json& in_;
  std::string& wrong_;
};

}  // namespace plumbline
