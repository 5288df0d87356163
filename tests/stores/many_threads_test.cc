// A thousand threads with branches side by side over one store cost a thousand times what one
// costs, and a conflict costs one refused write, one look and the write again. What is counted are
// the calls of the store: they are the same on every machine.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/store/memory_record_store.h"
#include "core/store/thread_store.h"
#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::stores {
namespace {

using graph::SavedState;
using store::SavedCheckpoint;
using store::ThreadStore;

// CountingStore counts what is asked of the records.
class CountingStore final : public RecordStore {
 public:
  std::int64_t puts = 0;
  std::int64_t refused = 0;
  std::int64_t reads = 0;

  // implements RecordStore ---
  Task<Result<bool>> put(std::vector<Put> all) override {
    ++puts;
    Result<bool> done = co_await records_.put(std::move(all));
    if (done.ok() && !done.value()) ++refused;
    co_return done;
  }
  Task<Result<std::vector<Record>>> history(std::string key, std::int64_t upto,
                                            std::size_t count) override {
    ++reads;
    return records_.history(std::move(key), upto, count);
  }
  Task<Result<std::vector<Record>>> list(std::string prefix, std::string after,
                                         std::size_t count) override {
    ++reads;
    return records_.list(std::move(prefix), std::move(after), count);
  }
  Task<Status> trim(std::string key, std::int64_t first) override {
    return records_.trim(std::move(key), first);
  }
  Task<Result<bool>> remove(std::string key, std::int64_t expected) override {
    return records_.remove(std::move(key), expected);
  }

 private:
  store::MemoryRecordStore records_;
};

SavedCheckpoint step_of_three(std::int64_t number) {
  graph::Snapshot<SavedState> at{SavedState(Json{{"version", 1}, {"value", number}})};
  for (const char* const node : {"a", "b", "c"}) {
    graph::Branch<SavedState> branch;
    branch.key = branch.node = node;
    at.branches.push_back(std::move(branch));
  }
  SavedCheckpoint step{std::move(at)};
  step.step = number;
  if (number > 0) step.parent = number - 1;
  return step;
}

graph::Branch<SavedState> branch_done(const char* key) {
  graph::Branch<SavedState> branch;
  branch.key = branch.node = key;
  branch.update.emplace(Json{{"version", 1}, {"value", key}});
  return branch;
}

class ManyThreadsTest : public testing::Test {
 protected:
  template <typename T>
  T finish(Task<T> task) {
    const auto ran = loop_.run_task(task);
    check(ran.ok(), "the store hangs");
    return std::move(task.result());
  }

  fakes::SimLoop loop_;
  fakes::SimWallClock clock_{loop_, Duration{}};
};

TEST_F(ManyThreadsTest, EachCostsWhatOneCosts) {
  constexpr std::int64_t kSteps = 3;
  for (const std::int64_t threads : {1, 100, 1'000}) {
    CountingStore records;
    ThreadStore store(records, clock_);
    std::vector<std::int64_t> versions(static_cast<std::size_t>(threads), 0);
    // All at once: each write of one thread stands between those of all others.
    const auto write = [&](auto put) {
      for (std::size_t i = 0; i < versions.size(); ++i) {
        const Status kept = finish(put(graph::Turn{"t" + std::to_string(i), versions[i]++, 1}));
        ASSERT_TRUE(kept.ok()) << kept.error().message;
      }
    };
    for (std::int64_t step = 0; step < kSteps; ++step) {
      write([&](graph::Turn turn) { return store.put(std::move(turn), step_of_three(step)); });
      for (const char* const key : {"b", "c", "a"}) {
        write(
            [&](graph::Turn turn) { return store.put_branch(std::move(turn), branch_done(key)); });
      }
    }
    EXPECT_EQ(records.puts, threads * kSteps * 4);
    EXPECT_EQ(records.refused, 0);
    EXPECT_EQ(records.reads, 0) << "what a store has written itself it need not read";
  }
}

TEST_F(ManyThreadsTest, AConflictCostsOneLookAndOneMoreWrite) {
  CountingStore records;
  ThreadStore one(records, clock_);
  ThreadStore two(records, clock_);
  ASSERT_TRUE(finish(one.put({"t", 0, 1}, step_of_three(0))).ok());
  ASSERT_TRUE(finish(two.latest("t")).ok());
  ASSERT_TRUE(finish(two.put_branch({"t", 1, 2}, branch_done("a"))).ok());
  records.puts = records.reads = records.refused = 0;
  const Status late = finish(one.put_branch({"t", 1, 1}, branch_done("b")));
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, ErrorCode::kConflict);
  const auto now = finish(one.latest("t"));
  ASSERT_TRUE(now.ok() && now.value());
  const graph::Turn turn{"t", now.value()->version.number, 1};
  EXPECT_TRUE(finish(one.put_branch(turn, branch_done("b"))).ok());
  EXPECT_EQ(records.refused, 1);
  EXPECT_EQ(records.puts, 2);
  EXPECT_EQ(records.reads, 2);
}

}  // namespace
}  // namespace plumbline::stores
