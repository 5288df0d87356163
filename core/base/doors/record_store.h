// RecordStore keeps records, each with a key and all its versions, and outlives the process.
//
// Who puts the next version of a record says which one is the newest so far. So of several who work
// on one record at a time, also in several processes, one puts its version and the others are told.
// os::SqliteRecordStore and os::PostgresRecordStore are real ones, store::MemoryRecordStore lives
// as long as its process; fakes::FaultyRecordStore goes wrong on purpose.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/task.h"

namespace plumbline {

struct Record {
  std::string key;
  std::int64_t version = 0;  // Of its key, from 1 on, without gaps.
  std::string value;         // Any bytes.

  friend bool operator==(const Record&, const Record&) = default;
};

// Put is a record's next version.
struct Put {
  std::string key;
  std::int64_t expected = 0;  // The newest version so far. 0: nothing has this key.
  std::string value;
};

// Every Error says what failed in one sentence, without the key. kInvalidInput: the key is no key,
// what is kept is damaged or of a version that this program does not know, or nothing may be
// written. kLimitReached: no space is left, or a value is too large. kDisconnected: the store is
// gone. kDeadlineExceeded: others hold it for too long.
class RecordStore {
 public:
  static constexpr std::int64_t kNewest = std::numeric_limits<std::int64_t>::max();
  static constexpr std::size_t kKeyBytesMax = 512;
  static constexpr std::size_t kValueBytesMax = 64U << 20U;

  RecordStore() = default;
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;
  virtual ~RecordStore() = default;

  // put makes all of `puts` the newest versions of their records, or none. Done with true they
  // stand, whatever dies next. false: the newest version of one is another than expected, and
  // nothing has changed. On an Error nobody knows: all are put, or none.
  virtual Task<Result<bool>> put(std::vector<Put> puts) = 0;

  // history returns the newest `count` versions of `key` up to `upto`, newest first.
  virtual Task<Result<std::vector<Record>>> history(std::string key, std::int64_t upto,
                                                    std::size_t count) = 0;

  // list returns the newest version of each record whose key starts with `prefix` and comes behind
  // `after`, in the order of the bytes of the keys, at most `count`.
  virtual Task<Result<std::vector<Record>>> list(std::string prefix, std::string after,
                                                 std::size_t count) = 0;

  // trim forgets the versions of `key` below `first`, but never the newest one.
  virtual Task<Status> trim(std::string key, std::int64_t first) = 0;

  // remove forgets the record whole. false, and nothing has changed: its newest version is not
  // `expected`. kNewest: whatever it is.
  virtual Task<Result<bool>> remove(std::string key, std::int64_t expected) = 0;

  // hold claims `key` until this store is destroyed or its process ends, however it ends. false:
  // another store, of whatever process, has claimed it. It keeps nobody from putting: whoever wants
  // to be alone asks first. A store that nobody else can open says true.
  virtual Task<Result<bool>> hold(std::string key);

  // get returns version `version` of `key`; nothing when there is none. kNewest: the newest.
  Task<Result<std::optional<Record>>> get(std::string key, std::int64_t version = kNewest) {
    Result<std::vector<Record>> found = co_await history(std::move(key), version, 1);
    if (!found.ok()) co_return found.error();
    std::vector<Record>& records = found.value();
    const bool there =
        !records.empty() && (version == kNewest || records.front().version == version);
    if (!there) co_return std::optional<Record>();
    co_return std::optional<Record>(std::move(records.front()));
  }
};

// check_record_key returns whether `key` may be one: any 1 to RecordStore::kKeyBytesMax bytes.
Status check_record_key(const std::string& key);

// check_puts returns whether `puts` may be put: keys that may be some, values that are not too
// large.
Status check_puts(const std::vector<Put>& puts);

// end_of_prefix returns the first key behind all that start with `prefix`; nothing when there is
// none.
std::optional<std::string> end_of_prefix(std::string prefix);

}  // namespace plumbline
