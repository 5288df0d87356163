#include "core/store/memory_record_store.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/check.h"

namespace plumbline::store {

namespace {

// bytes_of is what a version of a record takes.
std::uint64_t bytes_of(const std::string& key, const std::string& value) {
  constexpr std::uint64_t kOverhead = 160;  // Of the strings and of the tree.
  return key.size() + value.size() + kOverhead;
}

}  // namespace

MemoryRecordStore::MemoryRecordStore(std::uint64_t bytes_max)
    : most_(Amounts().set(Resource::kTextBytes, bytes_max)),
      budget_(most_),
      held_(*budget_.take(Resource::kTextBytes, 0)) {}

void MemoryRecordStore::copy_from(const MemoryRecordStore& other) {
  records_ = other.records_;
  check(held_.grow_to(other.bytes()), "the records of one store fit into another");
}

void MemoryRecordStore::give_back(std::uint64_t bytes) {
  check(held_.grow_to(held_.amount() - bytes), "less is always there");
}

std::int64_t MemoryRecordStore::newest(const std::string& key) const {
  const auto found = records_.find(key);
  return found == records_.end() ? 0 : found->second.newest();
}

bool MemoryRecordStore::expected_well(const std::vector<Put>& puts) const {
  std::map<std::string, std::int64_t> newest_of;
  return std::ranges::all_of(puts, [&](const Put& one) {
    std::int64_t& so_far = newest_of.try_emplace(one.key, newest(one.key)).first->second;
    return one.expected == so_far++;
  });
}

Task<Result<bool>> MemoryRecordStore::put(std::vector<Put> puts) {
  const Status fit = check_puts(puts);
  if (!fit.ok()) co_return fit.error();
  if (!expected_well(puts)) co_return false;
  std::uint64_t bytes = held_.amount();
  for (const Put& one : puts) bytes += bytes_of(one.key, one.value);
  if (!held_.grow_to(bytes)) {
    co_return Error{ErrorCode::kLimitReached, "what is kept in memory has no room: " +
                                                  spent_words(most_, Resource::kTextBytes)};
  }
  for (Put& one : puts) {
    one.value.shrink_to_fit();  // It was written with room for up to twice as much.
    records_[one.key].values.push_back(std::move(one.value));
  }
  co_return true;
}

Task<Result<std::vector<Record>>> MemoryRecordStore::history(std::string key, std::int64_t upto,
                                                             std::size_t count) {
  std::vector<Record> found;
  const auto at = records_.find(key);
  if (at == records_.end()) co_return found;
  const Versions& versions = at->second;
  for (std::int64_t version = std::min(upto, versions.newest());
       version >= versions.first && found.size() < count; --version) {
    found.push_back({key, version, versions.value(version)});
  }
  co_return found;
}

Task<Result<std::vector<Record>>> MemoryRecordStore::list(std::string prefix, std::string after,
                                                          std::size_t count) {
  std::vector<Record> found;
  auto at = after < prefix ? records_.lower_bound(prefix) : records_.upper_bound(after);
  for (; at != records_.end() && found.size() < count && at->first.starts_with(prefix); ++at) {
    const auto& [key, versions] = *at;
    found.push_back({key, versions.newest(), versions.values.back()});
  }
  co_return found;
}

Task<Status> MemoryRecordStore::trim(std::string key, std::int64_t first) {
  const auto at = records_.find(key);
  if (at == records_.end()) co_return Done{};
  Versions& versions = at->second;
  const std::int64_t kept_from = std::max(std::min(first, versions.newest()), versions.first);
  const auto begin = versions.values.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(kept_from - versions.first);
  for (auto value = begin; value != end; ++value) give_back(bytes_of(key, *value));
  versions.values.erase(begin, end);
  versions.first = kept_from;
  co_return Done{};
}

Task<Result<bool>> MemoryRecordStore::remove(std::string key, std::int64_t expected) {
  if (expected != kNewest && newest(key) != expected) co_return false;
  const auto gone = records_.find(key);
  if (gone == records_.end()) co_return true;
  for (const std::string& value : gone->second.values) give_back(bytes_of(key, value));
  records_.erase(gone);
  co_return true;
}

}  // namespace plumbline::store
