// Subjects that are slow, silent, dying, flooding or mad: the judge comes to an end in bounded time
// and blames nobody for its own patience.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"
#include "conformance/catalogue/requirement.h"
#include "core/base/rng.h"

namespace plumbline::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Judgement judged(DeviantWorld& world, std::string revision) {
  JudgeOptions options;
  options.revision = std::move(revision);
  return world.judge(std::move(options));
}

// slowest_of names the checks that took longest.
std::string slowest_of(const Judgement& judgement) {
  std::vector<CheckResult> rows = judgement.results;
  std::ranges::sort(rows, std::ranges::greater(), &CheckResult::duration_ms);
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 12); ++i) {
    text += rows[i].id + " " + std::to_string(rows[i].duration_ms) + " ms\n";
  }
  return text;
}

class SlowServer : public testing::TestWithParam<std::tuple<Transport, std::string_view>> {};

TEST_P(SlowServer, IsJudgedInTimeAndPassesEverything) {
  const auto [transport, revision] = GetParam();
  DeviantWorld world(transport, nullptr, milliseconds(150));  // One way.
  const Judgement judgement = judged(world, std::string(revision));
  for (const CheckResult& row : judgement.results) {
    EXPECT_TRUE(row.verdict == Verdict::kPass || row.verdict == Verdict::kSkip)
        << row.id << ": " << row.message;
  }
  EXPECT_GT(judgement.results.size(), 40U);
  // The way there and back takes 300 ms.
  EXPECT_LT(world.took(), seconds(transport == Transport::kHttp ? 12 : 17))
      << slowest_of(judgement);
}

INSTANTIATE_TEST_SUITE_P(BothEras, SlowServer,
                         testing::Combine(testing::Values(Transport::kStdio, Transport::kHttp),
                                          testing::Values(kNewestStateful, kNewestStateless)));

// Told is what a judge says while it judges `transport` with this latency.
struct Told {
  std::vector<std::string> lines;
  JudgeProgress last;
  Judgement judgement;
};

Told told_of(Transport transport, Duration latency) {
  Told told;
  DeviantWorld world(transport, nullptr, latency);
  JudgeOptions options;
  options.revision = std::string(kNewestStateful);
  options.tell = [&told](const std::string& line) { told.lines.push_back(line); };
  options.progress = [&told](const JudgeProgress& progress) { told.last = progress; };
  told.judgement = world.judge(std::move(options));
  return told;
}

TEST(Progress, ASlowServerIsCalledSlowOnceAndAtOnce) {
  for (const Transport transport : {Transport::kStdio, Transport::kHttp}) {
    const Told slow = told_of(transport, milliseconds(600));
    ASSERT_FALSE(slow.lines.empty());
    EXPECT_TRUE(slow.lines.front().starts_with("the server is slow: its first answer takes 1"))
        << slow.lines.front();
    const auto calls_it_slow = [](const std::string& line) {
      return line.starts_with("the server is slow");
    };
    EXPECT_EQ(std::ranges::count_if(slow.lines, calls_it_slow), 1);
    const Told quick = told_of(transport, milliseconds(1));
    EXPECT_EQ(std::ranges::count_if(quick.lines, calls_it_slow), 0);
  }
}

TEST(Progress, EndsWhereEveryCheckOfThisTransportIsDone) {
  const Told told = told_of(Transport::kStdio, milliseconds(1));
  EXPECT_EQ(told.last.done, told.last.all);
  EXPECT_GT(told.last.all, 50U);
  EXPECT_LT(told.last.all, told.judgement.results.size()) << "rules of HTTP take no time";
}

TEST(Effort, IsWhatWasWaitedFor) {
  const Told told = told_of(Transport::kStdio, milliseconds(10));
  const Effort& effort = told.judgement.effort;
  EXPECT_GE(effort.openings.times, 1);
  EXPECT_LE(effort.openings.times, told.judgement.starts);
  EXPECT_GT(effort.answers.times, 100);
  EXPECT_GE(effort.answers.took, effort.answers.times * milliseconds(20)) << "there and back";
  EXPECT_GT(effort.listening.took, Duration{});
}

class DroppedJudge : public testing::TestWithParam<Transport> {};

