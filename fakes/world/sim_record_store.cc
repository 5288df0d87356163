#include "fakes/world/sim_record_store.h"

#include <algorithm>

#include "core/base/wait.h"

namespace plumbline::fakes {

namespace {

Error gone() { return {ErrorCode::kDisconnected, "the store is gone"}; }

// now runs a task of a MemoryRecordStore, which never waits.
template <typename T>
T now(Task<T> task) {
  task.start();
  return std::move(task.result());
}

Task<void> wait(Loop* loop, Duration time) {
  if (time > Duration::zero()) co_await Sleep(*loop, after(loop->now(), time));
}

bool is_refused(StoreFault fault) {
  return fault == StoreFault::kFail || fault == StoreFault::kConflict;
}

}  // namespace

StoreTrouble SimRecordStore::trouble_of(std::string_view operation, const std::string& key) const {
  return troubles_ ? troubles_(operation, key) : StoreTrouble();
}

// is_torn returns whether one of `puts` would come behind a version that is torn.
bool SimRecordStore::is_torn(const std::vector<Put>& puts) const {
  return std::ranges::any_of(puts, [this](const Put& one) {
    return torn_.contains({one.key, one.expected});
  });
}

// sync puts on the disk what is seen and not there yet.
void SimRecordStore::sync() {
  if (!unsynced_.empty()) now(disk_.put(std::exchange(unsynced_, {}))).value();
}

Task<Result<bool>> SimRecordStore::put(std::vector<Put> puts) {
  const StoreTrouble trouble = trouble_of("put", puts.empty() ? std::string() : puts.front().key);
  co_await wait(&loop_, trouble.before);
  if (trouble.fault == StoreFault::kFail) co_return gone();
  if (trouble.fault == StoreFault::kConflict) co_return false;
  if (is_torn(puts)) co_return gone();
  const Result<bool> done = now(seen_.put(puts));
  if (!done.ok() || !done.value()) co_return done;
  for (Put& one : puts) {
    if (trouble.fault == StoreFault::kTear) {
      torn_.emplace(one.key, one.expected + 1);
    } else {
      unsynced_.push_back(std::move(one));
    }
  }
  if (trouble.fault != StoreFault::kLose) sync();
  co_await wait(&loop_, trouble.after);
  if (trouble.fault == StoreFault::kFailAfter || trouble.fault == StoreFault::kTear) {
    co_return gone();
  }
  co_return true;
}

// read tells of `found` as `trouble` lets it.
Task<Result<std::vector<Record>>> SimRecordStore::read(StoreTrouble trouble,
                                                       Result<std::vector<Record>> found) const {
  co_await wait(&loop_, trouble.before);
  if (trouble.fault != StoreFault::kNone && trouble.fault != StoreFault::kLose) co_return gone();
  if (!found.ok()) co_return found;
  for (const Record& record : found.value()) {
    if (torn_.contains({record.key, record.version})) {
      co_return Error{ErrorCode::kInvalidInput,
                      "record " + std::to_string(record.version) + " is damaged"};
    }
  }
  co_await wait(&loop_, trouble.after);
  co_return found;
}

Task<Result<std::vector<Record>>> SimRecordStore::history(std::string key, std::int64_t upto,
                                                          std::size_t count) {
  const StoreTrouble trouble = trouble_of("read", key);
  return read(trouble, now(seen_.history(std::move(key), upto, count)));
}

Task<Result<std::vector<Record>>> SimRecordStore::list(std::string prefix, std::string after,
                                                       std::size_t count) {
  const StoreTrouble trouble = trouble_of("read", prefix);
  return read(trouble, now(seen_.list(std::move(prefix), std::move(after), count)));
}

Task<Status> SimRecordStore::trim(std::string key, std::int64_t first) {
  const StoreTrouble trouble = trouble_of("trim", key);
  co_await wait(&loop_, trouble.before);
  if (is_refused(trouble.fault)) co_return gone();
  sync();
  for (store::MemoryRecordStore* const side : {&seen_, &disk_}) now(side->trim(key, first)).value();
  co_await wait(&loop_, trouble.after);
  if (trouble.fault == StoreFault::kFailAfter) co_return gone();
  co_return Done{};
}

Task<Result<bool>> SimRecordStore::remove(std::string key, std::int64_t expected) {
  const StoreTrouble trouble = trouble_of("remove", key);
  co_await wait(&loop_, trouble.before);
  if (trouble.fault == StoreFault::kFail) co_return gone();
  if (trouble.fault == StoreFault::kConflict) co_return false;
  sync();
  const Result<bool> removed = now(seen_.remove(key, expected));
  if (removed.value()) now(disk_.remove(key, expected)).value();
  co_await wait(&loop_, trouble.after);
  if (trouble.fault == StoreFault::kFailAfter) co_return gone();
  co_return removed;
}

}  // namespace plumbline::fakes
