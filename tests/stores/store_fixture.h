// What the tests of this room share: every backend of RecordStore, opened twice on the same records
// as two processes would.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "core/base/doors/record_store.h"
#include "core/os/child/environment.h"
#include "core/os/real_loop.h"
#include "core/os/store/open_postgres.h"
#include "core/os/store/sqlite_record_store.h"
#include "core/os/wall_clock.h"
#include "core/store/memory_record_store.h"
#include "core/store/thread_store.h"

namespace plumbline::stores {

// Scratch is a folder for one test.
class Scratch {
 public:
  Scratch() {
    std::string pattern = std::filesystem::temp_directory_path() / "plumbline-stores.XXXXXX";
    check(mkdtemp(pattern.data()) != nullptr, "no scratch folder");
    folder_ = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return folder_ + '/' + name; }

 private:
  std::string folder_;
};

enum class Backend { kMemory, kSqlite, kPostgres };

inline std::string name_of(Backend backend) {
  switch (backend) {
    case Backend::kMemory:
      return "Memory";
    case Backend::kSqlite:
      return "Sqlite";
    case Backend::kPostgres:
      return "Postgres";
  }
  return "";
}

inline void PrintTo(Backend backend, std::ostream* out) { *out << name_of(backend); }

inline constexpr const char* kPostgresVariable = "PLUMBLINE_TEST_POSTGRES";

// StoreFixture has two stores on the same records. Those of PostgreSQL stay: keys begin anew.
class StoreFixture : public testing::Test {
 protected:
  // open opens both stores, or skips the test.
  void open(Backend backend) {
    if (backend == Backend::kMemory) {
      one_ = std::make_unique<store::MemoryRecordStore>();
      return;
    }
    one_ = opened(backend);
    if (one_ != nullptr) two_ = opened(backend);
  }

  // opened opens one more store on the same records. Null: the test is skipped.
  std::unique_ptr<RecordStore> opened(Backend backend) {
    if (backend == Backend::kSqlite) {
      Result<std::unique_ptr<RecordStore>> store =
          os::SqliteRecordStore::open(loop_, scratch_.path("records.db"));
      check(store.ok(), store.ok() ? "" : store.error().message.c_str());
      return std::move(store).value();
    }
    const std::optional<std::string> uri = os::environment_variable(kPostgresVariable);
    if (!uri) return nullptr;
    Result<std::unique_ptr<RecordStore>> store = finish(os::open_postgres(loop_, *uri));
    check(store.ok(), store.ok() ? "" : store.error().message.c_str());
    return std::move(store).value();
  }

  RecordStore& one() { return *one_; }
  RecordStore& two() { return two_ != nullptr ? *two_ : *one_; }

  template <typename T>
  T finish(Task<T> task) {
    std::optional<T> result = os::run(loop_, std::move(task));
    check(result.has_value(), "the store hangs");
    return std::move(*result);
  }

  // Each returns what was said, "error: ..." of an Error.
  std::string put(RecordStore& store, std::vector<Put> puts) {
    return said(finish(store.put(std::move(puts))));
  }
  std::string put(RecordStore& store, std::string key, std::int64_t expected, std::string value) {
    return put(store, {{std::move(key), expected, std::move(value)}});
  }
  std::string remove(RecordStore& store, std::string key, std::int64_t expected) {
    return said(finish(store.remove(std::move(key), expected)));
  }
  std::string history(RecordStore& store, std::string key, std::int64_t upto = RecordStore::kNewest,
                      std::size_t count = 100) {
    return said(finish(store.history(std::move(key), upto, count)));
  }
  std::string list(RecordStore& store, std::string prefix, std::string after = "",
                   std::size_t count = 100) {
    return said(finish(store.list(std::move(prefix), std::move(after), count)));
  }

  static std::string said(const Result<bool>& result) {
    if (!result.ok()) return "error: " + result.error().message;
    return result.value() ? "done" : "conflict";
  }
  static std::string said(const Result<std::vector<Record>>& result) {
    if (!result.ok()) return "error: " + result.error().message;
    std::string text;
    for (const Record& record : result.value()) {
      text += (text.empty() ? "" : ", ") + record.key + '#' + std::to_string(record.version) + '=' +
              record.value;
    }
    return text;
  }

  os::RealLoop loop_;
  Scratch scratch_;
  std::unique_ptr<RecordStore> one_;
  std::unique_ptr<RecordStore> two_;
};

}  // namespace plumbline::stores
