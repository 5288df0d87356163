// ObjectReader reads the members of one JSON object in a file that people write: every wrong type,
// value out of range, missing member and unknown key is a Problem that says where it stands and
// what was expected there. The first Problem of a file is kept; whatever is read after it is not
// used.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/value.h"

namespace plumbline {

struct Problem {
  std::string pointer;       // RFC 6901, from the root of the file.
  std::string message;       // "what, what was expected".
  std::string_view id = {};  // Of the error, where it has one of its own.
};

// as_error returns `problem` as the error of a file, with `lead` before its words.
Error as_error(std::string lead, const Problem& problem);

class ObjectReader {
 public:
  // `object` and `problem` must outlive the reader. `what` names the object in messages
  // ("a fault"). One that is no object is a Problem, and then reads as empty.
  ObjectReader(const Json& object, std::string pointer, std::string_view what,
               std::optional<Problem>& problem);

  // has returns whether the member is there; it then counts as known.
  bool has(std::string_view key) { return take(key) != nullptr; }

  // The readers return nothing when the member is missing, or when it is wrong: then the Problem
  // says so. string refuses an empty one, text does not.
  std::optional<std::string> string(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t min, std::int64_t max);
  std::vector<std::string> strings(std::string_view key);
  std::optional<std::size_t> choice(std::string_view key, std::span<const std::string_view> names);

  // milliseconds reads a number, with a fraction or without, or a text such as "30s": at most a
  // day.
  std::optional<Duration> milliseconds(std::string_view key);

  // required_string reads a string that has to be there and to hold something; "" when it does not.
  std::string required_string(std::string_view key);

  // take returns the member as it is, nullptr when it is missing. object and array refuse others.
  const Json* take(std::string_view key);
  const Json* object(std::string_view key);
  const Json* array(std::string_view key);

  // require makes a missing member a Problem: "WHAT has no "key", expected EXPECTED", of the error
  // `id`.
  bool require(std::string_view key, std::string_view expected, std::string_view id = {});

  // refuse makes the member `key` the Problem.
  void refuse(std::string_view key, std::string message);
  void refuse(std::string_view key, const Error& error);

  // finish refuses the first member that nobody asked for.
  void finish();

  std::string pointer_to(std::string_view key) const;

  const std::string& pointer() const { return pointer_; }

  bool failed() const { return problem_.has_value(); }

  // problem returns the first one of the file, where a reader of a part of it tells of its own.
  std::optional<Problem>& problem() { return problem_; }

 private:
  const Json& object_;
  std::string pointer_;
  std::string what_;
  std::optional<Problem>& problem_;
  std::vector<std::string> known_;
};

// add_problem keeps the first one.
void add_problem(std::optional<Problem>& problem, std::string pointer, std::string message);
void add_problem(std::optional<Problem>& problem, std::string pointer, const Error& error);

// add_type_problem says of `value` at `pointer` that it is not `expected` ("a string").
void add_type_problem(std::optional<Problem>& problem, std::string pointer, const Json& value,
                      std::string_view expected);

// milliseconds_from returns what a JSON number of milliseconds, or a text such as "30s", means: 0
// to one day, to the nanosecond.
std::optional<Duration> milliseconds_from(const Json& value);

}  // namespace plumbline
