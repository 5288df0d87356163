// Whether a call is answered alike whatever was asked before it, and whether a tool that may be
// called again does nothing more. No clause says so much: schema, ToolAnnotations, idempotentHint.

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/lists/added_again.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kPairsOfCallsMax = 12;
constexpr std::size_t kRepeatedMax = 8;

// TwoCalls are two of one tool, with other arguments.
struct TwoCalls {
  Json one;
  Json other;
};

std::vector<TwoCalls> pairs_of(Probe& probe, const Exercise& exercise) {
  std::vector<TwoCalls> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    if (!says_hint(tool, "readOnlyHint", true) || probe.disturbs(name)) continue;
    const std::vector<const Call*> calls = good_calls(exercise, name);
    if (calls.size() < 2 || found.size() == kPairsOfCallsMax) continue;
    found.push_back({calls.front()->params, calls.back()->params});
  }
  return found;
}

// Between is what became of an answer with another call between.
struct Between {
  bool is = false;
  Json was;
  Json became;
  FirstDifference difference;
  Reply before;
  Reply after;
};

Task<Between> called_between(Client client, TwoCalls pair) {
  Between between;
  const Reply earlier = co_await client.request("tools/call", pair.one);
  between.before = co_await client.request("tools/call", pair.one);
  const Reply other = co_await client.request("tools/call", pair.other);
  between.after = co_await client.request("tools/call", pair.one);
  if (!has_gone_well(between.before) || !has_gone_well(other) || !has_gone_well(between.after)) {
    co_return std::move(between);
  }
  between.was = answer_in(between.before);
  between.became = answer_in(between.after);
  between.difference = first_difference_of(between.was, between.became);
  between.is = answer_in(earlier) == between.was && between.was != between.became &&
               !tells_of_time(between.difference);
  co_return std::move(between);
}

Task<Finding> keeps_no_arguments(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<TwoCalls> pairs = pairs_of(probe, exercise);
  if (pairs.empty()) co_return not_for_it("no tool that only reads has answered two calls");
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  for (const TwoCalls& pair : pairs) {
    const Between once = co_await called_between(client, pair);
    if (!once.is) continue;
    Client fresh = co_await probe.open(probe.usual());
    if (!fresh.session().usable()) continue;
    const Between again = co_await called_between(fresh, pair);
    client = fresh;
    // What others change at the same time does not come back.
    if (!again.is || again.was != once.was || again.became != once.became) continue;
    co_return about(
        broken(tool_in(pair.one) + " answers a call of " + given_in(pair.one) +
               " otherwise once it was called with " + given_in(pair.other) + ": " +
               shown(again.difference) + "; something of one call is kept for the next"),
        again.before, again.after);
  }
  co_return passes();
}

// counts_changes returns whether a difference may be the number of a state, and no state itself.
bool counts_changes(const FirstDifference& difference) {
  constexpr std::string_view kNumbersOfStates[] = {"version", "revision", "etag", "rev",
                                                   "seq",     "sequence", "hash"};
  return std::ranges::any_of(words_of(difference.member), [&](const std::string& word) {
    return std::ranges::find(kNumbersOfStates, word) != std::end(kNumbersOfStates);
  });
}

// says_repeated begins what is said of a tool that did more.
std::string says_repeated(const Json& params) {
  return tool_in(params) + " says idempotentHint: true, and ";
}

