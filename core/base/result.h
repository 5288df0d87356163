// Result<T> carries a value or the error that explains its absence.
//
// Result is for outcomes the outside world can cause: bytes from a peer, a file, a timeout. It is
// [[nodiscard]], so ignoring one is a compile error in this build.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/check.h"

namespace plumbline {

// ErrorCode says what the caller can do about an Error. Add a code only when some caller acts
// differently on it; put everything else in Error::message.
enum class ErrorCode {
  kInvalidInput,      // The bytes or the file are wrong; the same input fails again.
  kDeadlineExceeded,  // The Instant passed first; a retry may succeed.
  kDisconnected,      // The peer is gone; reconnect before trying again.
  kUnsupported,       // This build or this peer cannot do it; skip.
  kLimitReached,      // A bound of core/base/limits.h stopped it; a retry meets it again.
  kConflict,          // Somebody else has written since; read again, and decide anew.
};

// Error is one failure. `message` is for people: a sentence without a full stop, naming the
// offending value ("request id 7 is not in flight"). `id`, of static storage, is what the program
// calls it (core/base/errors/errors.def); empty when whoever says it has no name for it.
struct Error {
  ErrorCode code = ErrorCode::kInvalidInput;
  std::string message;
  std::string_view id = {};
};

template <typename T, typename E = Error>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose: `return value;` and `return Error{...};` both read as written.
  Result(T value)  // NOLINT(google-explicit-constructor)
      : state_(std::in_place_index<0>, std::move(value)) {}
  Result(E error)  // NOLINT(google-explicit-constructor)
      : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }

  // value returns what succeeded. Aborts unless ok().
  const T& value() const& {
    check(ok(), "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  T& value() & {
    check(ok(), "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    check(ok(), "value() of a failed Result");
    return std::move(*std::get_if<0>(&state_));
  }

  // error returns why it failed. Aborts if ok().
  const E& error() const& {
    check(!ok(), "error() of a successful Result");
    return *std::get_if<1>(&state_);
  }
  E&& error() && {
    check(!ok(), "error() of a successful Result");
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, E> state_;
};

// Status is a Result with nothing to carry: success, or an Error.
struct Done {};
using Status = Result<Done>;

}  // namespace plumbline
