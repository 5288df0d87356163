// One writer at a time, one write at a time, and no write lost or made twice when nobody knows
// whether it was done.

#include "core/graph/thread.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/checkpointer_around.h"
#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using std::chrono::seconds;

// SlowSaver takes a second for each write, and does or refuses it as the test says.
class SlowSaver final : public CheckpointerAround<Trail> {
 public:
  enum class How { kWell, kRefused, kDoneAndRefused };

  explicit SlowSaver(Loop& loop) : CheckpointerAround(memory_), loop_(loop) {}

  std::deque<How> hows{};  // Of the next writes; well, when there is none.
  std::vector<std::string> writes{};

  // implements Checkpointer ---
  Task<Status> put(Turn turn, Kept checkpoint) override {
    return slowly("step", memory_.put(std::move(turn), std::move(checkpoint)));
  }
  Task<Status> put_branch(Turn turn, Branch<Trail> branch) override {
    const std::string key = branch.key;
    return slowly("branch " + key, memory_.put_branch(std::move(turn), std::move(branch)));
  }
  Task<Status> add_note(Turn turn, Note note) override {
    const std::string node = note.node;
    return slowly("note " + node, memory_.add_note(std::move(turn), std::move(note)));
  }

 private:
  Task<Status> slowly(std::string what, Task<Status> writing) {
    const How how = hows.empty() ? How::kWell : hows.front();
    if (!hows.empty()) hows.pop_front();
    writes.push_back(std::move(what));
    co_await Sleep(loop_, after(loop_.now(), seconds(1)));
    Status done = Error{ErrorCode::kDisconnected, "disk full"};
    if (how == How::kRefused) co_return done;
    Status written = co_await writing;
    if (how == How::kWell) co_return written;
    co_return done;
  }

  Loop& loop_;
  MemorySaver<Trail> memory_;
};

using Names = std::vector<std::string>;
using How = SlowSaver::How;

class ThreadTest : public testing::Test {
 protected:
  static Checkpoint<Trail> step() {
    Checkpoint<Trail> out;
    out.at.branches = {{.key = "a", .node = "a"}, {.key = "b", .node = "b"}};
    return out;
  }
  static Branch<Trail> branch(std::string key) {
    Branch<Trail> out{.key = key, .node = key};
    out.update.emplace();
    return out;
  }

  template <typename T>
  T finish(Task<T> task) {
    task.start();
    loop_.run();
    return std::move(task.result());
  }
  Checkpoint<Trail> kept() { return *finish(saver_.latest("t")).value(); }

  TinyLoop loop_;
  SlowSaver saver_{loop_};
  Thread<Trail> thread_{saver_, "t", loop_, 1};
};

TEST_F(ThreadTest, WhatIsAskedForTogetherIsWrittenOneAfterTheOther) {
  Task<Status> first = thread_.put(step());
  Task<Status> second = thread_.add_note({"a", 1});
  Task<Status> third = thread_.put_branch([] { return branch("b"); });
  first.start();
  second.start();
  third.start();
  loop_.run();
  EXPECT_TRUE(first.result().ok() && second.result().ok() && third.result().ok());
  EXPECT_EQ(saver_.writes, (Names{"step", "note a", "branch b"}));
  EXPECT_EQ(loop_.now(), Instant(seconds(3)));
  EXPECT_EQ(kept().version, (Version{3, 1}));
}

TEST_F(ThreadTest, OneThatIsDroppedInTheQueueOrInsideLetsTheNextIn) {
  ASSERT_TRUE(finish(thread_.put(step())).ok());
  Task<Status> inside = thread_.add_note({"a", 1});
  Task<Status> queued = thread_.add_note({"a", 2});
  Task<Status> last = thread_.add_note({"b", 3});
  inside.start();
  queued.start();
  last.start();
  queued.drop();
  inside.drop();
  loop_.run();
  EXPECT_TRUE(last.result().ok());
  EXPECT_EQ(kept().at.branches[1].notes.size(), 1U);
}

TEST_F(ThreadTest, AWriteOfWhichNobodyKnowsIsFoundOutBeforeTheNext) {
  for (const How how : {How::kRefused, How::kDoneAndRefused}) {
    SCOPED_TRACE(static_cast<int>(how));
    ASSERT_TRUE(finish(saver_.erase("t")).ok());
    Thread<Trail> thread(saver_, "t", loop_, 1);
    saver_.hows = {how};
    EXPECT_FALSE(finish(thread.put(step())).ok());
    EXPECT_TRUE(finish(thread.add_note({"a", 1})).ok());
    EXPECT_EQ(kept().step, 0);
    saver_.hows = {how};
    EXPECT_FALSE(finish(thread.put_branch([] { return branch("b"); })).ok());
    // The branch is put again where it was not: then the note is the second write.
    saver_.hows = {How::kWell, How::kRefused};
    EXPECT_EQ(finish(thread.add_note({"a", 2})).ok(), how == How::kDoneAndRefused);
    saver_.hows.clear();
    EXPECT_TRUE(finish(thread.put(step())).ok());
    EXPECT_EQ(kept().step, 1);
    EXPECT_TRUE(finish(saver_.at("t", 0)).value()->at.branches[1].done());
  }
}

TEST_F(ThreadTest, AStepThatComesWhileTheLastOneIsInDoubtIsTheNextOne) {
  saver_.hows = {How::kDoneAndRefused};
  EXPECT_FALSE(finish(thread_.put(step())).ok());
  EXPECT_TRUE(finish(thread_.put(step())).ok());
  EXPECT_EQ(kept().step, 1);
  EXPECT_EQ(kept().parent, 0);
}

TEST_F(ThreadTest, WhoeverFindsThatAnotherWritesWritesNoMore) {
  Thread<Trail> other(saver_, "t", loop_, 2);
  ASSERT_TRUE(finish(thread_.put(step())).ok());
  EXPECT_EQ(finish(other.put(step())).error().code, ErrorCode::kConflict);
  EXPECT_EQ(finish(other.add_note({"a", 1})).error().code, ErrorCode::kConflict);
  ASSERT_TRUE(finish(other.latest()).ok());
  EXPECT_TRUE(finish(other.add_note({"a", 1})).ok());
  EXPECT_EQ(finish(thread_.add_note({"a", 1})).error().code, ErrorCode::kConflict);
  EXPECT_EQ(finish(thread_.put_branch([] { return branch("a"); })).error().code,
            ErrorCode::kConflict);
}

// The write of one process that was refused looks like that of another with the same version.
TEST_F(ThreadTest, TheWriteOfAnotherIsNotTakenForOnesOwn) {
  Thread<Trail> other(saver_, "t", loop_, 2);
  saver_.hows = {How::kRefused};
  EXPECT_FALSE(finish(thread_.put(step())).ok());
  ASSERT_TRUE(finish(other.put(step())).ok());
  EXPECT_EQ(finish(thread_.add_note({"a", 1})).error().code, ErrorCode::kConflict);
}

}  // namespace
}  // namespace plumbline::graph
