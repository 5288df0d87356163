// There is no SQLite in the module: files of records are for the native program.
#include "core/os/store/sqlite.h"

namespace plumbline::os {

namespace {

Error not_here() {
  return {ErrorCode::kUnsupported,
          "files of SQLite are for the native program: this is its WebAssembly module"};
}

}  // namespace

// No database and no statement is ever made.
void SqliteStatement::Finalize::operator()(sqlite3_stmt* /*statement*/) const {}
void Sqlite::Close::operator()(sqlite3* /*db*/) const {}

SqliteStatement& SqliteStatement::bind(int /*parameter*/, std::string_view /*bytes*/) {
  return *this;
}
SqliteStatement& SqliteStatement::bind(int /*parameter*/, std::int64_t /*number*/) { return *this; }
Result<bool> SqliteStatement::next() { return not_here(); }
Result<std::int64_t> SqliteStatement::run() { return not_here(); }
std::string SqliteStatement::bytes(int /*column*/) const { return ""; }
std::int64_t SqliteStatement::number(int /*column*/) const { return 0; }
void SqliteStatement::reset() {}

Result<Sqlite> Sqlite::open(const std::string& /*path*/) { return not_here(); }
Status Sqlite::exec(const std::string& /*sql*/) { return not_here(); }
Result<SqliteStatement> Sqlite::prepare(std::string_view /*sql*/) { return not_here(); }
Result<std::int64_t> Sqlite::number(std::string_view /*sql*/) { return not_here(); }

}  // namespace plumbline::os