// judge_added judges a call whose answers tell nothing for sure: each may name a new thing, or the
// request. It is made a fourth time; `answers` are of the second and the third call.
Task<Finding> judge_added(Probe& probe, Client client, Json params, std::vector<Json> answers) {
  const std::vector<Json> readers = readers_of(probe, params);
  std::vector<std::array<Json, 3>> lists(readers.size());
  Reply last;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i > 0) last = co_await client.request("tools/call", params);
    if (i > 0 && !has_gone_well(last)) co_return passes();
    if (i > 0) answers.push_back(answer_in(last));
    std::vector<Json> all = co_await answers_to(client, readers);
    for (std::size_t k = 0; k < readers.size(); ++k) lists[k][i] = std::move(all[k]);
  }
  const std::string count = counts_up({answers[1], answers[2], answers[3]});
  if (!count.empty()) {
    co_return about(broken(says_repeated(params) + "each further call of " + given_in(params) +
                           " did more: " + count),
                    last);
  }
  for (std::size_t k = 0; k < readers.size(); ++k) {
    const std::string more = lists_more(lists[k], params);
    if (more.empty()) continue;
    co_return about(broken(says_repeated(params) + "each further call of " + given_in(params) +
                           " adds one more of the same: " + tool_in(readers[k]) + " lists " + more),
                    last);
  }
  co_return passes();
}

Task<Finding> judge_repeated(Probe& probe, Client client, Json params) {
  const Reply first = co_await client.request("tools/call", params);
  const Reply second = co_await client.request("tools/call", params);
  const Reply third = co_await client.request("tools/call", params);
  // The first may have done something, and the others nothing more.
  if (!has_gone_well(first) || !has_gone_well(second) || !has_gone_well(third)) {
    co_return not_for_it("");
  }
  std::vector<Json> answers = {answer_in(second), answer_in(third)};
  const FirstDifference difference = first_difference_of(answers[0], answers[1]);
  if (!difference.any || tells_of_time(difference) || counts_changes(difference)) {
    co_return co_await judge_added(probe, client, std::move(params), std::move(answers));
  }
  co_return about(broken(says_repeated(params) + "the second and the third call of " +
                         given_in(params) + " did more each: " + shown(difference)),
                  second, third);
}

bool may_be_repeated(Probe& probe, const Json& tool) {
  const bool writes = !says_hint(tool, "readOnlyHint", true);
  return writes && says_hint(tool, "idempotentHint", true) && probe.may_call(tool) &&
         !probe.disturbs(string_or(tool, "name", ""));
}

// judge_repeated_of_made calls a tool about something that was just made for it: a loan that can be
// renewed is in no session but that which made it.
Task<Finding> judge_repeated_of_made(Probe& probe, const Exercise* exercise, const Json* tool) {
  const std::vector<MadeThing> all = makers(probe, *exercise);
  if (all.empty()) co_return not_for_it("");
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return not_for_it("");
  for (const MadeThing& maker : all) {
    const MadeThing made = co_await make_again(client, maker);
    Json params = params_for(made, *tool);
    if (params.is_null()) continue;
    Finding finding = co_await judge_repeated(probe, client, std::move(params));
    if (finding.verdict != Verdict::kSkip) co_return std::move(finding);
  }
  co_return not_for_it("");
}

Task<Finding> does_nothing_more(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  std::size_t tried = 0;
  std::size_t judged = 0;
  for (const Json& tool : probe.survey().tools.items) {
    if (!may_be_repeated(probe, tool) || tried >= kRepeatedMax) continue;
    const std::size_t before = judged;
    for (const Call* const call : good_calls(exercise, string_or(tool, "name", ""))) {
      if (tried++ == kRepeatedMax) break;
      Client client = co_await probe.open(probe.usual());
      if (!client.session().usable()) continue;
      Finding finding = co_await judge_repeated(probe, client, call->params);
      if (finding.verdict == Verdict::kFail) co_return std::move(finding);
      if (finding.verdict == Verdict::kPass) ++judged;
    }
    if (judged > before) continue;
    ++tried;
    Finding finding = co_await judge_repeated_of_made(probe, &exercise, &tool);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  co_return judged > 0 ? passes()
                       : not_for_it("no tool that may be called says that it may be repeated");
}

constexpr ServerCheck kToolsAgainChecks[] = {
    {"tools.calls-keep-apart", Eras::kBoth, SessionUse::kOpens, keeps_no_arguments},
    {"tools.repeats-as-declared", Eras::kBoth, SessionUse::kOpens, does_nothing_more},
};

}  // namespace

ServerChecks tools_again_checks() { return kToolsAgainChecks; }

}  // namespace plumbline::conformance
