// Postgres is a connection to a PostgreSQL server, by libpq, that never blocks the loop.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/os/real_loop.h"

struct pg_conn;

namespace plumbline::os {

// PostgresValue is a parameter of a statement.
struct PostgresValue {
  std::string bytes;
  bool binary = true;  // A bytea; otherwise anything as text.
};
PostgresValue postgres_number(std::int64_t number);

// PostgresAnswer is what a statement came to.
struct PostgresAnswer {
  std::vector<std::vector<std::string>> rows{};  // In PostgreSQL's binary format.
  std::int64_t changed = 0;
  bool exists_already = false;  // A unique key was there: nothing was done.
};

// number_of reads a bigint in binary format.
std::int64_t number_of(const std::string& column);

class Postgres {
 public:
  // `uri` is a connection string as libpq takes it, with all that this knows (sslmode, several
  // hosts, a service). `loop` must outlive it.
  Postgres(RealLoop& loop, std::string uri);
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;
  ~Postgres();

  // connect begins a new connection, in place of any before. kInvalidInput: the string is none, or
  // the server refuses us. kDisconnected: there is no server, or it is just starting or ending.
  Task<Status> connect(Instant deadline);

  // connected returns whether there is a connection that has not been seen to end.
  bool connected() const;

  // end ends the connection.
  void end() { connection_.reset(); }

  // run runs a script without parameters; run_prepared the statement that prepare named.
  // kDisconnected: the connection has ended; kDeadlineExceeded: we have ended it. Whether the
  // statement was run then nobody knows.
  Task<Result<PostgresAnswer>> run(std::string script, Instant deadline);
  Task<Status> prepare(std::string name, std::string sql, Instant deadline);
  Task<Result<PostgresAnswer>> run_prepared(std::string name, std::vector<PostgresValue> values,
                                            Instant deadline);

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };

  Task<Result<PostgresAnswer>> answer(bool sent, Instant deadline);
  Task<bool> ready(bool to_write, Instant deadline);
  Error not_begun(const std::string& address);
  Error lost();
  Error late();

  RealLoop& loop_;
  std::string uri_;
  std::unique_ptr<pg_conn, Finish> connection_;
};

}  // namespace plumbline::os
