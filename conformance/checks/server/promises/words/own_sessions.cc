// Whether what a server says to be of one session is not another's: a cart, a workspace. No clause
// says so much: it is a promise of the server.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/exercise.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kSessionReadersMax = 4;
constexpr std::size_t kSessionWritersMax = 4;
constexpr std::array<std::string_view, 6> kOfOneSession = {"this session",   "current session",
                                                           "your session",   "no other session",
                                                           "other sessions", "of the session"};
constexpr const char* kNothingOfSessions = "no tool says that what it reads is of one session";

bool is_of_one_session(std::string_view text) {
  return mentions_any(lower_case(std::string(text)), kOfOneSession);
}

// session_readers returns calls of tools that show what they say to be of one session.
std::vector<Json> session_readers(Probe& probe, const Exercise& exercise) {
  std::vector<Json> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool reads = says_hint(tool, "readOnlyHint", true) && probe.may_call(tool);
    if (!reads || probe.disturbs(name) || keeps_a_record(name)) continue;
    if (!is_of_one_session(string_or(tool, "description", ""))) continue;
    for (const Call* const call : good_calls(exercise, name)) {
      if (found.size() < kSessionReadersMax) found.push_back(call->params);
    }
  }
  return found;
}

// speaks_of returns whether a tool is about what one of the readings shows: add_to_cart of the cart
// of view_cart, or what it says itself to be of one session.
bool speaks_of(const Json& tool, const std::vector<Json>& readings) {
  const std::vector<std::string> words = words_of(string_or(tool, "name", ""));
  if (is_of_one_session(string_or(tool, "description", ""))) return true;
  return std::ranges::any_of(readings, [&](const Json& reading) {
    const std::vector<std::string> shown = words_of(string_or(reading, "name", ""));
    return !words.empty() && !shown.empty() && singular(words.back()) == singular(shown.back());
  });
}

// session_writers returns calls of tools that change something, first of those that speak of what
// is read.
std::vector<Json> session_writers(Probe& probe, const Exercise& exercise,
                                  const std::vector<Json>& readings) {
  std::vector<Json> found;
  for (const bool near : {true, false}) {
    for (const Json& tool : probe.survey().tools.items) {
      const std::string name = string_or(tool, "name", "");
      const bool writes = !says_hint(tool, "readOnlyHint", true) &&
                          !says_hint(tool, "destructiveHint", true) && probe.may_call(tool);
      if (!writes || probe.disturbs(name) || speaks_of(tool, readings) != near) continue;
      if (found.size() == kSessionWritersMax) return found;
      Json known = known_params(probe, exercise, tool);
      if (!known.is_null()) found.push_back(std::move(known));
    }
  }
  return found;
}

// judge_apart writes in one session and reads in both: blamed is what is then read alike in the
// other, where nobody has done anything, and was read otherwise before.
Task<Finding> judge_apart(Client mine, Client other, Json writing, std::vector<Json> readings) {
  const std::vector<Json> own = co_await answers_to(mine, readings);
  const std::vector<Json> earlier = co_await answers_to(other, readings);
  const std::vector<Json> before = co_await answers_to(other, readings);
  const Reply written = co_await mine.request("tools/call", writing);
  if (!has_gone_well(written)) co_return not_for_it("");
  const std::vector<Json> changed = co_await answers_to(mine, readings);
  const std::vector<Json> after = co_await answers_to(other, readings);
  bool seen = false;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (own[i] == changed[i] || changed[i].is_null() || earlier[i] != before[i]) continue;
    seen = true;
    const FirstDifference difference = first_difference_of(before[i], after[i]);
    if (after[i] != changed[i] || !difference.any || tells_of_time(difference)) continue;
    co_return about(broken("a call of " + tool_in(writing) + " in one session changed what " +
                           tool_in(readings[i]) + " answers in another, and the server says " +
                           "that it is of one session: " + shown(difference)),
                    written);
  }
  co_return seen ? passes() : not_for_it("");
}

Task<Finding> keeps_what_is_of_a_session(Probe& probe) {
  if (!probe.over_http()) co_return not_for_it("a session is a process of its own");
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<Json> readings = session_readers(probe, exercise);
  const std::vector<Json> writings = session_writers(probe, exercise, readings);
  if (readings.empty() || writings.empty()) co_return not_for_it(kNothingOfSessions);
  std::size_t judged = 0;
  for (const Json& writing : writings) {
    Client mine = co_await probe.open(probe.usual());
    Client other = co_await probe.open(probe.usual());
    const std::string id = mine.session().session_id();
    if (!mine.session().usable() || !other.session().usable()) {
      co_return undecided("it could not be opened again");
    }
    if (id.empty() || id == other.session().session_id())
      co_return not_for_it("it has no sessions");
    Finding finding = co_await judge_apart(mine, other, writing, readings);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("no call changes what is read in its session");
}

constexpr ServerCheck kOwnSessionsChecks[] = {
    {"tools.sessions-keep-apart", Eras::kStateful, SessionUse::kOpens, keeps_what_is_of_a_session},
};

}  // namespace

ServerChecks own_sessions_checks() { return kOwnSessionsChecks; }

}  // namespace plumbline::conformance
