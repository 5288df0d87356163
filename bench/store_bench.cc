// What it costs to keep a step of a thread, beside the same inserts in a bare loop over the same
// library, in the same run: one fsync each. `store_rate [FOLDER]` writes there (a real disk tells
// more than a memory file system); PLUMBLINE_TEST_POSTGRES names a PostgreSQL server to compare on.
//
// Not of Google Benchmark: the two sides take turns, so that whatever the machine does meanwhile
// meets both.

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/graph/checkpoint.h"
#include "core/graph/checkpoint_json.h"
#include "core/os/child/environment.h"
#include "core/os/real_loop.h"
#include "core/os/store/open_postgres.h"
#include "core/os/store/sqlite_record_store.h"
#include "core/os/wall_clock.h"
#include "core/store/thread_entry.h"
#include "core/store/thread_store.h"

#ifdef PLUMBLINE_LIBPQ
#include <libpq-fe.h>
#endif

namespace plumbline {
namespace {

constexpr int kRounds = 15;
constexpr int kStepsARound = 40;
constexpr std::size_t kStateBytes = 4'096;

// Side is one way to keep a step: it keeps number `n`, from 0.
using Side = std::function<void(std::int64_t n)>;

double microseconds_of(const Side& side, std::int64_t first, os::RealLoop& loop) {
  const Instant begin = loop.now();
  for (std::int64_t n = first; n < first + kStepsARound; ++n) side(n);
  return static_cast<double>((loop.now() - begin).count()) / 1'000 / kStepsARound;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void compare(const char* name, const Side& bare, const Side& ours, os::RealLoop& loop) {
  std::vector<double> bare_us;
  std::vector<double> ours_us;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const std::int64_t first = std::int64_t{round} * kStepsARound;
    bare_us.push_back(microseconds_of(bare, first, loop));
    ours_us.push_back(microseconds_of(ours, first, loop));
    ratios.push_back(ours_us.back() / bare_us.back());
  }
  std::printf("%-28s bare %8.1f us a step   ours %8.1f us   ratio %.2f\n", name, median(bare_us),
              median(ours_us), median(ratios));
}

template <typename T>
T finish(os::RealLoop& loop, Task<T> task) {
  std::optional<T> result = os::run(loop, std::move(task));
  check(result.has_value(), "the store hangs");
  return std::move(*result);
}

store::SavedCheckpoint a_step(std::int64_t number) {
  Json state = Json::object();
  state["version"] = 1;
  state["value"]["text"] = std::string(kStateBytes, 's');
  store::SavedCheckpoint step{graph::Snapshot<graph::SavedState>{graph::SavedState(state)}};
  graph::Branch<graph::SavedState> branch;
  branch.key = branch.node = "next_node";
  step.at.branches.push_back(std::move(branch));
  step.step = number;
  return step;
}

// text_of is what our side writes of a step: the bare side writes it as it stands.
std::string text_of(std::int64_t number) {
  Result<Json> json = graph::to_json(a_step(number));
  return store::entry_text(store::kStepEntry, std::move(json).value(), 1, {}, nullptr).kept;
}

Side thread_side(os::RealLoop& loop, store::ThreadStore& store) {
  return [&loop, &store](std::int64_t n) {
    const Status put = finish(loop, store.put({"t", n, 1}, a_step(n)));
    check(put.ok(), put.ok() ? "" : put.error().message.c_str());
  };
}

// BareSqlite makes the same changes by the library alone.
class BareSqlite {
 public:
  explicit BareSqlite(const std::string& path) : text_(text_of(1)) {
    check(sqlite3_open(path.c_str(), &db_) == SQLITE_OK, "no database");
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE newest (key BLOB PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;"
        "CREATE TABLE records (key BLOB NOT NULL, version INTEGER NOT NULL, value BLOB NOT NULL,"
        "  sum BLOB NOT NULL, PRIMARY KEY (key, version)) WITHOUT ROWID;"
        "INSERT INTO newest VALUES (x'74', 0)");
    begin_ = prepare("BEGIN IMMEDIATE");
    next_ = prepare("UPDATE newest SET version = ?1 + 1 WHERE key = x'74' AND version = ?1");
    insert_ = prepare("INSERT INTO records VALUES (x'74', ?1 + 1, ?2, '0123456789abcdef')");
    commit_ = prepare("COMMIT");
  }
  BareSqlite(const BareSqlite&) = delete;
  BareSqlite& operator=(const BareSqlite&) = delete;
  ~BareSqlite() {
    for (sqlite3_stmt* const one : {begin_, next_, insert_, commit_}) sqlite3_finalize(one);
    sqlite3_close(db_);
  }

