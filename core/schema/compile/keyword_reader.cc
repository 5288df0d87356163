#include "core/schema/compile/keyword_reader.h"

#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/schema/text/number.h"

namespace plumbline::schema {

namespace {

constexpr std::pair<std::string_view, TypeSet> kTypeNames[] = {
    {"array", kArray},   {"boolean", kBoolean}, {"integer", kInteger}, {"null", kNull},
    {"number", kNumber}, {"object", kObject},   {"string", kString},
};

}  // namespace

const Json* KeywordReader::number(std::string_view keyword) const {
  const Json* const value = any(keyword);
  if (value != nullptr && !value->is_number()) fail(keyword, "expected a number");
  return value;
}

std::size_t KeywordReader::count(std::string_view keyword, std::size_t fallback) const {
  const Json* const value = any(keyword);
  if (value == nullptr) return fallback;
  if (!value->is_number() || !is_whole(*value) || compare_numbers(*value, Json(0)) < 0) {
    fail(keyword, "expected a whole number of at least 0");
    return fallback;
  }
  const std::optional<std::int64_t> count = as_int(*value);
  return count ? static_cast<std::size_t>(*count) : kNoMaximum;
}

bool KeywordReader::flag(std::string_view keyword) const {
  const Json* const value = any(keyword);
  if (value != nullptr && !value->is_boolean()) fail(keyword, "expected true or false");
  return bool_or(*node_.source, keyword, false);
}

const std::string* KeywordReader::text(std::string_view keyword) const {
  const Json* const value = any(keyword);
  if (value != nullptr && !value->is_string()) fail(keyword, "expected a string");
  return value == nullptr ? nullptr : value->get_ptr<const std::string*>();
}

const Json::object_t* KeywordReader::object(std::string_view keyword) const {
  const Json* const value = any(keyword);
  if (value != nullptr && !value->is_object()) fail(keyword, "expected an object");
  return value == nullptr ? nullptr : value->get_ptr<const Json::object_t*>();
}

const Json* KeywordReader::array(std::string_view keyword, std::string_view expected) const {
  const Json* const value = any(keyword);
  if (value == nullptr || value->is_array()) return value;
  fail(keyword, "expected " + std::string(expected));
  return nullptr;
}

std::vector<std::string_view> KeywordReader::names(std::string_view keyword,
                                                   const Json& value) const {
  std::vector<std::string_view> names;
  if (!value.is_array()) fail(keyword, "expected an array of strings");
  for (const Json& name : value) {
    const auto* const text = name.get_ptr<const std::string*>();
    if (text == nullptr) {
      fail(keyword, "expected an array of strings");
      break;
    }
    names.emplace_back(*text);
  }
  return names;
}

TypeSet KeywordReader::types() const {
  const Json* const type = any("type");
  return type == nullptr ? kAnyType : types_in(*type);
}

TypeSet KeywordReader::types_in(const Json& type) const {
  TypeSet types = 0;
  if (type.is_array()) {
    for (const Json& one : type) types |= one.is_string() ? types_in(one) : TypeSet{0};
    if (types == 0) fail("type", "expected a type or a list of types");
    return types;
  }
  const auto* const name = type.get_ptr<const std::string*>();
  for (const auto& [known, bit] : kTypeNames) {
    if (name != nullptr && *name == known) return bit;
  }
  fail("type", clipped(dump_json(type)) + " is no type");
  return types;
}

}  // namespace plumbline::schema
