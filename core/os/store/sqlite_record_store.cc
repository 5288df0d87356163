#include "core/os/store/sqlite_record_store.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/wait.h"
#include "core/os/store/record_sum.h"
#include "core/os/store/sqlite.h"

namespace plumbline::os {

namespace {

constexpr std::int64_t kApplication = 0x504c4231;               // "PLB1"
constexpr Duration kLockPause = std::chrono::milliseconds(10);  // Another process tells nobody.

// Keys are blobs: blobs are compared byte by byte.
const std::array<std::string, 1> kSqliteSteps = {
    "CREATE TABLE newest (key BLOB PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE records (key BLOB NOT NULL, version INTEGER NOT NULL, value BLOB NOT NULL,"
    "  sum BLOB NOT NULL, PRIMARY KEY (key, version)) WITHOUT ROWID;"};

Status take_for_ours(Sqlite& db) {
  const Result<std::int64_t> application = db.number("PRAGMA application_id");
  if (!application.ok()) return application.error();
  if (application.value() == kApplication) return Done{};
  const Result<std::int64_t> tables = db.number("SELECT count(*) FROM sqlite_master");
  if (!tables.ok()) return tables.error();
  if (application.value() != 0 || tables.value() != 0) {
    return Error{ErrorCode::kInvalidInput, "it is a SQLite database of something else"};
  }
  return db.exec("PRAGMA application_id = " + std::to_string(kApplication));
}

Status prepare_database(Sqlite& db) {
  Status ready = db.exec("PRAGMA busy_timeout = " +
                         std::to_string(milliseconds_of(SqliteRecordStore::kPatience)));
  if (ready.ok()) ready = take_for_ours(db);
  if (ready.ok()) ready = db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  if (ready.ok()) ready = migrate(db, kSqliteSteps);
  if (ready.ok()) ready = db.exec("PRAGMA busy_timeout = 0");  // We wait in the loop from here on.
  return ready;
}

}  // namespace

Status migrate(Sqlite& db, std::span<const std::string> steps) {
  Status done = db.exec("BEGIN IMMEDIATE");
  if (!done.ok()) return done;
  const Result<std::int64_t> version = db.number("PRAGMA user_version");
  if (!version.ok()) {
    done = version.error();
  } else if (version.value() > std::ssize(steps)) {
    done = Error{ErrorCode::kInvalidInput,
                 "it is of schema version " + std::to_string(version.value()) +
                     ", and this program knows them up to " + std::to_string(steps.size())};
  } else {
    for (auto at = version.value(); done.ok() && at < std::ssize(steps); ++at) {
      done = db.exec(steps[static_cast<std::size_t>(at)] +
                     "; PRAGMA user_version = " + std::to_string(at + 1));
    }
  }
  Status ended = db.exec(done.ok() ? "COMMIT" : "ROLLBACK");
  return done.ok() ? ended : done;
}

struct SqliteRecordStore::Statements {
  SqliteStatement first;
  SqliteStatement next;
  SqliteStatement insert;
  SqliteStatement history;
  SqliteStatement list;
  SqliteStatement trim;
  SqliteStatement forget_newest;
  SqliteStatement forget_records;

  static Result<std::unique_ptr<Statements>> prepare(Sqlite& db) {
    auto made = std::make_unique<Statements>();
    const std::array<std::pair<SqliteStatement*, std::string_view>, 8> all = {{
        {&made->first, "INSERT OR IGNORE INTO newest VALUES (?1, 1)"},
        {&made->next, "UPDATE newest SET version = ?2 + 1 WHERE key = ?1 AND version = ?2"},
        {&made->insert, "INSERT INTO records VALUES (?1, ?2, ?3, ?4)"},
        {&made->history,
         "SELECT version, value, sum FROM records WHERE key = ?1 AND version <= ?2"
         " ORDER BY version DESC LIMIT ?3"},
        {&made->list,
         "SELECT r.version, r.value, r.sum, r.key FROM newest n JOIN records r USING (key, version)"
         " WHERE n.key >= ?1 AND n.key > ?2 AND (?3 = x'' OR n.key < ?3) ORDER BY n.key LIMIT ?4"},
        {&made->trim,
         "DELETE FROM records WHERE key = ?1 AND version < ?2"
         " AND version < (SELECT version FROM newest WHERE key = ?1)"},
        {&made->forget_newest,
         "DELETE FROM newest WHERE key = ?1 AND ?2 IN (version, 9223372036854775807)"},
        {&made->forget_records, "DELETE FROM records WHERE key = ?1"},
    }};
    for (const auto& [statement, sql] : all) {
      Result<SqliteStatement> prepared = db.prepare(sql);
      if (!prepared.ok()) return prepared.error();
      *statement = std::move(prepared).value();
    }
    return made;
  }

