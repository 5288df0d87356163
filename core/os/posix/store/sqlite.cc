#include "core/os/store/sqlite.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/os/fd.h"

namespace plumbline::os {

namespace {

ErrorCode code_of(int status) {
  switch (status & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::kDeadlineExceeded;
    case SQLITE_FULL:
    case SQLITE_TOOBIG:
    case SQLITE_NOMEM:
      return ErrorCode::kLimitReached;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      return ErrorCode::kDisconnected;
    default:
      return ErrorCode::kInvalidInput;
  }
}

Error error_of(sqlite3* db) {
  const int status = sqlite3_extended_errcode(db);
  std::string message = (status & 0xff) == SQLITE_BUSY ? "another process has it locked"
                                                       : std::string(sqlite3_errmsg(db));
  const int system = sqlite3_system_errno(db);
  const bool of_system = (status & 0xff) == SQLITE_IOERR || (status & 0xff) == SQLITE_CANTOPEN;
  if (of_system && system != 0) message += ": " + std::generic_category().message(system);
  return {code_of(status), std::move(message)};
}

// make_private makes the file when it is missing, for SQLite would let everybody read it.
Status make_private(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  const Fd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600));
  if (!fd.open()) return posix_error(ErrorCode::kInvalidInput, "cannot open it", errno);
  struct stat about {};
  if (fstat(fd.number(), &about) != 0 || !S_ISREG(about.st_mode)) {
    return Error{ErrorCode::kInvalidInput, "cannot open it: it is no file"};
  }
  return Done{};
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

SqliteStatement& SqliteStatement::bind(int parameter, std::string_view bytes) {
  static constexpr const char* kNothing = "";  // A null pointer would be NULL.
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.empty() ? kNothing : bytes.data(),
                      bytes.size(), SQLITE_STATIC);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), parameter, number);
  return *this;
}

Result<bool> SqliteStatement::next() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status == SQLITE_DONE) return false;
  Error error = error_of(sqlite3_db_handle(statement_.get()));
  reset();
  return error;
}

Result<std::int64_t> SqliteStatement::run() {
  for (;;) {
    const Result<bool> more = next();
    if (!more.ok()) return more.error();
    if (!more.value()) break;
  }
  reset();
  return static_cast<std::int64_t>(sqlite3_changes64(sqlite3_db_handle(statement_.get())));
}

std::string SqliteStatement::bytes(int column) const {
  const void* const data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return data == nullptr
             ? std::string()
             : std::string(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

std::int64_t SqliteStatement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

void SqliteStatement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

void Sqlite::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

Result<Sqlite> Sqlite::open(const std::string& path) {
  const Status made = make_private(path);
  if (!made.ok()) return made.error();
  sqlite3* db = nullptr;
  const int status =
      sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nullptr);
  Sqlite opened;
  opened.db_.reset(db);
  if (db == nullptr) return Error{ErrorCode::kLimitReached, "out of memory"};
  if (status != SQLITE_OK) return error_of(db);
  if (sqlite3_db_readonly(db, "main") == 1) {
    return Error{ErrorCode::kInvalidInput, "it may only be read"};
  }
  return opened;
}

Status Sqlite::exec(const std::string& sql) {
  if (sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return Done{};
  return error_of(db_.get());
}

Result<SqliteStatement> Sqlite::prepare(std::string_view sql) {
  sqlite3_stmt* prepared = nullptr;
  const int status = sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
  SqliteStatement statement;
  statement.statement_.reset(prepared);
  if (status != SQLITE_OK) return error_of(db_.get());
  return statement;
}

Result<std::int64_t> Sqlite::number(std::string_view sql) {
  Result<SqliteStatement> statement = prepare(sql);
  if (!statement.ok()) return statement.error();
  const Result<bool> row = statement.value().next();
  if (!row.ok()) return row.error();
  return row.value() ? statement.value().number(0) : 0;
}

}  // namespace plumbline::os
