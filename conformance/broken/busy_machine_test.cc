// A server that is right has the same verdicts on an idle machine and on a busy one: none rests on
// which of two answers came first, or on how long something took.

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {
namespace {

using std::chrono::milliseconds;

using Verdicts = std::map<std::string, std::string>;  // With what was said, by rule.

// Busy is a machine: how long each message is on its way, and each POST at work.
struct Busy {
  milliseconds latency;
  milliseconds work;
};

constexpr Busy kIdle = {milliseconds(1), milliseconds(0)};
constexpr Busy kBusyMachines[] = {
    {milliseconds(0), milliseconds(0)},  {milliseconds(12), milliseconds(0)},
    {milliseconds(45), milliseconds(0)}, {milliseconds(160), milliseconds(0)},
    {milliseconds(1), milliseconds(60)}, {milliseconds(20), milliseconds(150)},
};

// no_fixtures takes away the names by which hints are known: what tools do has to be seen.
void no_fixtures(Interceptor& interceptor, Json message) {
  if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
    for (Json& tool : (*result)["tools"]) {
      tool["name"] = "x" + tool["name"].get<std::string>();
      tool["annotations"]["readOnlyHint"] = true;
    }
  }
  interceptor.say(message);
}

void call_fixtures(Interceptor& interceptor, std::string text) {
  Json message = edit::read(text);
  const bool calls = message.is_object() && string_or(message, "method", "") == "tools/call";
  const auto name = calls ? find_string(message["params"], "name") : std::nullopt;
  if (!name || !name->starts_with("x")) return interceptor.pass_text(std::move(text));
  message["params"]["name"] = name->substr(1);
  interceptor.pass(message);
}

// rests_on_messages: a rule that is judged by what is said alone, and so in any time.
bool rests_on_messages(std::string_view id) {
  return id.starts_with("jsonrpc.") || id.starts_with("progress.") || id.starts_with("logging.") ||
         id.starts_with("subscriptions.") || id.starts_with("ping.");
}

class BusyMachine : public testing::TestWithParam<std::tuple<Transport, std::string_view, bool>> {
 protected:
  static Verdicts judged_on(const Busy& machine) {
    const auto [transport, revision, named] = GetParam();
    Deviation server{};
    server.revision = revision;
    server.transport = transport;
    server.what = "is right";
    server.work = machine.work;
    server.from_server = named ? nullptr : no_fixtures;
    server.from_client = named ? nullptr : call_fixtures;
    DeviantWorld world(transport, &server, machine.latency);
    JudgeOptions options;
    options.revision = std::string(revision);
    Verdicts verdicts;
    for (const CheckResult& row : world.judge(std::move(options)).results) {
      verdicts[row.id] = std::string(name_of(row.verdict));
    }
    return verdicts;
  }
};

TEST_P(BusyMachine, IsTheSameForTheVerdicts) {
  const Verdicts idle = judged_on(kIdle);
  ASSERT_GT(idle.size(), 50U);
  for (const Busy& machine : kBusyMachines) {
    for (const auto& [id, verdict] : judged_on(machine)) {
      // What calls of all tools in bounded time did not show is told as such, elsewhere.
      EXPECT_TRUE(verdict == idle.at(id) || !rests_on_messages(id))
          << id << ", with " << machine.latency.count() << " ms on the way and "
          << machine.work.count() << " ms of work";
    }
  }
}

#ifdef PLUMBLINE_SANITIZED  // A judgement takes seconds there.
const auto kNamed = testing::Values(false);
#else
const auto kNamed = testing::Bool();
#endif
INSTANTIATE_TEST_SUITE_P(All, BusyMachine,
                         testing::Combine(testing::Values(Transport::kStdio, Transport::kHttp),
                                          testing::Values(kNewestStateful, kNewestStateless),
                                          kNamed));

class LostStart : public testing::TestWithParam<int> {};

// One of many processes that start together does not come up in time: that is the machine's doing.
TEST_P(LostStart, IsNobodysFault) {
  // A busy machine is slow; whether a server knows server/discover is asked twice on such a one.
  const bool slow = GetParam() < 10;
  const milliseconds latency(slow ? 900 : 1);
  DeviantWorld whole(Transport::kStdio, nullptr, latency);
  const Judgement right = whole.judge(JudgeOptions());
  DeviantWorld world(Transport::kStdio, nullptr, latency);
  world.lose_start(GetParam());
  const Judgement judgement = world.judge(JudgeOptions());
  EXPECT_EQ(judgement.revisions, right.revisions);
  EXPECT_EQ(judgement.results.size(), right.results.size());
  for (const CheckResult& row : judgement.results) {
    // On a slow one there may not be the time to try all of it again.
    const bool undecided = slow && row.verdict == Verdict::kInconclusive;
    EXPECT_TRUE(undecided || row.verdict == Verdict::kPass || row.verdict == Verdict::kSkip)
        << row.id << ": " << row.message;
  }
}

INSTANTIATE_TEST_SUITE_P(EachProcess, LostStart, testing::Range(1, 40));

}  // namespace
}  // namespace plumbline::conformance
