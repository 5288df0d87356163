#include "fakes/world/value_channel.h"

#include <chrono>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/mcp/transport/stdio_channel.h"
#include "fakes/testing/channel_log.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_pipe.h"

namespace plumbline::fakes {
namespace {

using std::chrono::milliseconds;

class ValueChannelTest : public testing::Test {
 protected:
  void open(const ValueOptions& options) {
    pair_ = make_value_channel(loop_, options, Rng(7));
    pair_.near->start(near_);
    pair_.far->start(far_);
  }
  void run(Instant until = kNever) { ASSERT_TRUE(loop_.run_until_idle(100'000, until).ok()); }

  SimLoop loop_;
  ChannelLog near_;
  ChannelLog far_;
  ValueChannelPair pair_;
};

TEST_F(ValueChannelTest, MessagesArriveInOrderAfterTheirLatency) {
  open({.latency_min = milliseconds(1), .latency_max = milliseconds(9)});
  for (int i = 0; i < 200; ++i) pair_.near->send(i);
  EXPECT_TRUE(far_.messages.empty());
  run(Instant(Duration(999'999)));
  EXPECT_TRUE(far_.messages.empty());
  run(Instant(milliseconds(9)));
  ASSERT_EQ(far_.messages.size(), 200U);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(far_.messages[i], i);
}

TEST_F(ValueChannelTest, CloseSendEndsOneDirectionAfterWhatWasSent) {
  open({});
  pair_.near->send("last");
  pair_.near->close_send();
  pair_.near->send("dropped");
  pair_.far->send("still heard");
  run();
  EXPECT_EQ(far_.messages, (std::vector<Json>{"last"}));
  EXPECT_TRUE(far_.closed);
  EXPECT_FALSE(far_.error);
  EXPECT_EQ(near_.messages.size(), 1U);
}

TEST_F(ValueChannelTest, AResetLosesWhatIsOnItsWay) {
  open({.latency_min = milliseconds(1), .latency_max = milliseconds(1)});
  pair_.near->send("lost");
  pair_.far->reset();
  run();
  EXPECT_TRUE(far_.messages.empty());
  ASSERT_TRUE(near_.error && far_.error);
  EXPECT_EQ(near_.error->code, ErrorCode::kDisconnected);
}

TEST_F(ValueChannelTest, AStalledEndHearsLater) {
  open({});
  pair_.far->stall_until(Instant(milliseconds(100)));
  pair_.near->send(1);
  run(Instant(milliseconds(99)));
  EXPECT_TRUE(far_.messages.empty());
  run();
  EXPECT_EQ(far_.messages.size(), 1U);
}

TEST_F(ValueChannelTest, DroppingBothEndsMidwayLeavesTheLoopIdle) {
  open({.latency_min = milliseconds(1), .latency_max = milliseconds(1)});
  pair_.near->send(1);
  pair_.far->send(2);
  pair_ = {};
  EXPECT_TRUE(loop_.idle());
}

// Raw text and messages arrive through values exactly as through a StdioChannel over bytes, also
// when the stream ends or breaks in between, and whoever sends goes on.
RC_GTEST_PROP(ValueChannelPropTest, RawTextIsHeardAsOnAStreamOfLines, ()) {
  SimLoop loop;
  ChannelLog by_value;
  ChannelLog by_bytes;
  ChannelLog ignored;
  ValueChannelPair values = make_value_channel(loop, {}, Rng(1));
  values.near->start(ignored);
  values.far->start(by_value);
  SimPipePair bytes = make_sim_pipe(loop, {.fragments = Fragments::kRandom}, Rng(1));
  transport::StdioChannel reader(*bytes.far);
  reader.start(by_bytes);
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "\n", "\r\n", "{\"a\":1}\n", "{\"a\"", ":2}\n", "junk\n", "\xff\n", " ", "[1,2]", "\t\n"));
  for (const std::string& piece : pieces) {
    const auto before = *rc::gen::inRange(0, 20);
    if (before < 5) {
      values.near->send({{"sent", 1}});
      bytes.near->write("{\"sent\":1}\n");
    } else if (before == 5) {
      values.far->end_input();
      bytes.far->end_input();
    } else if (before == 6) {
      values.near->reset();
      bytes.near->reset();
    }
    values.near->send_raw(piece);
    bytes.near->write(piece);
  }
  values.near->close_send();
  bytes.near->close_write();
  RC_ASSERT(loop.run_until_idle().ok());
  RC_ASSERT(by_value.messages == by_bytes.messages);
  RC_ASSERT(by_value.garbage == by_bytes.garbage);
  RC_ASSERT((by_value.closed && by_bytes.closed));
}

}  // namespace
}  // namespace plumbline::fakes
