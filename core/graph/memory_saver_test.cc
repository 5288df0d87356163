#include "core/graph/memory_saver.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/checkpointer_fixture.h"

namespace plumbline::graph {
namespace {

class MemoryKeeping {
 public:
  Checkpointer<SavedState>& saver() { return saver_; }
  void run() {}  // Nothing is ever waited for.

 private:
  MemorySaver<SavedState> saver_;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Memory, CheckpointerTest, MemoryKeeping);

TEST(MemorySaverTest, OfManyStepsTheLatestAreKept) {
  MemorySaver<SavedState> saver(2);
  for (std::int64_t step = 0; step < 5; ++step) {
    Checkpoint<SavedState> kept{{SavedState(Json(step))}};
    kept.step = step;
    Task<Status> putting = saver.put({"t", step}, kept);
    putting.start();
    ASSERT_TRUE(putting.result().ok());
  }
  Task<Result<std::vector<Checkpoint<SavedState>>>> reading = saver.history("t", {});
  reading.start();
  const std::vector<Checkpoint<SavedState>>& history = reading.result().value();
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0].step, 4);
  EXPECT_EQ(history[1].at.state.json(), 3);
}

}  // namespace
}  // namespace plumbline::graph