  // read returns the rows of `from`, whose fourth column is the key unless it is given.
  static Result<std::vector<Record>> read(SqliteStatement& from, const std::string* key) {
    std::vector<Record> found;
    for (;;) {
      const Result<bool> row = from.next();
      if (!row.ok()) return row.error();
      if (!row.value()) break;
      Record one{key != nullptr ? *key : from.bytes(3), from.number(0), from.bytes(1)};
      const bool whole = from.bytes(2) == record_sum(one.key, one.version, one.value);
      if (!whole) {
        from.reset();
        return damaged(one);
      }
      found.push_back(std::move(one));
    }
    from.reset();
    return found;
  }
};

SqliteRecordStore::SqliteRecordStore(Loop& loop, const std::string& path,
                                     std::unique_ptr<Sqlite> db,
                                     std::unique_ptr<Statements> statements)
    : loop_(loop),
      claims_(path + "-claims"),
      db_(std::move(db)),
      statements_(std::move(statements)) {}

SqliteRecordStore::~SqliteRecordStore() = default;

Result<std::unique_ptr<RecordStore>> SqliteRecordStore::open(Loop& loop, const std::string& path) {
  Result<Sqlite> opened = Sqlite::open(path);
  if (!opened.ok()) return opened.error();
  auto db = std::make_unique<Sqlite>(std::move(opened).value());
  const Status ready = prepare_database(*db);
  if (!ready.ok()) return ready.error();
  Result<std::unique_ptr<Statements>> statements = Statements::prepare(*db);
  if (!statements.ok()) return statements.error();
  return std::unique_ptr<RecordStore>(std::make_unique<SqliteRecordStore>(
      loop, path, std::move(db), std::move(statements).value()));
}

// begin begins a transaction that writes, once no other process has one. From its end to the end of
// the transaction nothing may wait: there is one connection.
Task<Status> SqliteRecordStore::begin() {
  const Instant deadline = after(loop_.now(), kPatience);
  for (;;) {
    Status begun = db_->exec("BEGIN IMMEDIATE");
    const bool locked = !begun.ok() && begun.error().code == ErrorCode::kDeadlineExceeded;
    if (!locked || loop_.now() >= deadline) co_return begun;
    co_await Sleep(loop_, after(loop_.now(), kLockPause));
  }
}

// finish ends the transaction, for good when `keep`, and returns `changed` or why it could not.
template <typename Changed>
Changed SqliteRecordStore::finish(Changed changed, bool keep) {
  if (keep) {
    const Status kept = db_->exec("COMMIT");
    if (kept.ok()) return changed;
    changed = kept.error();
  }
  const Status undone = db_->exec("ROLLBACK");
  static_cast<void>(undone);  // It may be rolled back already.
  return changed;
}

Result<bool> SqliteRecordStore::insert(const Put& put) {
  SqliteStatement& place = put.expected == 0 ? statements_->first : statements_->next;
  place.bind(1, put.key);
  if (put.expected != 0) place.bind(2, put.expected);
  const Result<std::int64_t> placed = place.run();
  if (!placed.ok()) return placed.error();
  if (placed.value() == 0) return false;
  const std::string sum = record_sum(put.key, put.expected + 1, put.value);
  SqliteStatement& row = statements_->insert;
  row.bind(1, put.key).bind(2, put.expected + 1).bind(3, put.value).bind(4, sum);
  const Result<std::int64_t> inserted = row.run();
  if (!inserted.ok()) return inserted.error();
  return true;
}

Result<bool> SqliteRecordStore::insert_all(const std::vector<Put>& puts) {
  for (const Put& one : puts) {
    Result<bool> inserted = insert(one);
    if (!inserted.ok() || !inserted.value()) return inserted;
  }
  return true;
}

Task<Result<bool>> SqliteRecordStore::put(std::vector<Put> puts) {
  const Status fit = check_puts(puts);
  if (!fit.ok()) co_return fit.error();
  const Status begun = co_await begin();
  if (!begun.ok()) co_return begun.error();
  Result<bool> inserted = insert_all(puts);
  const bool keep = inserted.ok() && inserted.value();
  co_return finish(std::move(inserted), keep);
}

Task<Result<std::vector<Record>>> SqliteRecordStore::history(std::string key, std::int64_t upto,
                                                             std::size_t count) {
  SqliteStatement& query = statements_->history;
  query.bind(1, key).bind(2, upto).bind(3, static_cast<std::int64_t>(count));
  co_return Statements::read(query, &key);
}

Task<Result<std::vector<Record>>> SqliteRecordStore::list(std::string prefix, std::string after,
                                                          std::size_t count) {
  const std::string end = end_of_prefix(prefix).value_or("");
  SqliteStatement& query = statements_->list;
  query.bind(1, prefix).bind(2, after).bind(3, end).bind(4, static_cast<std::int64_t>(count));
  co_return Statements::read(query, nullptr);
}

Status SqliteRecordStore::forget(const std::string& key, std::int64_t first) {
  const Result<std::int64_t> forgotten = statements_->trim.bind(1, key).bind(2, first).run();
  if (!forgotten.ok()) return forgotten.error();
  return Done{};
}

Task<Status> SqliteRecordStore::trim(std::string key, std::int64_t first) {
  Status begun = co_await begin();
  if (!begun.ok()) co_return begun;
  Status forgotten = forget(key, first);
  const bool keep = forgotten.ok();
  co_return finish(std::move(forgotten), keep);
}

Result<bool> SqliteRecordStore::erase(const std::string& key, std::int64_t expected) {
  if (expected == 0) {
    const Result<std::vector<Record>> found =
        Statements::read(statements_->history.bind(1, key).bind(2, kNewest).bind(3, 1), &key);
    if (!found.ok()) return found.error();
    return found.value().empty();
  }
  const Result<std::int64_t> was = statements_->forget_newest.bind(1, key).bind(2, expected).run();
  if (!was.ok()) return was.error();
  if (was.value() == 0) return expected == kNewest;
  const Result<std::int64_t> forgotten = statements_->forget_records.bind(1, key).run();
  if (!forgotten.ok()) return forgotten.error();
  return true;
}

Task<Result<bool>> SqliteRecordStore::remove(std::string key, std::int64_t expected) {
  const Status begun = co_await begin();
  if (!begun.ok()) co_return begun.error();
  Result<bool> erased = erase(key, expected);
  const bool keep = erased.ok() && erased.value();
  co_return finish(std::move(erased), keep);
}

Task<Result<bool>> SqliteRecordStore::hold(std::string key) {
  const Status fit = check_record_key(key);
  if (!fit.ok()) co_return fit.error();
  co_return claims_.take(key);
}

}  // namespace plumbline::os
