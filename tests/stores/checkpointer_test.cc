// ThreadStore does what every Checkpointer has to do, on a store that takes its time as well.

#include "core/graph/checkpointer_fixture.h"

#include <chrono>

#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_record_store.h"
#include "tests/stores/store_fixture.h"

namespace plumbline::graph {
namespace {

class SlowKeeping {
 public:
  Checkpointer<SavedState>& saver() { return store_; }
  void run() { check(loop_.run_until_idle().ok(), "the world goes on for ever"); }

 private:
  fakes::SimLoop loop_;
  fakes::SimWallClock clock_{loop_, std::chrono::seconds(0)};
  fakes::SimRecordStore records_{loop_, [](std::string_view, const std::string&) {
                                   return fakes::StoreTrouble{.before = std::chrono::seconds(1),
                                                              .after = std::chrono::seconds(1)};
                                 }};
  store::ThreadStore store_{records_, clock_};
};

class SqliteKeeping {
 public:
  Checkpointer<SavedState>& saver() { return store_; }
  void run() {}  // Nobody else has the file.

 private:
  os::RealLoop loop_;
  stores::Scratch scratch_;
  os::RealWallClock clock_;
  std::unique_ptr<RecordStore> records_ =
      std::move(os::SqliteRecordStore::open(loop_, scratch_.path("t.db"))).value();
  store::ThreadStore store_{*records_, clock_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Slow, CheckpointerTest, SlowKeeping);
INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, CheckpointerTest, SqliteKeeping);

}  // namespace
}  // namespace plumbline::graph
