#include "core/json/value.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace plumbline {

namespace {

void move_parts(Json::array_t& values, std::vector<Json>& parts) {
  for (Json& value : values) parts.push_back(std::move(value));
  values.clear();
}

void move_parts(Json::object_t& members, std::vector<Json>& parts) {
  for (auto& [name, value] : members) parts.push_back(std::move(value));
  members.clear();
}

void end_one_by_one(std::vector<Json> parts) {
  while (!parts.empty()) {
    Json part = std::move(parts.back());
    parts.pop_back();
    if (auto* const values = part.get_ptr<Json::array_t*>()) move_parts(*values, parts);
    if (auto* const members = part.get_ptr<Json::object_t*>()) move_parts(*members, parts);
  }
}

}  // namespace

void take_json_apart(Json::array_t& values) {
  std::vector<Json> parts;
  move_parts(values, parts);
  end_one_by_one(std::move(parts));
}

void take_json_apart(Json::object_t& members) {
  std::vector<Json> parts;
  move_parts(members, parts);
  end_one_by_one(std::move(parts));
}

const Json* find(const Json& object, std::string_view key) {
  const auto* const members = object.get_ptr<const Json::object_t*>();
  if (members == nullptr) return nullptr;
  // Of few members to compare every length is quicker than to compare the bytes of some keys.
  constexpr std::size_t kFew = 8;
  if (members->size() <= kFew) {
    for (const auto& [name, value] : *members) {
      if (name == key) return &value;
    }
    return nullptr;
  }
  const auto found = members->find(key);
  return found == members->end() ? nullptr : &found->second;
}

const Json* at_pointer(const Json& root, std::string_view pointer) {
  const Json* here = &root;
  while (!pointer.empty()) {
    if (pointer.front() != '/') return nullptr;
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string token;
    for (std::size_t i = 0; i < end; ++i) {
      if (pointer[i] != '~') {
        token += pointer[i];
      } else {
        if (i + 1 == end || (pointer[i + 1] != '0' && pointer[i + 1] != '1')) return nullptr;
        token += pointer[++i] == '0' ? '~' : '/';
      }
    }
    pointer.remove_prefix(end);
    if (const auto* const items = here->get_ptr<const Json::array_t*>()) {
      const bool digits = !token.empty() && token.size() < 10 &&
                          token.find_first_not_of("0123456789") == std::string::npos &&
                          (token == "0" || token[0] != '0');
      const std::size_t index = digits ? std::stoul(token) : items->size();
      if (index >= items->size()) return nullptr;
      here = &(*items)[index];
    } else {
      here = find(*here, token);
      if (here == nullptr) return nullptr;
    }
  }
  return here;
}

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string string_or(const Json& object, std::string_view key, std::string_view fallback) {
  const Json* const member = find(object, key);
  const auto* const text = member ? member->get_ptr<const std::string*>() : nullptr;
  return text ? *text : std::string(fallback);
}

std::int64_t int_or(const Json& object, std::string_view key, std::int64_t fallback) {
  return find_int(object, key).value_or(fallback);
}

bool bool_or(const Json& object, std::string_view key, bool fallback) {
  const Json* const member = find(object, key);
  const auto* const flag = member ? member->get_ptr<const bool*>() : nullptr;
  return flag ? *flag : fallback;
}

std::optional<std::string> find_string(const Json& object, std::string_view key) {
  const Json* const member = find(object, key);
  const auto* const text = member ? member->get_ptr<const std::string*>() : nullptr;
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<std::int64_t> find_int(const Json& object, std::string_view key) {
  const Json* const member = find(object, key);
  return member ? as_int(*member) : std::nullopt;
}

std::optional<std::int64_t> as_int(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = *value.get_ptr<const Json::number_unsigned_t*>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return *value.get_ptr<const Json::number_integer_t*>();
  if (value.is_number_float()) {
    const double number = *value.get_ptr<const double*>();
    if (!(number >= -9.2e18 && number <= 9.2e18)) return std::nullopt;
    const auto whole = static_cast<std::int64_t>(number);
    if (static_cast<double>(whole) == number) return whole;
  }
  return std::nullopt;
}

std::string_view type_name(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "an array";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return "a boolean";
    default:
      return "a number";
  }
}

}  // namespace plumbline
