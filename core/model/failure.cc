#include "core/model/failure.h"

#include <algorithm>
#include <array>

namespace plumbline::model {

FailureKind kind_of_status(int status, std::string_view code) {
  static constexpr std::array<std::string_view, 3> kTooLongCodes = {
      "context_length_exceeded", "string_above_max_length", "request_too_large"};
  if (status == 413 || std::ranges::find(kTooLongCodes, code) != kTooLongCodes.end()) {
    return FailureKind::kTooLong;
  }
  if (status == 401 || status == 403) return FailureKind::kAuthentication;
  // A quota that is used up does not come back by waiting a little, but nothing else helps either.
  if (status == 429) return FailureKind::kRateLimit;
  if (status == 408 || status == 409 || status >= 500) return FailureKind::kUnavailable;
  if (status >= 400) return FailureKind::kInvalidRequest;
  return FailureKind::kUnreadable;
}

int status_of(const Failure& failure) {
  if (failure.status != 0) return failure.status;
  switch (failure.kind) {
    case FailureKind::kAuthentication:
      return 401;
    case FailureKind::kRateLimit:
      return 429;
    case FailureKind::kTooLong:
    case FailureKind::kInvalidRequest:
      return 400;
    case FailureKind::kUnavailable:
      return 500;
    case FailureKind::kUnreadable:
      return 502;
  }
  return 500;
}

}  // namespace plumbline::model