TEST_P(DroppedJudge, LeavesNothingBehindWhenever) {
  for (std::int64_t turns = 1; turns < 20'000; turns += 1 + turns / 12) {
    DeviantWorld world(GetParam(), nullptr, milliseconds(1));
    world.judge_for(turns, JudgeOptions());
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, DroppedJudge,
                         testing::Values(Transport::kStdio, Transport::kHttp, Transport::kSse,
                                         Transport::kWebSocket));

// Each of these is all that a subject does.
const Deviation kHopeless[] = {
    {"silent", kNewestStateful, Transport::kStdio, "says nothing", nullptr,
     [](Interceptor&, std::string) {}},
    {"silent", kNewestStateful, Transport::kHttp, "says nothing", nullptr,
     [](Interceptor&, std::string) {}},
    {"dead", kNewestStateful, Transport::kStdio, "ends at once", nullptr,
     [](Interceptor& interceptor, std::string) { interceptor.stop(); }},
    {"dead", kNewestStateful, Transport::kHttp, "ends at once", nullptr,
     [](Interceptor& interceptor, std::string) { interceptor.stop(); }},
    {"garbage", kNewestStateful, Transport::kStdio, "answers garbage", nullptr,
     [](Interceptor& interceptor, std::string) { interceptor.say_text("}{"); }},
    {"garbage", kNewestStateful, Transport::kHttp, "answers garbage", nullptr,
     [](Interceptor& interceptor, std::string) { interceptor.say_text("}{"); }},
    {"flood", kNewestStateful, Transport::kStdio, "floods", nullptr,
     [](Interceptor& interceptor, std::string) {
       for (int i = 0; i < 5'000; ++i) interceptor.say_text("y");
     }},
};

class HopelessServer : public testing::TestWithParam<std::size_t> {};

TEST_P(HopelessServer, IsToldWithinTenSeconds) {
  const Deviation& hopeless = kHopeless[GetParam()];
  DeviantWorld world(hopeless.transport, &hopeless);
  const Judgement judgement = judged(world, "auto");
  // Where what it says breaks a rule, that is told in place of the silence.
  EXPECT_EQ(judgement.unreachable.message.empty(), !judgement.results.empty()) << hopeless.what;
  for (const CheckResult& row : judgement.results) {
    EXPECT_EQ(row.verdict, Verdict::kFail) << row.id << ": " << row.message;
  }
  EXPECT_LT(world.took(), seconds(10)) << hopeless.what;
}

INSTANTIATE_TEST_SUITE_P(All, HopelessServer, testing::Range(std::size_t{0}, std::size(kHopeless)));

// Opens as it should and falls silent then.
const Deviation kMute = {"mute",
                         kNewestStateful,
                         Transport::kStdio,
                         "answers initialize alone",
                         nullptr,
                         [](Interceptor& interceptor, std::string text) {
                           if (text.find("initialize") != std::string::npos) {
                             interceptor.pass_text(std::move(text));
                           }
                         }};

TEST(MuteServer, IsJudgedInBoundedTime) {
  DeviantWorld world(Transport::kStdio, &kMute);
  const Judgement judgement = judged(world, std::string(kNewestStateful));
  EXPECT_FALSE(judgement.results.empty());
  EXPECT_LT(world.took(), seconds(60));
}

std::uint64_t mad_seed = 0;

// madness draws from what the server has said so far what to do with a message.
void madness(Interceptor& interceptor, Json message) {
  Rng rng =
      Rng(mad_seed + static_cast<std::uint64_t>(interceptor.count++)).fork(dump_json(message));
  switch (rng.below(12)) {
    case 0:
      return;
    case 1:
      interceptor.say(message);
      return interceptor.say(message);
    case 2:
      return interceptor.say_text(dump_json(message).substr(0, rng.below(40)));
    case 3:
      message["id"] = "mad";
      return interceptor.say(message);
    case 4:
      message.erase("result");
      return interceptor.say(message);
    case 5:
      message["result"] = Json::array({nullptr});
      return interceptor.say(message);
    case 6:
      if (rng.chance(1, 4)) return interceptor.stop();
      return interceptor.say(Json::array({message}));
    case 7:
      message["method"] = 7;
      return interceptor.say(message);
    default:
      return interceptor.say(message);
  }
}

const Deviation kMad[] = {
    {"mad", kNewestStateful, Transport::kStdio, "does anything", madness},
    {"mad", kNewestStateful, Transport::kHttp, "does anything", madness},
    {"mad", kNewestStateless, Transport::kStdio, "does anything", madness},
    {"mad", kNewestStateless, Transport::kHttp, "does anything", madness},
};

class MadServer : public testing::TestWithParam<std::tuple<std::size_t, std::uint64_t>> {};

TEST_P(MadServer, EndsNoJudge) {
  const auto [which, seed] = GetParam();
  const Deviation& mad = kMad[which];
  mad_seed = 1'000'000 * seed;
  DeviantWorld world(mad.transport, &mad);
  judged(world, std::string(mad.revision));
  EXPECT_LT(world.took(), std::chrono::minutes(5));
}

INSTANTIATE_TEST_SUITE_P(All, MadServer,
                         testing::Combine(testing::Range(std::size_t{0}, std::size(kMad)),
                                          testing::Range(std::uint64_t{0}, std::uint64_t{10})));

TEST(ServerProcesses, AreNoMoreThanAreAllowed) {
  DeviantWorld world(Transport::kStdio, nullptr);
  JudgeOptions options;
  options.revision = std::string(kNewestStateful);
  constexpr int kStartsMax = 3;
  const Judgement judgement = world.judge(std::move(options), kStartsMax);
  EXPECT_EQ(judgement.starts, kStartsMax);
  for (const CheckResult& row : judgement.results) {
    EXPECT_NE(row.verdict, Verdict::kFail) << row.id << ": " << row.message;
  }
}

int openings_seen = 0;

// Ends when it is asked to open, in its first process: as one that bears no other beside itself.
const Deviation kJealous = {"jealous",
                            kNewestStateful,
                            Transport::kStdio,
                            "ends in its first process",
                            nullptr,
                            [](Interceptor& interceptor, std::string text) {
                              const bool opens = text.find("initialize\"") != std::string::npos;
                              if (opens && ++openings_seen == 1) return interceptor.stop();
                              interceptor.pass_text(std::move(text));
                            }};

TEST(ServerProcesses, ThatMayHaveEndedForThoseStartedAheadAreStartedAgain) {
  for (const int ahead : {0, 2}) {
    openings_seen = 0;
    DeviantWorld world(Transport::kStdio, &kJealous);
    JudgeOptions options;
    options.revision = std::string(kNewestStateful);
    options.starts_ahead = ahead;
    const Judgement judgement = world.judge(std::move(options));
    EXPECT_EQ(judgement.unreachable.message.empty(), ahead > 0) << judgement.unreachable.message;
  }
}

TEST(ServerProcesses, OpenedForOneRuleServeAnother) {
  DeviantWorld world(Transport::kStdio, nullptr);
  JudgeOptions options;
  options.revision = std::string(kNewestStateful);
  options.selection.only = {"versioning.server-counter-offers", "tools.inputs-validated",
                            "jsonrpc.parse-error-code", "stdio.exit-on-stdin-eof"};
  // The shared one, three for versions that there are not, one for none, one to be ended: the rest
  // uses these.
  EXPECT_EQ(world.judge(std::move(options)).starts, 6);
}

TEST(ServerProcesses, AStrangerIsOfUseToSeveralRules) {
  DeviantWorld world(Transport::kStdio, nullptr);
  JudgeOptions options;
  options.revision = std::string(kNewestStateful);
  options.selection.only = {"versioning.mismatch-handled", "lifecycle.ping-during-init-answered",
                            "lifecycle.unknown-capabilities-tolerated"};
  EXPECT_EQ(world.judge(std::move(options)).starts, 2);
}

// Knows nothing of the stateless revision.
const Deviation kOfOneEra = {"of one era",
                             kNewestStateful,
                             Transport::kStdio,
                             "refuses server/discover",
                             nullptr,
                             [](Interceptor& interceptor, std::string text) {
                               const Json message = read(text);
                               if (method_of(message) != "server/discover") {
                                 return interceptor.pass_text(std::move(text));
                               }
                               refuse(interceptor, id_of(message), -32601);
                             }};

TEST(ServerProcesses, WhichRefusedTheOtherEraShowWhatNobodyInitialized) {
  DeviantWorld world(Transport::kStdio, &kOfOneEra);
  JudgeOptions options;
  options.revision = "auto";
  options.selection.only = {"lifecycle.initialize-first"};
  const Judgement judgement = world.judge(std::move(options));
  EXPECT_EQ(judgement.starts, 5) << "one a revision";
  ASSERT_EQ(judgement.results.size(), 1U);
  EXPECT_EQ(judgement.results.front().verdict, Verdict::kPass) << judgement.results.front().message;
}

const Deviation kDeaf = {
    .id = "deaf", .revision = kNewestStateful, .what = "goes on when its input ends", .deaf = true};

// Each of its processes has to be told to end; only the first ones are waited for to do it alone.
TEST(DeafServer, IsWaitedForOnceAndNotForEachProcess) {
  DeviantWorld right(Transport::kStdio, nullptr);
  DeviantWorld deaf(Transport::kStdio, &kDeaf);
  judged(right, std::string(kNewestStateful));
  judged(deaf, std::string(kNewestStateful));
  EXPECT_LT(deaf.took(), right.took() + milliseconds(1'500));
}

const Deviation kTiresome = {
    .id = "tiresome",
    .revision = kNewestStateful,
    .what = "answers no call of a tool that tells of its progress",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          if (!edit::is_of(interceptor, message, "test_tool_with_progress")) {
            interceptor.say(message);
          }
        },
};
const Deviation kTiresomeAndDeaf = {.id = "tiresome and deaf",
                                    .revision = kNewestStateful,
                                    .what = "likewise, and goes on when its input ends",
                                    .from_server = kTiresome.from_server,
                                    .deaf = true};

// What calls that were given up may still tell is listened for in the meantime.
TEST(DeafServer, IsWaitedForWhileSomethingElseIsHeardOut) {
  DeviantWorld tiresome(Transport::kStdio, &kTiresome);
  DeviantWorld both(Transport::kStdio, &kTiresomeAndDeaf);
  for (DeviantWorld* const world : {&tiresome, &both}) {
    JudgeOptions options;
    options.revision = std::string(kNewestStateful);
    options.selection.only = {"progress.increases", "stdio.exit-on-stdin-eof"};
    EXPECT_EQ(world->judge(std::move(options)).results.size(), 2U);
  }
  EXPECT_LT(both.took(), tiresome.took() + milliseconds(500));
}

}  // namespace
}  // namespace plumbline::conformance
