// Whether a tool answers each call: one that answers at once for some values, and never for others,
// waits for something that does not come.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kSilentMax = 2;
constexpr Duration kSwiftly = std::chrono::milliseconds(500);
constexpr Duration kSilentFor = std::chrono::seconds(8);
constexpr std::array<std::string_view, 10> kNamesOfTime = {
    "duration", "seconds", "minutes", "delay",    "timeout",
    "wait",     "sleep",   "ms",      "interval", "until"};

// takes_time returns whether an argument may say how long a call takes.
bool takes_time(const Json& params) {
  const Json* const arguments = find(params, "arguments");
  if (arguments == nullptr || !arguments->is_object()) return false;
  return std::ranges::any_of(arguments->items(), [](const auto& one) {
    const std::vector<std::string> words = words_of(one.key());
    return std::ranges::any_of(words, [](const std::string& word) {
      return std::ranges::find(kNamesOfTime, word) != kNamesOfTime.end();
    });
  });
}

// SilentCall is a call that nothing came of, and one of the same tool that was answered at once.
struct SilentCall {
  Json params;
  Json answered;
};

std::vector<SilentCall> silent_calls(Probe& probe, const Exercise& exercise) {
  std::vector<SilentCall> found;
  for (const Call& call : exercise.calls) {
    const std::string name = string_or(call.params, "name", "");
    const bool silent = call.method == "tools/call" && call.reply.how == Reply::How::kSilent;
    const Json* const tool = silent ? probe.survey().tool(name) : nullptr;
    if (tool == nullptr || !says_hint(*tool, "readOnlyHint", true) || takes_time(call.params))
      continue;
    const std::vector<const Call*> others = good_calls(exercise, name);
    const auto swift = std::ranges::find_if(
        others, [](const Call* other) { return other->reply.took < kSwiftly; });
    if (swift == others.end() || found.size() == kSilentMax) continue;
    found.push_back({call.params, (*swift)->params});
  }
  return found;
}

std::string arguments_of(const Json& params) {
  const Json* const arguments = find(params, "arguments");
  return shortened(arguments == nullptr ? "{}" : dump_json(*arguments));
}

// has_garbage returns whether something came that could not be read: that was the answer, then, and
// other rules tell of it.
bool has_garbage(Client& client) {
  const std::vector<Frame>& frames = client.session().wire().inbox().frames;
  return std::ranges::any_of(frames, [](const Frame& frame) { return !frame.garbage.empty(); });
}

// judge_silence makes the call again, waits longer, and asks something else behind it.
Task<Finding> judge_silence(Probe& probe, SilentCall call) {
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const Reply swift = co_await client.request("tools/call", call.answered);
  if (!swift.answered() || swift.took > kSwiftly) co_return passes();
  const Duration patience = kSilentFor + client.pace().several(2);
  Client::Begun begun = client.begin(client.request_of("tools/call", call.params));
  const Reply reply = co_await client.finish(std::move(begun), patience);
  if (reply.how != Reply::How::kSilent || has_garbage(client)) co_return passes();
  const bool alive = co_await client.alive();
  co_return about(
      broken(
          "the tool \"" + shortened(string_or(call.params, "name", "")) + "\" answers a call of " +
          arguments_of(call.answered) + " at once, and to one of " + arguments_of(call.params) +
          " there was " + reply.describe() +
          (alive ? "; other requests are answered meanwhile" : "; nothing else is answered since")),
      reply);
}

Task<Finding> answers_each_call(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  for (const SilentCall& call : silent_calls(probe, exercise)) {
    Finding finding = co_await judge_silence(probe, call);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  const bool called = std::ranges::any_of(
      exercise.calls, [](const Call& call) { return call.method == "tools/call"; });
  co_return called ? passes() : not_for_it("no tool was called");
}

constexpr ServerCheck kToolsSilenceChecks[] = {
    {"tools.each-call-answered", Eras::kBoth, SessionUse::kOpens, answers_each_call},
};

}  // namespace

ServerChecks tools_silence_checks() { return kToolsSilenceChecks; }

}  // namespace plumbline::conformance
