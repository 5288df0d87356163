// MemoryRecordStore is a RecordStore that lives as long as its process: `--store memory:`. It takes
// no more than its bytes: what does not fit is refused with kLimitReached, and nothing is lost.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/budget/budget.h"
#include "core/base/doors/record_store.h"

namespace plumbline::store {

class MemoryRecordStore final : public RecordStore {
 public:
  static constexpr std::uint64_t kBytesMax = std::uint64_t{256} << 20U;

  explicit MemoryRecordStore(std::uint64_t bytes_max = kBytesMax);

  // copy_from makes its records those of `other`, which fit.
  void copy_from(const MemoryRecordStore& other);

  std::uint64_t bytes() const { return held_.amount(); }

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
    std::vector<std::string> values{};

    std::int64_t newest() const { return first + static_cast<std::int64_t>(values.size()) - 1; }
    const std::string& value(std::int64_t version) const {
      return values[static_cast<std::size_t>(version - first)];
    }
  };

  std::int64_t newest(const std::string& key) const;
  bool expected_well(const std::vector<Put>& puts) const;

  void give_back(std::uint64_t bytes);

  Amounts most_;
  Budget budget_;
  Charge held_;
  std::map<std::string, Versions> records_;
};

}  // namespace plumbline::store
