// FirstError keeps what is wrong with a schema: what was found first ends the work.

#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/schema/location.h"

namespace plumbline::schema {

class FirstError {
 public:
  // note keeps the error unless there is one already. Its message begins with the place.
  void note(ErrorCode code, const Location& location, const std::string& why) {
    if (error_) return;
    const std::string pointer = pointer_to(location);
    error_ = Error{code, (pointer.empty() ? "/" : pointer) + ": " + why};
  }

  const std::optional<Error>& error() const { return error_; }
  bool noted() const { return error_.has_value(); }

 private:
  std::optional<Error> error_;
};

}  // namespace plumbline::schema