  void put(std::int64_t n) {
    step(begin_);
    sqlite3_bind_int64(next_, 1, n);
    step(next_);
    sqlite3_bind_int64(insert_, 1, n);
    sqlite3_bind_blob64(insert_, 2, text_.data(), text_.size(), SQLITE_STATIC);
    step(insert_);
    step(commit_);
  }

 private:
  void run(const char* sql) {
    check(sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK, "bad SQL");
  }
  sqlite3_stmt* prepare(const char* sql) {
    sqlite3_stmt* prepared = nullptr;
    check(sqlite3_prepare_v2(db_, sql, -1, &prepared, nullptr) == SQLITE_OK, "bad SQL");
    return prepared;
  }
  static void step(sqlite3_stmt* statement) {
    check(sqlite3_step(statement) == SQLITE_DONE, "a step failed");
    sqlite3_reset(statement);
  }

  std::string text_;
  sqlite3* db_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* next_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
};

void compare_sqlite(const std::string& folder, os::RealLoop& loop) {
  const std::string ours = folder + "/ours.db";
  const std::string bare = folder + "/bare.db";
  for (const std::string& path : {ours, bare}) {
    for (const char* const suffix : {"", "-wal", "-shm"}) std::remove((path + suffix).c_str());
  }
  Result<std::unique_ptr<RecordStore>> records = os::SqliteRecordStore::open(loop, ours);
  check(records.ok(), records.ok() ? "" : records.error().message.c_str());
  const os::RealWallClock clock;
  store::ThreadStore threads(*records.value(), clock);
  BareSqlite by_hand(bare);
  compare(
      "SQLite", [&](std::int64_t n) { by_hand.put(n); }, thread_side(loop, threads), loop);
}

#ifdef PLUMBLINE_LIBPQ

void compare_postgres(const std::string& uri, os::RealLoop& loop) {
  Result<std::unique_ptr<RecordStore>> records = finish(loop, os::open_postgres(loop, uri));
  check(records.ok(), records.ok() ? "" : records.error().message.c_str());
  const os::RealWallClock clock;
  store::ThreadStore threads(*records.value(), clock);
  check(finish(loop, threads.erase("t")).ok(), "cannot begin anew");
  PGconn* const bare = PQconnectdb(uri.c_str());
  const auto done = [](PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    check(status == PGRES_COMMAND_OK, PQresultErrorMessage(result));
    PQclear(result);
  };
  done(PQexec(bare,
              "DROP TABLE IF EXISTS bare_newest, bare_records;"
              "CREATE TABLE bare_newest (key bytea PRIMARY KEY, version bigint NOT NULL);"
              "CREATE TABLE bare_records (key bytea, version bigint, value bytea, sum bytea,"
              " writer bytea, PRIMARY KEY (key, version));"
              "INSERT INTO bare_newest VALUES ('t', 0)"));
  done(PQprepare(bare, "next",
                 "WITH place AS (UPDATE bare_newest SET version = version + 1"
                 " WHERE key = 't' AND version = $1::bigint RETURNING version)"
                 " INSERT INTO bare_records SELECT 't', version, $2::bytea, '0123456789abcdef',"
                 " 'writer' FROM place",
                 0, nullptr));
  const std::string text = text_of(1);
  const auto put = [&](std::int64_t n) {
    const std::string number = std::to_string(n);
    const char* const values[] = {number.c_str(), text.data()};
    const int sizes[] = {static_cast<int>(number.size()), static_cast<int>(text.size())};
    const int formats[] = {0, 1};
    done(PQexecPrepared(bare, "next", 2, values, sizes, formats, 1));
  };
  compare("PostgreSQL", put, thread_side(loop, threads), loop);
  PQfinish(bare);
}

#else

void compare_postgres(const std::string&, os::RealLoop&) {}

#endif

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  plumbline::os::RealLoop loop;
  plumbline::compare_sqlite(argc > 1 ? argv[1] : ".", loop);
  const auto uri = plumbline::os::environment_variable("PLUMBLINE_TEST_POSTGRES");
  if (uri) plumbline::compare_postgres(*uri, loop);
}
