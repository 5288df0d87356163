#include "core/json/object_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/limits.h"
#include "core/base/words/duration_text.h"
#include "core/base/words/nearest_word.h"
#include "core/json/dump.h"

namespace plumbline {

namespace {

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

template <typename Names>
std::string listed(const Names& names) {
  std::string out;
  for (const std::string_view name : names) out += (out.empty() ? "" : ", ") + in_quotes(name);
  return out;
}

std::string got(std::string_view key, const Json& value) {
  return in_quotes(key) + " is " + std::string(type_name(value)) + ", expected ";
}

}  // namespace

void add_problem(std::optional<Problem>& problem, std::string pointer, std::string message) {
  if (!problem) problem = Problem{std::move(pointer), std::move(message)};
}

void add_problem(std::optional<Problem>& problem, std::string pointer, const Error& error) {
  if (!problem) problem = Problem{std::move(pointer), error.message, error.id};
}

Error as_error(std::string lead, const Problem& problem) {
  const std::string_view id = problem.id.empty() ? "file.where" : problem.id;
  return Error{ErrorCode::kInvalidInput, std::move(lead) + problem.message, id};
}

void add_type_problem(std::optional<Problem>& problem, std::string pointer, const Json& value,
                      std::string_view expected) {
  add_problem(problem, std::move(pointer),
              "here is " + std::string(type_name(value)) + ", expected " + std::string(expected));
}

ObjectReader::ObjectReader(const Json& object, std::string pointer, std::string_view what,
                           std::optional<Problem>& problem)
    : object_(object), pointer_(std::move(pointer)), what_(what), problem_(problem) {
  if (object_.is_object()) return;
  add_problem(problem_, pointer_,
              Error{ErrorCode::kInvalidInput,
                    what_ + " is " + std::string(type_name(object_)) + ", expected an object",
                    "config.object"});
}

const Json* ObjectReader::take(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
  return find(object_, key);
}

const Json* ObjectReader::object(std::string_view key) {
  const Json* const value = take(key);
  if (value == nullptr || value->is_object()) return value;
  refuse(key, Error{ErrorCode::kInvalidInput, got(key, *value) + "an object", "config.object"});
  return nullptr;
}

const Json* ObjectReader::array(std::string_view key) {
  const Json* const value = take(key);
  if (value == nullptr || value->is_array()) return value;
  refuse(key, got(key, *value) + "an array");
  return nullptr;
}

bool ObjectReader::require(std::string_view key, std::string_view expected, std::string_view id) {
  if (find(object_, key) != nullptr) return true;
  std::string words = what_ + " has no " + in_quotes(key) + ", expected " + std::string(expected);
  add_problem(problem_, pointer_, Error{ErrorCode::kInvalidInput, std::move(words), id});
  return false;
}

std::string ObjectReader::pointer_to(std::string_view key) const {
  return pointer_ + '/' + pointer_token(key);
}

void ObjectReader::refuse(std::string_view key, std::string message) {
  add_problem(problem_, pointer_to(key), std::move(message));
}

void ObjectReader::refuse(std::string_view key, const Error& error) {
  add_problem(problem_, pointer_to(key), error);
}

std::optional<std::string> ObjectReader::string(std::string_view key) {
  const Json* const value = take(key);
  if (value == nullptr) return std::nullopt;
  const auto* const text = value->get_ptr<const std::string*>();
  if (text != nullptr && !text->empty()) return *text;
  refuse(key,
         text ? in_quotes(key) + " is empty, expected some text" : got(key, *value) + "a string");
  return std::nullopt;
}

std::optional<std::string> ObjectReader::text(std::string_view key) {
  const Json* const value = take(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* const text = value->get_ptr<const std::string*>()) return *text;
  refuse(key, got(key, *value) + "a string");
  return std::nullopt;
}

std::string ObjectReader::required_string(std::string_view key) {
  return require(key, "a string") ? string(key).value_or("") : "";
}

std::optional<bool> ObjectReader::boolean(std::string_view key) {
  const Json* const value = take(key);
  if (value == nullptr) return std::nullopt;
  if (const bool* const truth = value->get_ptr<const bool*>()) return *truth;
  refuse(key, got(key, *value) + "true or false");
  return std::nullopt;
}

std::optional<std::int64_t> ObjectReader::integer(std::string_view key, std::int64_t min,
                                                  std::int64_t max) {
  const Json* const value = take(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::int64_t> number = as_int(*value);
  if (number && *number >= min && *number <= max) return number;
  const std::string range =
      "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
  refuse(key, value->is_number()
                  ? in_quotes(key) + " is " + dump_json(*value) + ", expected " + range
                  : got(key, *value) + range);
  return std::nullopt;
}

std::vector<std::string> ObjectReader::strings(std::string_view key) {
  std::vector<std::string> out;
  const Json* const value = take(key);
  if (value == nullptr) return out;
  if (!value->is_array()) {
    refuse(key, got(key, *value) + "an array of strings");
    return out;
  }
  for (const Json& item : *value) {
    const auto* const text = item.get_ptr<const std::string*>();
    if (text == nullptr) {
      add_problem(problem_, pointer_to(key) + '/' + std::to_string(out.size()),
                  "an item of " + got(key, item) + "a string");
      return out;
    }
    out.push_back(*text);
  }
  return out;
}

std::optional<std::size_t> ObjectReader::choice(std::string_view key,
                                                std::span<const std::string_view> names) {
  const std::optional<std::string> text = string(key);
  if (!text) return std::nullopt;
  const auto found = std::ranges::find(names, *text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  refuse(key, in_quotes(key) + " is " + in_quotes(*text) + ", expected one of " + listed(names));
  return std::nullopt;
}

std::optional<Duration> ObjectReader::milliseconds(std::string_view key) {
  const Json* const value = take(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<Duration> span = milliseconds_from(*value);
  if (!span) {
    refuse(key, in_quotes(key) + " is wrong, expected milliseconds from 0 to one day, or \"30s\"");
  }
  return span;
}

void ObjectReader::finish() {
  const auto* const members = object_.get_ptr<const Json::object_t*>();
  if (members == nullptr) return;
  for (const auto& [key, value] : *members) {
    if (std::ranges::find(known_, key) != known_.end()) continue;
    const std::string hint = meant(key, known_);
    refuse(key, "unknown key " + in_quotes(key) + " in " + what_ + ", expected one of " +
                    listed(known_) + (hint.empty() ? "" : ";" + hint.substr(1)));
    return;
  }
}

std::optional<Duration> milliseconds_from(const Json& value) {
  constexpr double kNanosecondsEach = 1e6;
  const auto most = static_cast<double>(milliseconds_of(limits::kVirtualTimeMax));
  if (const auto* const text = value.get_ptr<const std::string*>()) return duration_in(*text);
  if (!value.is_number()) return std::nullopt;
  const double number = value.is_number_float() ? *value.get_ptr<const double*>()
                                                : static_cast<double>(as_int(value).value_or(-1));
  if (!(number >= 0 && number <= most)) return std::nullopt;
  return Duration(std::llround(number * kNanosecondsEach));
}

}  // namespace plumbline
