// What a fault does to a stream of bytes, and where it makes sense to a channel of values, too.

#include "fakes/faults/breakable.h"

#include <chrono>

#include <gtest/gtest.h>

#include "fakes/testing/channel_log.h"
#include "fakes/testing/pipe_log.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_pipe.h"
#include "fakes/world/value_channel.h"

namespace plumbline::fakes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// One message is five bytes and a line end: "word0", by value the text without the line end.
std::string word(int i) { return "word" + std::to_string(i); }

// BreakableTest has both streams; each check is made of both.
class BreakableTest : public testing::Test {
 protected:
  BreakableTest() {
    bytes_.near->start(near_bytes_);
    bytes_.far->start(far_bytes_);
    values_.near->start(near_values_);
    values_.far->start(far_values_);
  }

  void run(Instant until = kNever) { ASSERT_TRUE(loop_.run_until_idle(100'000, until).ok()); }

  // both does `act` at the far end of either stream.
  template <typename Act>
  void both(Act act) {
    act(*bytes_.far);
    act(*values_.far);
  }
  void send(int i) {
    bytes_.near->write(word(i) + '\n');
    values_.near->send(word(i));
  }

  // heard returns how many messages both far ends have heard.
  std::size_t heard() const {
    EXPECT_EQ(far_bytes_.text.size(), 6 * far_values_.messages.size());
    return far_values_.messages.size();
  }

  SimLoop loop_;
  SimPipePair bytes_ = make_sim_pipe(loop_, {}, Rng(7));
  ValueChannelPair values_ = make_value_channel(loop_, {}, Rng(7));
  PipeLog near_bytes_;
  PipeLog far_bytes_;
  ChannelLog near_values_;
  ChannelLog far_values_;
};

TEST_F(BreakableTest, TheOtherEndIsThereUntilItIsClosed) {
  EXPECT_EQ(bytes_.far->other_end(), bytes_.near.get());
  EXPECT_EQ(values_.far->other_end(), values_.near.get());
  bytes_.near.reset();
  values_.near->close();
  both([](Breakable& end) { EXPECT_EQ(end.other_end(), nullptr); });
}

TEST_F(BreakableTest, AnEarlierStallDoesNotEndALaterOne) {
  both([](Breakable& end) { end.stall_until(Instant(seconds(5))); });
  both([](Breakable& end) { end.stall_until(Instant(seconds(2))); });
  send(0);
  run(Instant(milliseconds(4'999)));
  EXPECT_EQ(heard(), 0U);
  run();
  EXPECT_EQ(heard(), 1U);
  EXPECT_EQ(loop_.now(), Instant(seconds(5)));
}

TEST_F(BreakableTest, WhatWasHeldComesTogetherAndInOrder) {
  both([](Breakable& end) { end.hold_until(Instant(seconds(1))); });
  for (int i = 0; i < 3; ++i) send(i);
  run(Instant(milliseconds(999)));
  EXPECT_EQ(heard(), 0U);
  run();
  EXPECT_EQ(far_bytes_.pieces, std::vector<std::string>{"word0\nword1\nword2\n"});
  EXPECT_EQ(far_values_.messages, (std::vector<Json>{word(0), word(1), word(2)}));
  send(3);
  send(4);
  run();
  EXPECT_EQ(far_bytes_.pieces.size(), 3U) << "what comes later comes as it was written";
}

TEST_F(BreakableTest, AThrottledStreamTakesTimeAndHeals) {
  // A line of bytes is "word0\n", a value is dumped with quotes: 6 and 8 bytes.
  both([](Breakable& end) { end.throttle_until(Instant(seconds(2)), 8); });
  send(0);
  run(Instant(milliseconds(740)));
  EXPECT_EQ(far_bytes_.text, "");
  run(Instant(seconds(1)));
  EXPECT_EQ(heard(), 1U);
  for (int i = 1; i < 9; ++i) send(i);
  run(Instant(milliseconds(1'999)));
  EXPECT_EQ(far_values_.messages.size(), 1U);
  EXPECT_EQ(far_bytes_.text.size(), 12U);
  run();
  EXPECT_EQ(heard(), 9U);
  EXPECT_EQ(loop_.now(), Instant(seconds(2)));
}

TEST_F(BreakableTest, AThrottledWriteTricklesIn) {
  bytes_.far->throttle_until(kNever, 1'000);
  bytes_.near->write(std::string(1'000, 'x'));
  run(Instant(milliseconds(500)));
  EXPECT_GT(far_bytes_.text.size(), 300U);
  EXPECT_LT(far_bytes_.text.size(), 501U);
  run();
  EXPECT_EQ(far_bytes_.text.size(), 1'000U);
  EXPECT_EQ(loop_.now(), Instant(seconds(1)));
}

TEST_F(BreakableTest, EachWriteIsAskedHowMuchLongerItTakes) {
  int asked = 0;
  both([&asked](Breakable& end) {
    end.delay_writes([&asked] { return Extra{milliseconds(++asked > 2 ? 30 : 0), {}}; });
  });
  send(0);
  run();
  EXPECT_EQ(heard(), 1U);
  EXPECT_EQ(loop_.now(), Instant());
  send(1);
  run(Instant(milliseconds(29)));
  EXPECT_EQ(heard(), 1U);
  run();
  EXPECT_EQ(heard(), 2U);
  EXPECT_EQ(loop_.now(), Instant(milliseconds(30)));
  both([](Breakable& end) { end.other_end()->reset(); });
  run();
  EXPECT_EQ(asked, 4) << "the end of a stream is no write";
}

TEST_F(BreakableTest, AnInputThatEndedLeavesTheOtherDirection) {
  send(0);
  both([](Breakable& end) { end.end_input(); });
  send(1);
  bytes_.far->write("back");
  values_.far->send("back");
  run();
  EXPECT_EQ(heard(), 1U) << "what was on its way arrives, what comes later does not";
  EXPECT_TRUE(far_bytes_.ended && far_values_.closed);
  EXPECT_FALSE(far_bytes_.error || far_values_.error);
  EXPECT_EQ(near_bytes_.text, "back");
  EXPECT_EQ(near_values_.messages.size(), 1U);
  EXPECT_FALSE(near_bytes_.ended || near_values_.closed);
}

TEST_F(BreakableTest, FragmentsEndWhenTheyAreToldTo) {
  const std::string text(200, 'x');
  bytes_.far->fragment_until(Instant(seconds(1)));
  bytes_.near->write(text);
  run();
  EXPECT_GT(far_bytes_.pieces.size(), 2U);
  EXPECT_EQ(far_bytes_.text, text);
  far_bytes_.pieces.clear();
  Alarm later([this, &text] { bytes_.near->write(text); });
  loop_.arm(later, Instant(seconds(1)));
  run();
  EXPECT_EQ(far_bytes_.pieces.size(), 1U);
}

TEST_F(BreakableTest, AResetAfterBytesTellsWhenItStruck) {
  int struck = 0;
  bytes_.far->reset_after(7, [&struck] { ++struck; });
  send(0);
  run();
  EXPECT_EQ(struck, 0);
  send(1);
  run();
  EXPECT_EQ(struck, 1);
  EXPECT_EQ(far_bytes_.text, "word0\nw");
  EXPECT_TRUE(near_bytes_.error);
}

TEST_F(BreakableTest, AResetBeforeTheFirstByteIsSoon) {
  int struck = 0;
  bytes_.far->reset_after(0, [&struck] { ++struck; });
  send(0);
  run();
  EXPECT_EQ(struck, 1);
  EXPECT_EQ(far_bytes_.text, "");
  EXPECT_TRUE(far_bytes_.error);
}

}  // namespace
}  // namespace plumbline::fakes
