// Sqlite and SqliteStatement are a connection to a SQLite database and a prepared statement of it:
// sqlite3.h with owners and Results.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace plumbline::os {

class SqliteStatement {
 public:
  // Parameters are numbered from 1. What is bound must live until the next reset().
  SqliteStatement& bind(int parameter, std::string_view bytes);
  SqliteStatement& bind(int parameter, std::int64_t number);

  // next goes on to the next row and returns whether there is one.
  Result<bool> next();

  // run goes to the end and returns how many rows were changed.
  Result<std::int64_t> run();

  // Columns are numbered from 0.
  std::string bytes(int column) const;
  std::int64_t number(int column) const;

  // reset makes it ready to run again.
  void reset();

 private:
  friend class Sqlite;

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Sqlite {
 public:
  // open opens the file, or makes one that only its owner may read and the folders above it that
  // are missing. kInvalidInput: it cannot be, is no database, or may not be written.
  static Result<Sqlite> open(const std::string& path);

  // exec runs statements that have no parameters and return nothing.
  Status exec(const std::string& sql);

  Result<SqliteStatement> prepare(std::string_view sql);

  // number returns the one number that `sql` selects.
  Result<std::int64_t> number(std::string_view sql);

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  std::unique_ptr<sqlite3, Close> db_;
};

}  // namespace plumbline::os
