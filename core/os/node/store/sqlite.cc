// SQLite as the host has it (packaging/wasm/sqlite.mjs): a statement is run whole, and its rows are
// kept here.
#include "core/os/store/sqlite.h"

#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "core/os/node/host.h"

namespace {

// Value is one that goes in or comes out: eight bytes of a number, or any bytes.
struct Value {
  bool is_number = false;
  std::int64_t number = 0;
  std::string bytes;
};

}  // namespace

struct sqlite3 {
  std::string number;
};

struct sqlite3_stmt {
  std::string number;
  std::vector<Value> bound;
  std::vector<std::vector<Value>> rows;
  std::size_t next = 0;
  std::int64_t changed = 0;
  bool has_run = false;
};

namespace plumbline::os {

namespace {

constexpr std::size_t kHead = 5;  // Of a value: 'n' or 'b', and its size.

Error error_of(const host::Refusal& why) {
  switch (std::atoi(why.code.c_str()) & 0xff) {
    case 5:  // SQLITE_BUSY
    case 6:  // SQLITE_LOCKED
      return {ErrorCode::kDeadlineExceeded, "another process has it locked"};
    case 7:   // SQLITE_NOMEM
    case 13:  // SQLITE_FULL
    case 18:  // SQLITE_TOOBIG
      return {ErrorCode::kLimitReached, why.text};
    case 10:  // SQLITE_IOERR
    case 14:  // SQLITE_CANTOPEN
      return {ErrorCode::kDisconnected, why.text};
    default:
      return {why.code == "NONE" ? ErrorCode::kUnsupported : ErrorCode::kInvalidInput, why.text};
  }
}

host::Answer ask_of(std::string_view op, const std::string& number, std::string_view bytes = {}) {
  Json what = host::request(op);
  what["number"] = number;
  return host::ask(what, bytes);
}

void put(std::string& text, const Value& value) {
  const auto size = static_cast<std::uint32_t>(value.is_number ? 8 : value.bytes.size());
  text += value.is_number ? 'n' : 'b';
  text.append(reinterpret_cast<const char*>(&size), sizeof size);
  if (value.is_number) {
    text.append(reinterpret_cast<const char*>(&value.number), sizeof value.number);
  } else {
    text += value.bytes;
  }
}

Value take(std::string_view& text) {
  Value value;
  value.is_number = text.front() == 'n';
  const std::uint32_t size = host::number_at(text, 1);
  const std::string_view bytes = text.substr(kHead, size);
  text.remove_prefix(kHead + size);
  if (value.is_number) {
    std::memcpy(&value.number, bytes.data(), sizeof value.number);
  } else {
    value.bytes = bytes;
  }
  return value;
}

// run_whole has the host run it. The answer: how many rows were changed, how many columns there
// are, and the values of all rows.
Status run_whole(sqlite3_stmt& statement) {
  std::string bound;
  for (const Value& value : statement.bound) put(bound, value);
  const host::Answer answer = ask_of("sql_run", statement.number, bound);
  if (!answer.ok()) return error_of(answer.error());
  std::string_view text = answer.value();
  statement.changed = take(text).number;
  const std::size_t columns = static_cast<std::size_t>(take(text).number);
  statement.rows.clear();
  while (!text.empty()) {
    std::vector<Value> row;
    while (row.size() < columns) row.push_back(take(text));
    statement.rows.push_back(std::move(row));
  }
  statement.next = 0;
  statement.has_run = true;
  return Done{};
}

Value& place_of(sqlite3_stmt& statement, int parameter) {
  const auto place = static_cast<std::size_t>(parameter);
  if (statement.bound.size() < place) statement.bound.resize(place);
  return statement.bound[place - 1];
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const {
  (void)ask_of("sql_finalize", statement->number);
  const std::unique_ptr<sqlite3_stmt> gone(statement);
}

void Sqlite::Close::operator()(sqlite3* db) const {
  (void)ask_of("sql_close", db->number);
  const std::unique_ptr<sqlite3> gone(db);
}

SqliteStatement& SqliteStatement::bind(int parameter, std::string_view bytes) {
  place_of(*statement_, parameter) = Value{false, 0, std::string(bytes)};
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::int64_t number) {
  place_of(*statement_, parameter) = Value{true, number, {}};
  return *this;
}

Result<bool> SqliteStatement::next() {
  if (!statement_->has_run) {
    Status ran = run_whole(*statement_);
    if (!ran.ok()) {
      reset();
      return std::move(ran).error();
    }
  }
  return statement_->next++ < statement_->rows.size();
}

Result<std::int64_t> SqliteStatement::run() {
  Status ran = run_whole(*statement_);
  const std::int64_t changed = statement_->changed;
  reset();
  if (!ran.ok()) return std::move(ran).error();
  return changed;
}

std::string SqliteStatement::bytes(int column) const {
  return statement_->rows[statement_->next - 1][static_cast<std::size_t>(column)].bytes;
}

std::int64_t SqliteStatement::number(int column) const {
  return statement_->rows[statement_->next - 1][static_cast<std::size_t>(column)].number;
}

void SqliteStatement::reset() {
  statement_->bound.clear();
  statement_->rows.clear();
  statement_->has_run = false;
}

Result<Sqlite> Sqlite::open(const std::string& path) {
  Json what = host::request("sql_open");
  what["path"] = path;
  const host::Answer number = host::ask(what);
  if (!number.ok()) return error_of(number.error());
  Sqlite opened;
  opened.db_.reset(std::make_unique<sqlite3>(sqlite3{number.value()}).release());
  return opened;
}

Status Sqlite::exec(const std::string& sql) {
  const host::Answer done = ask_of("sql_exec", db_->number, sql);
  if (!done.ok()) return error_of(done.error());
  return Done{};
}

Result<SqliteStatement> Sqlite::prepare(std::string_view sql) {
  const host::Answer number = ask_of("sql_prepare", db_->number, sql);
  if (!number.ok()) return error_of(number.error());
  SqliteStatement statement;
  auto prepared = std::make_unique<sqlite3_stmt>();
  prepared->number = number.value();
  statement.statement_.reset(prepared.release());
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
