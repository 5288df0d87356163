// Servers that talk too much: some thousand messages are heard, what has no end is cut, and what
// was missed by that is held against nobody.

#include <algorithm>
#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {
namespace {

constexpr int kTalkative = 3'000;  // Messages of a server that is only that.
constexpr int kFlood = 20'000;

std::string log_message(int number) {
  return R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",)"
         R"("data":"step )" +
         std::to_string(number) + "\"}}";
}

// TalkingWire is a connection to a subject that says what the test wants.
class TalkingWire final : public Wire {
 public:
  using Wire::Wire;
  std::size_t send(std::string text, wire::HttpHeaders, std::uint32_t) override {
    sent(text, 0, 0);
    return 0;
  }
  Task<void> close() override { co_return; }
  void say(std::string_view text) { arrived(text, Frame{}, 0); }
  void log(int messages) {
    for (int i = 0; i < messages; ++i) say(log_message(i));
  }
};

class TalkingSubject : public testing::Test {
 protected:
  fakes::SimLoop loop_;
  Redactor redactor_;
  WireLog log_{redactor_, loop_.now()};
};

TEST_F(TalkingSubject, IsHeardForSomeThousandMessages) {
  TalkingWire wire(loop_, log_);
  wire.log(kTalkative);
  EXPECT_FALSE(wire.inbox().closed);
  EXPECT_EQ(log_.entries().size(), static_cast<std::size_t>(kTalkative));
  EXPECT_EQ(log_.flood(), "");
  EXPECT_TRUE(log_.whole());
}

TEST_F(TalkingSubject, IsCutWhenItFloods) {
  TalkingWire wire(loop_, log_);
  wire.log(kFlood);
  EXPECT_TRUE(wire.inbox().closed);
  EXPECT_EQ(log_.flood(),
            "not judged to its end: the subject floods the connection with more than 4 MB that "
            "nobody asked for");
}

TEST_F(TalkingSubject, SaysMoreWhenItIsAsked) {
  TalkingWire wire(loop_, log_);
  const std::string large(1'000'000, 'x');
  for (int id = 0; id < 8; ++id) {
    const std::string number = std::to_string(id);
    wire.send(R"({"jsonrpc":"2.0","method":"resources/read","id":)" + number + "}", {}, 0);
    wire.say(R"({"jsonrpc":"2.0","result":{"text":")" + large + R"("},"id":)" + number + "}");
  }
  EXPECT_FALSE(wire.inbox().closed);
  for (int again = 0; again < 8; ++again) {
    wire.say(R"({"jsonrpc":"2.0","result":{"text":")" + large + R"("},"id":1})");
  }
  EXPECT_TRUE(wire.inbox().closed);  // That was answered.
}

TEST_F(TalkingSubject, FillsNoLogOverManyConnections) {
  std::size_t before = 0;
  for (int connection = 0; connection < 40; ++connection) {
    TalkingWire wire(loop_, log_);
    wire.send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", {}, 0);
    wire.log(kTalkative);
    wire.say(R"({"jsonrpc":"2.0","id":1,"result":{}})");
    EXPECT_FALSE(wire.inbox().closed);
    EXPECT_EQ(wire.inbox().frames.size(), static_cast<std::size_t>(kTalkative) + 1);
    if (log_.whole()) before = log_.entries().size();
  }
  EXPECT_FALSE(log_.whole());
  EXPECT_LT(log_.entries().size(), 40'000U);
  EXPECT_GE(log_.before_gap().size(), before);
  EXPECT_LT(log_.before_gap().size(), log_.entries().size());
}

const Deviation kFlooding = {
    .id = "a flood",
    .revision = kNewestStateful,
    .what = "logs without end",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          interceptor.say(message);
          if (interceptor.method_asked(message) != "tools/list") return;
          for (int i = 0; i < kFlood; ++i) interceptor.say_text(log_message(i));
        },
};

TEST(FloodingServer, PassesNothingAndFailsNothingThatWasMissed) {
  DeviantWorld world(Transport::kStdio, &kFlooding);
  JudgeOptions options;
  options.revision = std::string(kNewestStateful);
  std::size_t rows_min = 41;
#ifdef PLUMBLINE_SANITIZED  // All take minutes there.
  options.selection.only = {"tools.definition-required-fields", "jsonrpc.method-not-found-code",
                            "ping.empty-result"};
  rows_min = 2;
#endif
  const Judgement judgement = world.judge(std::move(options));
  EXPECT_GE(judgement.results.size(), rows_min);
  for (const CheckResult& row : judgement.results) {
    EXPECT_NE(row.verdict, Verdict::kPass) << row.id;
    EXPECT_NE(row.verdict, Verdict::kFail) << row.id << ": " << row.message;
    if (row.verdict != Verdict::kInconclusive) continue;
    EXPECT_NE(row.message.find("that nobody asked for"), std::string::npos) << row.message;
  }
}

// The judge gives up the call of a tool that does not answer before it says the same again.
const Deviation kTellsLate = {
    .id = "progress.increases",
    .revision = kNewestStateful,
    .what = "reports the same progress again after two seconds of a call",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          if (edit::is_of(interceptor, message, "test_tool_with_progress")) return;
          if (string_or(message, "method", "") != "notifications/progress") {
            return interceptor.say(message);
          }
          if (*at_pointer(message, "/params/progress") != Json(0)) return;
          interceptor.say(message);
          interceptor.say_later(std::chrono::seconds(2), std::move(message));
        },
};

TEST(LateTeller, IsHeardThoughItsCallWasGivenUp) {
  DeviantWorld world(Transport::kStdio, &kTellsLate);
  JudgeOptions options;
  options.revision = std::string(kNewestStateful);
  options.selection.only = {std::string(kTellsLate.id)};  // Nothing else takes that long.
  const Judgement judgement = world.judge(std::move(options));
  const auto row = std::ranges::find(judgement.results, kTellsLate.id, &CheckResult::id);
  ASSERT_NE(row, judgement.results.end());
  EXPECT_EQ(row->verdict, Verdict::kFail) << row->message;
}

}  // namespace
}  // namespace plumbline::conformance
