// PostgresRecordStore is a RecordStore in a PostgreSQL database: one transaction a put, and one
// connection, which is made again when it ends.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/doors/record_store.h"
#include "core/base/turns.h"
#include "core/os/store/postgres.h"

namespace plumbline::os {

class PostgresRecordStore final : public RecordStore {
 public:
  // `uri` is a connection string as libpq takes it ("postgresql://user@host/database"); TLS is as
  // that says (sslmode, sslrootcert). Nothing is connected before it is needed; then the tables are
  // made where they are missing, and brought to the newest schema. `loop` must outlive it.
  PostgresRecordStore(RealLoop& loop, std::string uri);

  static constexpr Duration kPatience = std::chrono::seconds(10);  // Of each call.
  static constexpr int kTriesMax = 4;                              // In each call; to connect too.

  // meet connects. The Error of a database that cannot be used.
  Task<Status> meet();

  // implements RecordStore ---
  Task<Result<bool>> put(std::vector<Put> puts) override;
  Task<Result<std::vector<Record>>> history(std::string key, std::int64_t upto,
                                            std::size_t count) override;
  Task<Result<std::vector<Record>>> list(std::string prefix, std::string after,
                                         std::size_t count) override;
  Task<Status> trim(std::string key, std::int64_t first) override;
  Task<Result<bool>> remove(std::string key, std::int64_t expected) override;
  // Claims are advisory locks of the connection, which are claimed anew when it is made again.
  Task<Result<bool>> hold(std::string key) override;

 private:
  using Values = std::vector<PostgresValue>;

  Task<Status> connect(Instant deadline);
  Task<Status> prepare_session(Instant deadline);
  Task<Status> migrate(Instant deadline);
  Task<Status> claim_again(Instant deadline);
  Task<Result<std::int64_t>> schema_version(Instant deadline);
  Task<Result<PostgresAnswer>> call(std::string statement, Values values);
  Task<Result<bool>> put_all(std::vector<Put> puts, std::string writer, Instant deadline);
  Task<Result<bool>> put_one(Put put, std::string writer, Instant deadline);
  Task<Result<bool>> is_ours(Put put, std::string writer, Instant deadline);

  RealLoop& loop_;
  Postgres connection_;
  Turns turns_;
  std::string name_;  // That no other store has.
  std::int64_t puts_ = 0;
  std::vector<std::string> held_;
};

}  // namespace plumbline::os
