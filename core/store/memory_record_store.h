// MemoryRecordStore is a RecordStore that lives as long as its process: `--store memory:`.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "core/base/doors/record_store.h"

namespace plumbline::store {

class MemoryRecordStore final : public RecordStore {
 public:
  // copy_from makes its records those of `other`.
  void copy_from(const MemoryRecordStore& other) { records_ = other.records_; }

  // implements RecordStore ---
  Task<Result<bool>> put(std::vector<Put> puts) override;
  Task<Result<std::vector<Record>>> history(std::string key, std::int64_t upto,
                                            std::size_t count) override;
  Task<Result<std::vector<Record>>> list(std::string prefix, std::string after,
                                         std::size_t count) override;
  Task<Status> trim(std::string key, std::int64_t first) override;
  Task<Result<bool>> remove(std::string key, std::int64_t expected) override;

 private:
  struct Versions {
    std::int64_t first = 1;
    std::deque<std::string> values{};

    std::int64_t newest() const { return first + static_cast<std::int64_t>(values.size()) - 1; }
    const std::string& value(std::int64_t version) const {
      return values[static_cast<std::size_t>(version - first)];
    }
  };

  std::int64_t newest(const std::string& key) const;
  bool expected_well(const std::vector<Put>& puts) const;

  std::map<std::string, Versions> records_;
};

}  // namespace plumbline::store
