// How often a server may be opened, beside a model that keeps the whole history of its openings: no
// opening comes sooner than the failures before it allow, none is refused for longer, and no
// minute sees more than a few.

#include "core/connector/links/pacing.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::connector {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::size_t kOpeningsAMinuteMax = 20;

// Opening is one that was allowed. One that succeeded was short when somebody asks anew within ten
// seconds: it must have been lost.
struct Opening {
  Instant began{};
  Instant ended{};  // When it failed or succeeded.
  Duration silent{};
  bool failed = false;
  bool is_short = false;
};

// allowed_at returns when the next opening may begin.
Instant allowed_at(const std::vector<Opening>& history) {
  if (history.empty()) return Instant();
  int run = 0;
  for (auto one = history.rbegin(); one != history.rend(); ++one) {
    if (!one->failed && !one->is_short) break;
    ++run;
  }
  Duration wait = run < 2 ? Duration() : seconds(1);
  for (int i = 2; i < run && wait < minutes(1); ++i) wait *= 2;
  wait = std::min<Duration>(minutes(1), std::max(wait, history.back().silent));
  return history.back().ended + wait;
}

Duration any_span() {
  return *rc::gen::element<Duration>(Duration(0), milliseconds(10), milliseconds(600), seconds(1),
                                     seconds(4), milliseconds(9'999), seconds(10), seconds(33),
                                     seconds(61));
}

RC_GTEST_PROP(PacePropTest, NoOpeningComesTooSoonAndNoneIsRefusedForLonger, ()) {
  Pace pace;
  Instant now{};
  std::vector<Opening> history;
  const int asks = *rc::gen::inRange(1, 80);
  for (int i = 0; i < asks; ++i) {
    if (*rc::gen::arbitrary<bool>()) now += any_span();
    if (!history.empty() && !history.back().failed && !history.back().is_short) {
      history.back().is_short = now - history.back().ended < seconds(10);
    }
    const bool refused = pace.refusal(now).has_value();
    RC_ASSERT(refused == (now < allowed_at(history)));
    if (refused) continue;
    Opening opening;
    opening.began = now;
    opening.failed = *rc::gen::element(true, true, false);
    if (opening.failed && *rc::gen::element(true, false, false)) opening.silent = any_span();
    now += opening.silent;
    opening.ended = now;
    if (opening.failed) {
      pace.failed(now, opening.silent, "it exits");
    } else {
      pace.opened(now);
    }
    history.push_back(opening);
    const auto recent = std::ranges::count_if(
        history, [&](const Opening& one) { return opening.began - one.began < minutes(1); });
    RC_ASSERT(static_cast<std::size_t>(recent) <= kOpeningsAMinuteMax);
  }
  RC_CLASSIFY(history.size() > 5, "many openings");
}

}  // namespace
}  // namespace plumbline::connector
