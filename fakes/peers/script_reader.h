// ObjectReader reads one object of a script field by field and refuses what is wrong: the first
// problem is kept, with its pointer, and everything after it reads as its default.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::fakes {

// ScriptError is why a script is refused: where, as an RFC 6901 pointer into what was given, and
// what was expected there.
struct ScriptError {
  std::string pointer;
  std::string message;
};

// ScriptProblem holds the first problem of a script.
class ScriptProblem {
 public:
  // report keeps `message` unless there is a problem already.
  void report(std::string pointer, std::string message);

  // expected reports that `value` is not `what` ("a string").
  void expected(std::string pointer, std::string_view what, const Json& value);

  const std::optional<ScriptError>& error() const { return error_; }

 private:
  std::optional<ScriptError> error_;
};

class ObjectReader {
 public:
  // `value` should be an object; it and `problem` must outlive the reader.
  ObjectReader(const Json& value, std::string pointer, ScriptProblem& problem);

  // The readers return the member `key`, or nothing when it is missing or was refused. Reading a
  // key makes it a known one.
  const Json* any(std::string_view key);
  const Json* object(std::string_view key);
  const Json* array(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  std::optional<bool> flag(std::string_view key);

  // whole reads a whole number from `low` to `high`.
  std::optional<std::int64_t> whole(std::string_view key, std::int64_t low, std::int64_t high);

  // milliseconds reads a span of at most limits::kVirtualTimeMax; zero when missing.
  Duration milliseconds(std::string_view key);

  // required_text reads a string that has to be there and to hold something.
  std::string required_text(std::string_view key);

  // at returns the pointer of the member `key`.
  std::string at(std::string_view key) const { return pointer_ + "/" + pointer_token(key); }
  const std::string& pointer() const { return pointer_; }

  // missing reports that `key` is not there.
  void missing(std::string_view key, std::string_view what);

  // refuse_unknown reports the first key that nobody has read.
  void refuse_unknown();

 private:
  const Json& value_;
  std::string pointer_;
  ScriptProblem& problem_;
  std::vector<std::string_view> known_;
};

}  // namespace plumbline::fakes
