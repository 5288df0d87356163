// SimRecordStore is a RecordStore in memory that takes its time and goes wrong when it is told to.
//
// A put that is dropped while it waits before it is done is not done; one that is dropped while it
// waits after it stands, and nobody has been told. So a process that dies leaves what a real one
// leaves.

#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/doors/record_store.h"
#include "core/base/loop.h"
#include "core/store/memory_record_store.h"
#include "fakes/world/store_faults.h"

namespace plumbline::fakes {

class SimRecordStore final : public RecordStore {
 public:
  explicit SimRecordStore(Loop& loop, StoreTroubles troubles = nullptr)
      : loop_(loop), troubles_(std::move(troubles)) {}

  // crash leaves what is on the disk: all but what was told as done and is lost, and what is torn,
  // which a store finds and takes away when it is opened.
  void crash() {
    unsynced_.clear();
    torn_.clear();
    seen_.copy_from(disk_);
  }

  // implements RecordStore ---
  Task<Result<bool>> put(std::vector<Put> puts) override;
  Task<Result<std::vector<Record>>> history(std::string key, std::int64_t upto,
                                            std::size_t count) override;
  Task<Result<std::vector<Record>>> list(std::string prefix, std::string after,
                                         std::size_t count) override;
  Task<Status> trim(std::string key, std::int64_t first) override;
  Task<Result<bool>> remove(std::string key, std::int64_t expected) override;

 private:
  StoreTrouble trouble_of(std::string_view operation, const std::string& key) const;
  bool is_torn(const std::vector<Put>& puts) const;
  void sync();
  Task<Result<std::vector<Record>>> read(StoreTrouble trouble,
                                         Result<std::vector<Record>> found) const;

  Loop& loop_;
  StoreTroubles troubles_;
  store::MemoryRecordStore seen_;
  store::MemoryRecordStore disk_;
  std::vector<Put> unsynced_;  // Seen, and not on the disk.
  std::set<std::pair<std::string, std::int64_t>> torn_;
};

}  // namespace plumbline::fakes
