#include "fakes/world/sim_record_store.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_file_store.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::fakes {
namespace {

using std::chrono::seconds;

class SimStoresTest : public testing::Test {
 protected:
  template <typename T>
  T finish(Task<T> task) {
    task.start();
    check(loop_.run_until_idle().ok() && task.done(), "the store hangs");
    return std::move(task.result());
  }
  void pass(Duration span) {
    Alarm alarm([] {});
    loop_.arm(alarm, after(loop_.now(), span));
    EXPECT_TRUE(loop_.run_until([&alarm] { return !alarm.armed(); }).ok());
  }
  std::string put(std::int64_t expected, std::string value) {
    std::vector<Put> puts;
    puts.push_back({"key", expected, std::move(value)});
    const Result<bool> done = finish(records_.put(std::move(puts)));
    if (!done.ok()) return done.error().message;
    return done.value() ? "done" : "conflict";
  }
  std::string newest() {
    const Result<std::optional<Record>> found = finish(records_.get("key"));
    if (!found.ok()) return found.error().message;
    return found.value() ? found.value()->value : "nothing";
  }

  StoreTrouble next_;
  SimLoop loop_;
  StoreTroubles troubles_ = [this](std::string_view, const std::string&) {
    return std::exchange(next_, StoreTrouble());
  };
  SimRecordStore records_{loop_, troubles_};
  SimFileStore files_{troubles_};
};

TEST_F(SimStoresTest, APutMayFailBeforeOrAfterItIsDone) {
  next_.fault = StoreFault::kFail;
  EXPECT_EQ(put(0, "a"), "the store is gone");
  EXPECT_EQ(newest(), "nothing");
  next_.fault = StoreFault::kFailAfter;
  EXPECT_EQ(put(0, "b"), "the store is gone");
  EXPECT_EQ(newest(), "b");
  next_.fault = StoreFault::kConflict;
  EXPECT_EQ(put(1, "c"), "conflict");
  EXPECT_EQ(newest(), "b");
}

TEST_F(SimStoresTest, ATornPutIsSeenAsDamaged) {
  EXPECT_EQ(put(0, "a"), "done");
  next_.fault = StoreFault::kTear;
  EXPECT_EQ(put(1, "b"), "the store is gone");
  EXPECT_EQ(newest(), "record 2 is damaged");
  EXPECT_EQ(finish(records_.get("key", 1)).value()->value, "a");
  EXPECT_EQ(put(2, "c"), "the store is gone");
  records_.crash();
  EXPECT_EQ(newest(), "a");
  EXPECT_EQ(put(1, "b"), "done");
}

TEST_F(SimStoresTest, ALostPutIsSeenUntilTheCrash) {
  EXPECT_EQ(put(0, "a"), "done");
  next_.fault = StoreFault::kLose;
  EXPECT_EQ(put(1, "b"), "done");
  EXPECT_EQ(newest(), "b");
  records_.crash();
  EXPECT_EQ(newest(), "a");
  next_.fault = StoreFault::kLose;
  EXPECT_EQ(put(1, "b"), "done");
  EXPECT_EQ(put(2, "c"), "done");  // Syncs what came before it, too.
  records_.crash();
  EXPECT_EQ(newest(), "c");
}

TEST_F(SimStoresTest, APutThatIsDroppedIsDoneOrNot) {
  for (const bool too_late : {false, true}) {
    SimRecordStore records(loop_, [](std::string_view operation, const std::string&) {
      if (operation != "put") return StoreTrouble();
      return StoreTrouble{.before = seconds(1), .after = seconds(1)};
    });
    {
      std::vector<Put> puts;
      puts.push_back({"key", 0, "a"});
      Task<Result<bool>> task = records.put(std::move(puts));
      task.start();
      pass(std::chrono::milliseconds(too_late ? 1500 : 500));
      EXPECT_FALSE(task.done());
    }
    EXPECT_EQ(finish(records.get("key")).value().has_value(), too_late);
  }
}

TEST_F(SimStoresTest, AFileIsTornLostOrUntouched) {
  EXPECT_TRUE(files_.append_file("log", "whole;").ok());
  next_.fault = StoreFault::kTear;
  EXPECT_FALSE(files_.append_file("log", "half;").ok());
  EXPECT_EQ(files_.read_file("log").value(), "whole;ha");
  EXPECT_EQ(files_.mode_of("log").value(), 0600U);
  next_.fault = StoreFault::kTear;
  EXPECT_FALSE(files_.write_file("log", "new").ok());
  EXPECT_EQ(files_.read_file("log").value(), "whole;ha");
  next_.fault = StoreFault::kLose;
  EXPECT_TRUE(files_.rename_file("log", "old").ok());
  EXPECT_EQ(files_.list_files("log", "").ok(), false);
  files_.crash();
  EXPECT_EQ(files_.read_file("log").value(), "whole;ha");
  EXPECT_TRUE(files_.remove_file("log").ok());
  EXPECT_TRUE(files_.remove_file("log").ok());
  EXPECT_FALSE(files_.read_file("log").ok());
}

TEST_F(SimStoresTest, AWallClockIsSetAndJumps) {
  SimWallClock clock(loop_, seconds(1'785'230'000));
  EXPECT_EQ(rfc3339(clock.since_1970()), "2026-07-28T09:13:20Z");
  pass(seconds(61));
  EXPECT_EQ(rfc3339(clock.since_1970()), "2026-07-28T09:14:21Z");
  clock.jump(-std::chrono::hours(10));
  EXPECT_EQ(rfc3339(clock.since_1970()), "2026-07-27T23:14:21Z");
  clock.set(seconds(0));
  EXPECT_EQ(rfc3339(clock.since_1970()), "1970-01-01T00:00:00Z");
}

TEST_F(SimStoresTest, SecretsAreKeptByName) {
  SimSecretStore secrets(loop_, troubles_);
  EXPECT_TRUE(finish(secrets.set("token", "abcdef")).ok());
  EXPECT_EQ(finish(secrets.get("token")).value(), "abcdef");
  next_.fault = StoreFault::kFail;
  EXPECT_FALSE(finish(secrets.get("token")).ok());
  next_.fault = StoreFault::kTear;
  EXPECT_FALSE(finish(secrets.set("token", "ghijkl")).ok());
  EXPECT_EQ(finish(secrets.get("token")).value(), "ghi");
  next_.fault = StoreFault::kLose;
  EXPECT_TRUE(finish(secrets.remove("token")).ok());
  EXPECT_EQ(finish(secrets.get("token")).value(), std::nullopt);
  secrets.crash();
  EXPECT_EQ(finish(secrets.get("token")).value(), "ghi");
}

}  // namespace
}  // namespace plumbline::fakes
