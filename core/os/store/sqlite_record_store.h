// SqliteRecordStore is a RecordStore in a file, by SQLite: write-ahead log, and synced at the end
// of each put. Several processes may use one file.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/doors/record_store.h"
#include "core/base/loop.h"
#include "core/os/files/file_locks.h"

namespace plumbline::os {

class Sqlite;

class SqliteRecordStore final : public RecordStore {
 public:
  // open opens the file, makes it when it is missing (for its owner only), and brings it to the
  // newest schema. kInvalidInput: it is no database, is one of something else or of a newer
  // program, or may not be written. `loop` must outlive the store: a put waits there for other
  // processes, at most kPatience.
  static Result<std::unique_ptr<RecordStore>> open(Loop& loop, const std::string& path);

  static constexpr Duration kPatience = std::chrono::seconds(5);

  // Made by open().
  struct Statements;
  SqliteRecordStore(Loop& loop, const std::string& path, std::unique_ptr<Sqlite> db,
                    std::unique_ptr<Statements> statements);
  ~SqliteRecordStore() override;

  // implements RecordStore ---
  Task<Result<bool>> put(std::vector<Put> puts) override;
  Task<Result<std::vector<Record>>> history(std::string key, std::int64_t upto,
                                            std::size_t count) override;
  Task<Result<std::vector<Record>>> list(std::string prefix, std::string after,
                                         std::size_t count) override;
  Task<Status> trim(std::string key, std::int64_t first) override;
  Task<Result<bool>> remove(std::string key, std::int64_t expected) override;
  // Claims are locks in an empty file beside the database, PATH-claims: the system lets go of them
  // when the process ends.
  Task<Result<bool>> hold(std::string key) override;

 private:
  Task<Status> begin();
  Result<bool> insert(const Put& put);
  Result<bool> insert_all(const std::vector<Put>& puts);
  Result<bool> erase(const std::string& key, std::int64_t expected);
  Status forget(const std::string& key, std::int64_t first);
  template <typename Changed>
  Changed finish(Changed changed, bool keep);

  Loop& loop_;
  FileLocks claims_;
  std::unique_ptr<Sqlite> db_;
  std::unique_ptr<Statements> statements_;
};

// migrate brings a database from the schema that it has (PRAGMA user_version) to the newest:
// `steps[n]` makes n + 1 of n, all of them in one transaction. kInvalidInput: it is of a newer one.
Status migrate(Sqlite& db, std::span<const std::string> steps);

}  // namespace plumbline::os
