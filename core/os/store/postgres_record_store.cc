#include "core/os/store/postgres_record_store.h"

#ifdef PLUMBLINE_LIBPQ

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/retry_policy.h"
#include "core/base/wait.h"
#include "core/os/random.h"
#include "core/os/store/record_sum.h"

namespace plumbline::os {

namespace {

constexpr std::size_t kNameBytes = 8;

// kPostgresSteps[n] makes schema version n + 1 of n.
const std::array<std::string, 1> kPostgresSteps = {
    "CREATE TABLE plumbline_newest (key bytea PRIMARY KEY, version bigint NOT NULL);"
    "CREATE TABLE plumbline_records (key bytea NOT NULL, version bigint NOT NULL,"
    "  value bytea NOT NULL, sum bytea NOT NULL, writer bytea NOT NULL,"
    "  PRIMARY KEY (key, version));"};

struct Prepared {
  const char* name;
  const char* sql;
};

// A row of plumbline_newest is locked by whoever writes its key: the next to come then sees that
// the version is another.
constexpr std::array<Prepared, 8> kPrepared = {{
    {"first",
     "WITH place AS (INSERT INTO plumbline_newest VALUES ($1::bytea, $2::bigint + 1)"
     "  ON CONFLICT DO NOTHING RETURNING version)"
     " INSERT INTO plumbline_records"
     " SELECT $1::bytea, version, $3::bytea, $4::bytea, $5::bytea FROM place"},
    {"next",
     "WITH place AS (UPDATE plumbline_newest SET version = version + 1"
     "  WHERE key = $1::bytea AND version = $2::bigint RETURNING version)"
     " INSERT INTO plumbline_records"
     " SELECT $1::bytea, version, $3::bytea, $4::bytea, $5::bytea FROM place"},
    {"writer",
     "SELECT writer FROM plumbline_records WHERE key = $1::bytea AND version = $2::bigint"},
    {"history",
     "SELECT version, value, sum, key FROM plumbline_records"
     " WHERE key = $1::bytea AND version <= $2::bigint ORDER BY version DESC LIMIT $3::bigint"},
    {"list",
     "SELECT r.version, r.value, r.sum, r.key"
     " FROM plumbline_newest n JOIN plumbline_records r USING (key, version)"
     " WHERE n.key >= $1::bytea AND n.key > $2::bytea AND ($3::bytea = '' OR n.key < $3::bytea)"
     " ORDER BY n.key LIMIT $4::bigint"},
    {"trim",
     "DELETE FROM plumbline_records WHERE key = $1::bytea AND version < $2::bigint"
     " AND version < (SELECT version FROM plumbline_newest WHERE key = $1::bytea)"},
    {"hold",
     "SELECT pg_try_advisory_lock(hashtextextended(encode($1::bytea, 'hex'), 20261123))"
     "::int::bigint"},
    {"remove",
     "WITH place AS (DELETE FROM plumbline_newest"
     "  WHERE key = $1::bytea AND $2::bigint IN (version, 9223372036854775807) RETURNING key)"
     " DELETE FROM plumbline_records r USING place WHERE r.key = place.key"},
}};

constexpr int kHoldTriesMax = 6;
constexpr Duration kHoldPause = std::chrono::milliseconds(100);

RetryPolicy patient() {
  return {.first = std::chrono::milliseconds(200),
          .cap = std::chrono::seconds(2),
          .tries_max = PostgresRecordStore::kTriesMax};
}

bool is_gone(const Status& status) {
  return !status.ok() && status.error().code == ErrorCode::kDisconnected;
}

Result<std::vector<Record>> records_of(Result<PostgresAnswer> answer) {
  if (!answer.ok()) return answer.error();
  std::vector<Record> found;
  for (std::vector<std::string>& row : answer.value().rows) {
    Record one{std::move(row[3]), number_of(row[0]), std::move(row[1])};
    if (row[2] != record_sum(one.key, one.version, one.value)) return damaged(one);
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

PostgresRecordStore::PostgresRecordStore(RealLoop& loop, std::string uri)
    : loop_(loop),
      connection_(loop, std::move(uri)),
      turns_(loop),
      name_(random_token(kNameBytes)) {}

Task<Status> PostgresRecordStore::meet() {
  const Turns::Turn turn = co_await turns_.take();
  Status met = co_await connect(after(loop_.now(), kPatience));
  co_return met;
}

// connect sees to it that there is a connection, trying several times.
Task<Status> PostgresRecordStore::connect(Instant deadline) {
  Retries retries(patient());
  while (!connection_.connected()) {
    Status made = co_await connection_.connect(deadline);
    if (made.ok()) made = co_await prepare_session(deadline);
    if (made.ok()) co_return made;
    const std::optional<Duration> wait = is_gone(made) ? retries.failed() : std::nullopt;
    if (!wait || after(loop_.now(), *wait) >= deadline) co_return made;
    co_await Sleep(loop_, after(loop_.now(), *wait));
  }
  co_return Done{};
}

Task<Status> PostgresRecordStore::prepare_session(Instant deadline) {
  // What was put must stand, also where the server is set up to be faster than that.
  Result<PostgresAnswer> synced = co_await connection_.run(
      "SELECT set_config('synchronous_commit', 'on', false)"
      " WHERE current_setting('synchronous_commit') = 'off'",
      deadline);
  Status ready = Done{};
  if (!synced.ok()) ready = synced.error();
  if (ready.ok()) ready = co_await migrate(deadline);
  for (const Prepared& one : kPrepared) {
    if (ready.ok()) ready = co_await connection_.prepare(one.name, one.sql, deadline);
  }
  if (ready.ok()) ready = co_await claim_again(deadline);
  if (!ready.ok()) connection_.end();
  co_return ready;
}

// claim_again claims on a new connection what was claimed on the one before.
Task<Status> PostgresRecordStore::claim_again(Instant deadline) {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    Values values;
    values.push_back({held_[i]});
    Result<PostgresAnswer> answer =
        co_await connection_.run_prepared("hold", std::move(values), deadline);
    if (!answer.ok()) co_return answer.error();
    if (number_of(answer.value().rows.front().front()) == 0) {
      co_return Error{ErrorCode::kConflict, "another process has taken it up since"};
    }
  }
  co_return Done{};
}

Task<Result<std::int64_t>> PostgresRecordStore::schema_version(Instant deadline) {
  Result<PostgresAnswer> there =
      co_await connection_.run("SELECT to_regclass('plumbline_schema') IS NOT NULL", deadline);
  if (!there.ok()) co_return there.error();
  if (there.value().rows.front().front() != "t") co_return std::int64_t{0};
  Result<PostgresAnswer> version =
      co_await connection_.run("SELECT max(version) FROM plumbline_schema", deadline);
  if (!version.ok()) co_return version.error();
  co_return std::int64_t{std::atoll(version.value().rows.front().front().c_str())};
}

Task<Status> PostgresRecordStore::migrate(Instant deadline) {
  Result<std::int64_t> version = co_await schema_version(deadline);
  if (!version.ok()) co_return version.error();
  if (version.value() == std::ssize(kPostgresSteps)) co_return Done{};
  // One at a time: the lock ends with the transaction.
  Result<PostgresAnswer> begun = co_await connection_.run(
      "BEGIN; SELECT pg_advisory_xact_lock(hashtext('plumbline_schema'))", deadline);
  if (!begun.ok()) co_return begun.error();
  version = co_await schema_version(deadline);
  if (!version.ok()) co_return version.error();
  if (version.value() > std::ssize(kPostgresSteps)) {
    co_return Error{ErrorCode::kInvalidInput, "it is of schema version " +
                                                  std::to_string(version.value()) +
                                                  ", and this program knows them up to " +
                                                  std::to_string(kPostgresSteps.size())};
  }
  std::string script = "CREATE TABLE IF NOT EXISTS plumbline_schema (version bigint NOT NULL);";
  for (auto at = version.value(); at < std::ssize(kPostgresSteps); ++at) {
    script += kPostgresSteps[static_cast<std::size_t>(at)] +
              "INSERT INTO plumbline_schema VALUES (" + std::to_string(at + 1) + ");";
  }
  Result<PostgresAnswer> done = co_await connection_.run(script + "COMMIT", deadline);
  if (!done.ok()) co_return done.error();
  co_return Done{};
}

// call runs what may be run twice, again when the connection has ended meanwhile.
Task<Result<PostgresAnswer>> PostgresRecordStore::call(std::string statement, Values values) {
  const Turns::Turn turn = co_await turns_.take();
  const Instant deadline = after(loop_.now(), kPatience);
  for (int tries = 1;; ++tries) {
    const Status there = co_await connect(deadline);
    if (!there.ok()) co_return there.error();
    Result<PostgresAnswer> answer = co_await connection_.run_prepared(statement, values, deadline);
    const bool gone = !answer.ok() && answer.error().code == ErrorCode::kDisconnected;
    if (!gone || tries == kTriesMax) co_return answer;
  }
}

Task<Result<bool>> PostgresRecordStore::put_one(Put put, std::string writer, Instant deadline) {
  Values values;
  values.push_back({put.key});
  values.push_back(postgres_number(put.expected));
  values.push_back({put.value});
  values.push_back({record_sum(put.key, put.expected + 1, put.value)});
  values.push_back({std::move(writer)});
  std::string statement = put.expected == 0 ? "first" : "next";
  Result<PostgresAnswer> answer =
      co_await connection_.run_prepared(std::move(statement), std::move(values), deadline);
  if (!answer.ok()) co_return answer.error();
  co_return answer.value().changed == 1;
}

Task<Result<bool>> PostgresRecordStore::put_all(std::vector<Put> puts, std::string writer,
                                                Instant deadline) {
  Result<PostgresAnswer> begun = co_await connection_.run("BEGIN", deadline);
  if (!begun.ok()) co_return begun.error();
  Result<bool> all = true;
  for (Put& one : puts) {
    if (all.ok() && all.value()) all = co_await put_one(std::move(one), writer, deadline);
  }
  if (!connection_.connected()) co_return all;
  std::string end = all.ok() && all.value() ? "COMMIT" : "ROLLBACK";
  Result<PostgresAnswer> ended = co_await connection_.run(std::move(end), deadline);
  if (all.ok() && !ended.ok()) co_return ended.error();
  co_return all;
}

// is_ours tells whether the version that `put` would be is the one that `writer` put.
Task<Result<bool>> PostgresRecordStore::is_ours(Put put, std::string writer, Instant deadline) {
  Values values;
  values.push_back({std::move(put.key)});
  values.push_back(postgres_number(put.expected + 1));
  Result<PostgresAnswer> found =
      co_await connection_.run_prepared("writer", std::move(values), deadline);
  if (!found.ok()) co_return found.error();
  const auto& rows = found.value().rows;
  co_return !rows.empty() && rows.front().front() == writer;
}

// A connection that ends in the middle leaves open whether the put was done. So it is put again,
// and a conflict then may be with ourselves.
Task<Result<bool>> PostgresRecordStore::put(std::vector<Put> puts) {
  const Status fit = check_puts(puts);
  if (!fit.ok()) co_return fit.error();
  if (puts.empty()) co_return true;
  const Turns::Turn turn = co_await turns_.take();
  const Instant deadline = after(loop_.now(), kPatience);
  const std::string writer = name_ + '-' + std::to_string(++puts_);
  for (int tries = 1;; ++tries) {
    const Status there = co_await connect(deadline);
    if (!there.ok()) co_return there.error();
    Task<Result<bool>> work = puts.size() == 1 ? put_one(puts.front(), writer, deadline)
                                               : put_all(puts, writer, deadline);
    Result<bool> done = co_await work;
    if (done.ok() && !done.value() && tries > 1) {
      done = co_await is_ours(puts.front(), writer, deadline);
    }
    const bool gone = !done.ok() && done.error().code == ErrorCode::kDisconnected;
    if (!gone || tries == kTriesMax) co_return done;
  }
}

Task<Result<std::vector<Record>>> PostgresRecordStore::history(std::string key, std::int64_t upto,
                                                               std::size_t count) {
  Values values;
  values.push_back({std::move(key)});
  values.push_back(postgres_number(upto));
  values.push_back(postgres_number(static_cast<std::int64_t>(count)));
  Result<PostgresAnswer> answer = co_await call("history", std::move(values));
  co_return records_of(std::move(answer));
}

Task<Result<std::vector<Record>>> PostgresRecordStore::list(std::string prefix, std::string after,
                                                            std::size_t count) {
  Values values;
  std::string end = end_of_prefix(prefix).value_or("");
  values.push_back({std::move(prefix)});
  values.push_back({std::move(after)});
  values.push_back({std::move(end)});
  values.push_back(postgres_number(static_cast<std::int64_t>(count)));
  Result<PostgresAnswer> answer = co_await call("list", std::move(values));
  co_return records_of(std::move(answer));
}

Task<Status> PostgresRecordStore::trim(std::string key, std::int64_t first) {
  Values values;
  values.push_back({std::move(key)});
  values.push_back(postgres_number(first));
  Result<PostgresAnswer> answer = co_await call("trim", std::move(values));
  if (!answer.ok()) co_return answer.error();
  co_return Done{};
}

Task<Result<bool>> PostgresRecordStore::remove(std::string key, std::int64_t expected) {
  if (expected == 0) {
    Result<std::optional<Record>> there = co_await get(std::move(key));
    if (!there.ok()) co_return there.error();
    co_return !there.value().has_value();
  }
  Values values;
  values.push_back({std::move(key)});
  values.push_back(postgres_number(expected));
  Result<PostgresAnswer> answer = co_await call("remove", std::move(values));
  if (!answer.ok()) co_return answer.error();
  co_return answer.value().changed > 0 || expected == kNewest;
}

Task<Result<bool>> PostgresRecordStore::hold(std::string key) {
  const Status fit = check_record_key(key);
  if (!fit.ok()) co_return fit.error();
  // The server takes a moment to see that whoever held it was killed.
  for (int tries = 1;; ++tries) {
    Values values;
    values.push_back({key});
    Result<PostgresAnswer> answer = co_await call("hold", std::move(values));
    if (!answer.ok()) co_return answer.error();
    const bool ours = number_of(answer.value().rows.front().front()) != 0;
    if (ours) held_.push_back(key);
    if (ours || tries == kHoldTriesMax) co_return ours;
    co_await Sleep(loop_, after(loop_.now(), kHoldPause));
  }
}

}  // namespace plumbline::os

#endif  // PLUMBLINE_LIBPQ
