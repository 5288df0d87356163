// PostgreSQL as a backend: connections that end, databases that refuse us, records that were
// changed.

#include <stdlib.h>

#include <chrono>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/stores/store_fixture.h"

#ifdef PLUMBLINE_LIBPQ

#include "core/os/store/postgres.h"
#include "core/os/store/postgres_record_store.h"

namespace plumbline::stores {
namespace {

class PostgresTest : public StoreFixture {
 protected:
  void SetUp() override {
    uri_ = os::environment_variable(kPostgresVariable).value_or("");
    if (uri_.empty()) GTEST_SKIP() << kPostgresVariable << " names no PostgreSQL server";
    open(Backend::kPostgres);
    key_ = testing::UnitTest::GetInstance()->current_test_info()->name();
    administrator_.emplace(loop_, uri_);
    ASSERT_TRUE(finish(administrator_->connect(soon())).ok());
  }

  Instant soon() { return after(loop_.now(), std::chrono::seconds(10)); }
  void administer(const std::string& script) {
    const Result<os::PostgresAnswer> answer = finish(administrator_->run(script, soon()));
    EXPECT_TRUE(answer.ok()) << answer.error().message;
  }
  void end_all_connections() {
    administer(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
  }
  // refusal returns why the database of `uri` cannot be used, behind its code.
  std::string refusal(const std::string& uri) {
    const Result<std::unique_ptr<RecordStore>> store = finish(os::open_postgres(loop_, uri));
    if (store.ok()) return "none";
    const bool gone = store.error().code == ErrorCode::kDisconnected;
    return (gone ? "gone: " : "refused: ") + store.error().message;
  }

  std::string uri_;
  std::string key_;
  std::optional<os::Postgres> administrator_;
};

// PGHOSTADDR is set for another program: nobody listens there.
TEST_F(PostgresTest, AVariableDoesNotLeadFromTheNamedHostToAnother) {
  setenv("PGHOSTADDR", "127.0.0.1", 1);
  const std::string why = refusal(uri_);
  unsetenv("PGHOSTADDR");
  EXPECT_EQ(why, "none");
}

TEST_F(PostgresTest, AConnectionThatHasEndedIsMadeAgain) {
  EXPECT_EQ(put(one(), key_, 0, "1"), "done");
  end_all_connections();
  EXPECT_EQ(put(one(), key_, 1, "2"), "done");
  EXPECT_EQ(history(two(), key_), key_ + "#2=2, " + key_ + "#1=1");
  end_all_connections();
  EXPECT_EQ(put(two(), {{key_, 2, "3"}, {key_ + "/other", 0, "x"}}), "done");
  EXPECT_EQ(put(one(), key_, 2, "mine"), "conflict");
}

TEST_F(PostgresTest, APutThatWasDoneWhenItsConnectionEndedIsNotAConflict) {
  // Goal: the transaction is committed and the answer is lost. Method: a commit that waits for a
  // standby there is none of, and whose connection is then ended.
  EXPECT_EQ(put(one(), key_, 0, "1"), "done");
  administer("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
  administer("SELECT pg_reload_conf()");
  administer("SELECT pg_sleep(0.3)");
  std::vector<Put> puts;
  puts.push_back({key_, 1, "2"});
  Task<Result<bool>> put = one().put(std::move(puts));
  put.start();
  for (int tries = 0; tries < 100 && !put.done(); ++tries) {
    administer("SELECT pg_sleep(0.05)");
    administer(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  }
  loop_.run_until([&put] { return put.done(); });
  EXPECT_EQ(said(put.result()), "done");
  administer("ALTER SYSTEM RESET synchronous_standby_names");
  administer("SELECT pg_reload_conf()");
  EXPECT_EQ(history(two(), key_), key_ + "#2=2, " + key_ + "#1=1");
}

TEST_F(PostgresTest, APutThatWasNotDoneWhenItsConnectionEndedIsDoneAgain) {
  EXPECT_EQ(put(one(), key_, 0, "1"), "done");
  administer("BEGIN; LOCK TABLE plumbline_records IN EXCLUSIVE MODE");
  std::vector<Put> puts;
  puts.push_back({key_, 1, "2"});
  Task<Result<bool>> put = one().put(std::move(puts));
  put.start();
  administer("SELECT pg_sleep(0.3)");
  end_all_connections();
  administer("COMMIT");
  loop_.run_until([&put] { return put.done(); });
  EXPECT_EQ(said(put.result()), "done");
  EXPECT_EQ(history(two(), key_), key_ + "#2=2, " + key_ + "#1=1");
}

TEST_F(PostgresTest, WhoRefusesUsIsToldAtOnceAndWhoIsNotThereAfterSomeTries) {
  EXPECT_EQ(refusal(uri_ + "&dbname=nothing"), "refused: database \"nothing\" does not exist");
  EXPECT_TRUE(refusal("postgresql://[").starts_with("refused: ")) << refusal("postgresql://[");
  const Instant begin = loop_.now();
  const std::string nobody = refusal("postgresql:///postgres?host=/nowhere");
  EXPECT_TRUE(nobody.starts_with("gone: ")) << nobody;
  EXPECT_EQ(nobody.find('\n'), std::string::npos);
  EXPECT_GE(loop_.now() - begin, std::chrono::seconds(1));
}

TEST_F(PostgresTest, ASchemaOfALaterProgramIsRefused) {
  administer("CREATE DATABASE later");
  const std::string later = uri_ + "&dbname=later";
  EXPECT_EQ(refusal(later), "none");
  EXPECT_EQ(refusal(later), "none");
  os::Postgres connection(loop_, later);
  ASSERT_TRUE(finish(connection.connect(soon())).ok());
  ASSERT_TRUE(finish(connection.run("INSERT INTO plumbline_schema VALUES (7)", soon())).ok());
  EXPECT_EQ(refusal(later),
            "refused: it is of schema version 7, and this program knows them up to 1");
}

TEST_F(PostgresTest, ARecordThatWasChangedIsDamaged) {
  for (int i = 0; i < 3; ++i) put(one(), key_, i, "value " + std::to_string(i + 1));
  administer("UPDATE plumbline_records SET value = '\\x00' WHERE version = 2 AND key = '" + key_ +
             "'");
  EXPECT_EQ(history(one(), key_), "error: record 2 is damaged");
  EXPECT_EQ(history(one(), key_, RecordStore::kNewest, 1), key_ + "#3=value 3");
}

}  // namespace
}  // namespace plumbline::stores

#endif  // PLUMBLINE_LIBPQ
