// SQLite as a backend: the file that it makes, and files that are not as they should be.

#include <array>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/wait.h"
#include "core/os/real_file_store.h"
#include "core/os/store/sqlite.h"
#include "core/os/wall_clock.h"
#include "tests/stores/store_fixture.h"

namespace plumbline::stores {
namespace {

class SqliteTest : public StoreFixture {
 protected:
  std::string path() const { return scratch_.path("records.db"); }

  // refusal returns why the file cannot be opened.
  std::string refusal(const std::string& file) {
    const Result<std::unique_ptr<RecordStore>> store = os::SqliteRecordStore::open(loop_, file);
    return store.ok() ? "none" : store.error().message;
  }
  os::Sqlite database() {
    Result<os::Sqlite> db = os::Sqlite::open(path());
    check(db.ok(), "the file cannot be opened");
    return std::move(db).value();
  }
  void write(const std::string& bytes) { EXPECT_TRUE(files_.write_file(path(), bytes).ok()); }
  std::string bytes() { return files_.read_file(path()).value(); }

  os::RealFileStore files_;
};

TEST_F(SqliteTest, TheFileIsForItsOwnerAndSyncedAtEachPut) {
  const std::string deep = scratch_.path("data/deep/records.db");
  EXPECT_EQ(refusal(deep), "none");
  EXPECT_EQ(files_.mode_of(deep).value(), 0600U);
  open(Backend::kSqlite);
  EXPECT_EQ(put(one(), "key", 0, "x"), "done");
  for (const char* const suffix : {"", "-wal", "-shm"}) {
    EXPECT_EQ(files_.mode_of(path() + suffix).value(), 0600U) << suffix;
  }
  EXPECT_EQ(database().number("PRAGMA user_version").value(), 1);
}

TEST_F(SqliteTest, WhatIsNoDatabaseOfOursIsLeftAsItIs) {
  write("These are the accounts of 2026, and no database.\n" + std::string(5'000, 'x'));
  const std::string before = bytes();
  EXPECT_EQ(refusal(path()), "file is not a database");
  EXPECT_EQ(bytes(), before);
  std::filesystem::remove(path());
  EXPECT_TRUE(
      database().exec("CREATE TABLE accounts (year); INSERT INTO accounts VALUES (2026)").ok());
  const std::string accounts = bytes();
  EXPECT_EQ(refusal(path()), "it is a SQLite database of something else");
  EXPECT_EQ(bytes(), accounts);
  EXPECT_EQ(refusal(scratch_.path("")), "cannot open it: Is a directory");
}

TEST_F(SqliteTest, ASchemaOfALaterProgramIsRefused) {
  open(Backend::kSqlite);
  EXPECT_EQ(put(one(), "key", 0, "x"), "done");
  one_.reset();
  two_.reset();
  EXPECT_TRUE(database().exec("PRAGMA user_version = 7").ok());
  const std::string before = bytes();
  EXPECT_EQ(refusal(path()), "it is of schema version 7, and this program knows them up to 1");
  EXPECT_EQ(bytes(), before);
}

TEST_F(SqliteTest, ADatabaseIsMigratedStepByStepOrNotAtAll) {
  const std::array<std::string, 3> steps = {"CREATE TABLE a (x); INSERT INTO a VALUES (1)",
                                            "ALTER TABLE a ADD COLUMN y DEFAULT 2",
                                            "UPDATE a SET y = x + y"};
  os::Sqlite db = database();
  EXPECT_TRUE(os::migrate(db, std::span(steps).first(1)).ok());
  EXPECT_EQ(db.number("PRAGMA user_version").value(), 1);
  std::array<std::string, 3> wrong = steps;
  wrong[2] = "UPDATE nothing SET y = 1";
  EXPECT_FALSE(os::migrate(db, wrong).ok());
  EXPECT_EQ(db.number("PRAGMA user_version").value(), 1);
  EXPECT_FALSE(db.number("SELECT y FROM a").ok());
  EXPECT_TRUE(os::migrate(db, steps).ok());
  EXPECT_EQ(db.number("SELECT y FROM a").value(), 3);
  EXPECT_EQ(db.number("PRAGMA user_version").value(), 3);
}

TEST_F(SqliteTest, ARecordThatWasChangedIsDamagedAndTheOthersAreNot) {
  open(Backend::kSqlite);
  for (int i = 0; i < 3; ++i) put(one(), "key", i, "value " + std::to_string(i + 1));
  EXPECT_TRUE(database().exec("UPDATE records SET value = x'00' WHERE version = 2").ok());
  EXPECT_EQ(history(one(), "key"), "error: record 2 is damaged");
  EXPECT_EQ(history(one(), "key", RecordStore::kNewest, 1), "key#3=value 3");
  EXPECT_EQ(history(one(), "key", 1), "key#1=value 1");
  EXPECT_EQ(list(one(), "key"), "key#3=value 3");
  EXPECT_EQ(put(one(), "key", 3, "value 4"), "done");
  EXPECT_EQ(remove(one(), "key", RecordStore::kNewest), "done");
  EXPECT_EQ(history(one(), "key"), "");
}

TEST_F(SqliteTest, APageThatWasOverwrittenIsToldInOneLine) {
  open(Backend::kSqlite);
  for (int i = 0; i < 50; ++i) put(one(), "key", i, std::string(1'000, 'v'));
  one_.reset();
  two_.reset();
  std::string damaged = bytes();
  for (std::size_t at = 4'096; at < damaged.size(); at += 4'096)
    damaged.replace(at, 64, 64, '\xff');
  write(damaged);
  one_ = opened(Backend::kSqlite);
  EXPECT_EQ(history(one(), "key"), "error: database disk image is malformed");
  EXPECT_EQ(put(one(), "key", 50, "x"), "error: database disk image is malformed");
}

TEST_F(SqliteTest, APutWaitsForWhoHasTheFileLockedButNotForEver) {
  open(Backend::kSqlite);
  os::Sqlite other = database();
  EXPECT_TRUE(other.exec("BEGIN IMMEDIATE").ok());
  const Instant begin = loop_.now();
  EXPECT_EQ(put(one(), "key", 0, "x"), "error: another process has it locked");
  EXPECT_GE(loop_.now() - begin, os::SqliteRecordStore::kPatience);
  Alarm unlock([&other] { EXPECT_TRUE(other.exec("ROLLBACK").ok()); });
  loop_.arm(unlock, after(loop_.now(), std::chrono::milliseconds(100)));
  EXPECT_EQ(put(one(), "key", 0, "x"), "done");
}

}  // namespace
}  // namespace plumbline::stores
