#include "fakes/sim_loop.h"

#include <string>

namespace plumbline::fakes {

namespace {

std::string at_text(Instant now) {
  return " at " + std::to_string(milliseconds_of(now.time_since_epoch())) + " ms of virtual time";
}

}  // namespace

Error SimLoop::too_many(std::int64_t turns_max) const {
  return {ErrorCode::kLimitReached,
          "the world still moves after " + std::to_string(turns_max) + " turns," + at_text(now_)};
}

Error SimLoop::undone() const {
  return {ErrorCode::kDeadlineExceeded, (idle() ? "the world fell idle before it was done,"
                                                : "the time was up before it was done,") +
                                            at_text(now_)};
}

}  // namespace plumbline::fakes
