#include "fakes/world/sim_pipe.h"

#include <chrono>

#include <gtest/gtest.h>

#include "fakes/testing/pipe_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::fakes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class SimPipeTest : public testing::Test {
 protected:
  void open(const PipeOptions& options) {
    pair_ = make_sim_pipe(loop_, options, Rng(7));
    pair_.near->start(near_);
    pair_.far->start(far_);
  }
  void run(Instant until = kNever) { ASSERT_TRUE(loop_.run_until_idle(100'000, until).ok()); }

  SimLoop loop_;
  PipeLog near_;
  PipeLog far_;
  SimPipePair pair_;
};

TEST_F(SimPipeTest, WritesArriveFromTheLoopAsTheyWereMade) {
  open({});
  pair_.near->write("one");
  pair_.near->write("two");
  pair_.far->write("back");
  EXPECT_TRUE(far_.text.empty());
  run();
  EXPECT_EQ(far_.pieces, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(near_.text, "back");
  EXPECT_EQ(pair_.far->bytes_read(), 6U);
}

TEST_F(SimPipeTest, AWriteArrivesAfterItsLatencyAndNotBefore) {
  open({.latency_min = milliseconds(10), .latency_max = milliseconds(10)});
  pair_.near->write("x");
  run(Instant(milliseconds(9)));
  EXPECT_EQ(far_.text, "");
  run(Instant(milliseconds(10)));
  EXPECT_EQ(far_.text, "x");
}

TEST_F(SimPipeTest, DrawnLatenciesStayInTheirRangeAndNeverReorder) {
  open({.latency_min = milliseconds(1), .latency_max = milliseconds(50)});
  for (char c = 'a'; c <= 'z'; ++c) pair_.near->write(std::string(1, c));
  run(Instant(Duration(999'999)));
  EXPECT_EQ(far_.text, "");
  run(Instant(milliseconds(50)));
  EXPECT_EQ(far_.text, "abcdefghijklmnopqrstuvwxyz");
}

TEST_F(SimPipeTest, AHalfCloseEndsOneDirectionAfterWhatWasWritten) {
  open({});
  pair_.near->write("last words");
  pair_.near->close_write();
  pair_.near->write("dropped");
  run();
  EXPECT_EQ(far_.text, "last words");
  EXPECT_TRUE(far_.ended);
  EXPECT_FALSE(far_.error);
  EXPECT_FALSE(near_.ended);
  pair_.far->write("still heard");
  run();
  EXPECT_EQ(near_.text, "still heard");
}

TEST_F(SimPipeTest, ADestroyedEndIsReadToItsEnd) {
  open({.latency_min = milliseconds(5), .latency_max = milliseconds(5)});
  pair_.near->write("testament");
  pair_.near.reset();
  run();
  EXPECT_EQ(far_.text, "testament");
  EXPECT_TRUE(far_.ended);
  EXPECT_FALSE(far_.error);
  pair_.far->write("into the void");
  run();
}

TEST_F(SimPipeTest, AClosedEndIsCalledNoMore) {
  open({});
  pair_.far->write("late");
  pair_.near->close();
  run();
  EXPECT_EQ(near_.text, "");
  EXPECT_FALSE(near_.ended);
  EXPECT_TRUE(far_.ended);
}

TEST_F(SimPipeTest, BytesWaitForAReader) {
  pair_ = make_sim_pipe(loop_, {}, Rng(7));
  pair_.near->write("early");
  run();
  pair_.far->start(far_);
  EXPECT_EQ(far_.text, "");
  run();
  EXPECT_EQ(far_.text, "early");
}

TEST_F(SimPipeTest, AResetLosesWhatIsOnItsWayAndBothEndsHearOfIt) {
  open({.latency_min = seconds(1), .latency_max = seconds(1)});
  pair_.near->write("lost");
  pair_.far->reset();
  EXPECT_FALSE(near_.ended);
  run();
  EXPECT_EQ(far_.text, "");
  ASSERT_TRUE(near_.error && far_.error);
  EXPECT_EQ(near_.error->code, ErrorCode::kDisconnected);
  EXPECT_EQ(far_.error->code, ErrorCode::kDisconnected);
  EXPECT_EQ(loop_.now(), Instant());
}

TEST_F(SimPipeTest, AResetAfterBytesCutsTheStreamExactlyThere) {
  open({});
  pair_.far->reset_after(5);
  pair_.near->write("abc");
  pair_.near->write("defgh");
  pair_.near->write("ijk");
  run();
  EXPECT_EQ(far_.text, "abcde");
  ASSERT_TRUE(far_.error);
  EXPECT_TRUE(near_.error);
}

TEST_F(SimPipeTest, AStalledEndHearsEverythingLaterAndInOrder) {
  open({});
  pair_.near->write("a");
  pair_.far->stall_until(Instant(seconds(3)));
  pair_.near->write("b");
  run(Instant(milliseconds(2'999)));
  EXPECT_EQ(far_.text, "");
  run();
  EXPECT_EQ(far_.text, "ab");
  EXPECT_EQ(loop_.now(), Instant(seconds(3)));
}

TEST_F(SimPipeTest, AnEndStalledForGoodLeavesTheLoopIdle) {
  open({});
  pair_.far->stall_until(kNever);
  pair_.near->write("never");
  run();
  EXPECT_TRUE(loop_.idle());
  EXPECT_EQ(far_.text, "");
}

TEST_F(SimPipeTest, AFullQueueBreaksTheStreamAndNamesTheBound) {
  open({.queue_bytes_max = 100});
  pair_.far->stall_until(kNever);
  pair_.near->write(std::string(100, 'x'));
  run();
  EXPECT_FALSE(near_.ended);
  pair_.near->write("y");
  run();
  ASSERT_TRUE(near_.error && far_.error);
  EXPECT_EQ(near_.error->code, ErrorCode::kLimitReached);
  EXPECT_EQ(near_.error->message, "more than 100 bytes wait to be sent");
  EXPECT_EQ(far_.error->code, ErrorCode::kDisconnected);
}

TEST_F(SimPipeTest, BytesThatWereReadMakeRoomInTheQueue) {
  open({.queue_bytes_max = 100});
  for (int i = 0; i < 10; ++i) {
    pair_.near->write(std::string(100, 'x'));
    run();
  }
  EXPECT_EQ(far_.text.size(), 1'000U);
  EXPECT_FALSE(near_.ended);
}

TEST_F(SimPipeTest, DroppingBothEndsMidwayLeavesTheLoopIdle) {
  open({.latency_min = seconds(1), .latency_max = seconds(2), .fragments = Fragments::kOneByte});
  pair_.near->write("some bytes");
  pair_.far->write("other bytes");
  run(Instant(milliseconds(1'500)));
  pair_ = {};
  EXPECT_TRUE(loop_.idle());
}

// A reader that destroys its own end in the middle of what it reads.
struct SelfDestroying final : net::PipeReader {
  explicit SelfDestroying(std::unique_ptr<SimPipe>& end) : own(end) {}
  void on_bytes(std::string_view) override { own.reset(); }
  void on_end(const Error*) override { own.reset(); }
  std::unique_ptr<SimPipe>& own;
};

TEST_F(SimPipeTest, AReaderMayDestroyItsEnd) {
  pair_ = make_sim_pipe(loop_, {.fragments = Fragments::kOneByte}, Rng(7));
  SelfDestroying reader(pair_.far);
  pair_.near->start(near_);
  pair_.far->start(reader);
  pair_.near->write("boom");
  run();
  EXPECT_EQ(pair_.far, nullptr);
  EXPECT_TRUE(near_.ended);
}

}  // namespace
}  // namespace plumbline::fakes
