#include "fakes/peers/script_reader.h"

#include <algorithm>
#include <utility>

#include "core/base/limits.h"

namespace plumbline::fakes {

void ScriptProblem::report(std::string pointer, std::string message) {
  if (!error_) error_ = ScriptError{std::move(pointer), std::move(message)};
}

void ScriptProblem::expected(std::string pointer, std::string_view what, const Json& value) {
  report(std::move(pointer),
         "expected " + std::string(what) + ", got " + std::string(type_name(value)));
}

ObjectReader::ObjectReader(const Json& value, std::string pointer, ScriptProblem& problem)
    : value_(value), pointer_(std::move(pointer)), problem_(problem) {
  if (!value_.is_object()) problem_.expected(pointer_, "an object", value_);
}

const Json* ObjectReader::any(std::string_view key) {
  known_.push_back(key);
  return find(value_, key);
}

const Json* ObjectReader::object(std::string_view key) {
  const Json* const member = any(key);
  if (member == nullptr || member->is_object()) return member;
  problem_.expected(at(key), "an object", *member);
  return nullptr;
}

const Json* ObjectReader::array(std::string_view key) {
  const Json* const member = any(key);
  if (member == nullptr || member->is_array()) return member;
  problem_.expected(at(key), "an array", *member);
  return nullptr;
}

std::optional<std::string> ObjectReader::text(std::string_view key) {
  const Json* const member = any(key);
  if (member == nullptr) return std::nullopt;
  if (const auto* const text = member->get_ptr<const std::string*>()) return *text;
  problem_.expected(at(key), "a string", *member);
  return std::nullopt;
}

std::optional<bool> ObjectReader::flag(std::string_view key) {
  const Json* const member = any(key);
  if (member == nullptr) return std::nullopt;
  if (const auto* const flag = member->get_ptr<const bool*>()) return *flag;
  problem_.expected(at(key), "true or false", *member);
  return std::nullopt;
}

std::optional<std::int64_t> ObjectReader::whole(std::string_view key, std::int64_t low,
                                                std::int64_t high) {
  const Json* const member = any(key);
  if (member == nullptr) return std::nullopt;
  const std::optional<std::int64_t> number = as_int(*member);
  if (number && *number >= low && *number <= high) return number;
  const std::string what =
      "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  if (member->is_number()) {
    problem_.report(at(key), "expected " + what + ", got " + dump_json(*member));
  } else {
    problem_.expected(at(key), what, *member);
  }
  return std::nullopt;
}

Duration ObjectReader::milliseconds(std::string_view key) {
  const std::int64_t most = milliseconds_of(limits::kVirtualTimeMax);
  return std::chrono::milliseconds(whole(key, 0, most).value_or(0));
}

std::string ObjectReader::required_text(std::string_view key) {
  if (const Json* const member = find(value_, key); member == nullptr) {
    missing(key, "a string");
  } else if (*member == "") {
    problem_.report(at(key), "expected a string that is not empty");
  }
  return text(key).value_or("");
}

void ObjectReader::missing(std::string_view key, std::string_view what) {
  problem_.report(pointer_,
                  "\"" + std::string(key) + "\" is missing, expected " + std::string(what));
}

void ObjectReader::refuse_unknown() {
  const auto* const members = value_.get_ptr<const Json::object_t*>();
  if (members == nullptr) return;
  for (const auto& [key, member] : *members) {
    if (std::ranges::find(known_, key) != known_.end()) continue;
    std::string message = "unknown key \"" + key + "\", expected one of";
    std::ranges::sort(known_);
    for (const std::string_view known : known_) message += " " + std::string(known);
    return problem_.report(at(key), std::move(message));
  }
}

}  // namespace plumbline::fakes
