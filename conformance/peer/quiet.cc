#include "conformance/peer/quiet.h"

#include <algorithm>
#include <utility>

#include "conformance/peer/subject.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

// listen_beside listens beside processes that are starting: until `end`, or a quiet moment after
// the last of them has started.
Task<void> listen_beside(Subject& subject, Instant end) {
  Loop& loop = subject.loop();
  const Pace& pace = subject.pace();
  Instant alone = loop.now();  // Since then none is starting.
  bool crowded = true;
  while (loop.now() < end) {
    const bool were = std::exchange(crowded, pace.crowded());
    if (were || crowded) alone = loop.now();
    const Instant quiet = crowded ? end : std::min(end, after(alone, pace.quiet_alone()));
    if (loop.now() >= quiet) co_return;
    co_await subject.changes().next(quiet);
  }
}

}  // namespace

Task<void> quiet_moment(Subject& subject) {
  const Instant begin = subject.loop().now();
  const Instant end = after(begin, subject.pace().quiet());
  if (subject.pace().crowded()) {
    co_await listen_beside(subject, end);
  } else {
    co_await Sleep(subject.loop(), end);
  }
  subject.effort().listening.add(subject.loop().now() - begin);
}

}  // namespace plumbline::conformance
