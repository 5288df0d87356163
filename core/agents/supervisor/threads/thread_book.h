// ThreadBook keeps the threads of the tools in a RecordStore, so that they outlive the process and
// several processes can go on with them: of two that change one thread, one is told so.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/supervisor/state/supervisor_state.h"
#include "core/base/doors/record_store.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/random_bytes.h"
#include "core/base/time.h"
#include "core/json/redactor.h"
#include "core/store/exact_records.h"

namespace plumbline::agents::supervisor {

// ThreadLimits bounds what is kept.
struct ThreadLimits {
  std::size_t turns_max = 40;                // Of one thread; a longer one goes on in a new one.
  Duration age_max = std::chrono::hours(3);  // Since the last call.
  std::size_t threads_max = 1'000;           // That this process has begun or gone on with.
  // Of their text, of one owner and of all. The threads used longest ago are forgotten first; of
  // the last run of each some times as much is kept.
  std::size_t bytes_each_max = std::size_t{4} << 20U;
  std::size_t bytes_max = std::size_t{8} << 20U;
};

// CallStatus is how far the last call of a thread has come.
enum class CallStatus {
  kAnswered,
  kWorking,  // It is at work, or was when its process died or it was cancelled.
  kAsking,   // It waits for a person. Whoever makes the same call takes it up.
};
std::string_view name_of(CallStatus status);

// KeptThread is a thread as it is kept.
struct KeptThread {
  Conversation conversation;
  std::string owner;  // Who may go on with it, as the channel has authenticated him.
  std::string tool;   // Of the last call; empty: there was none.
  Json call;          // Its arguments, without the ids of threads.
  Json answer;        // To it, once it is answered.
  CallStatus status = CallStatus::kAnswered;
  std::string question;     // approval_id of the step that its workflow wants; empty: of none.
  std::int64_t run = 0;     // Which run of the thread that was; 0: there was none.
  std::int64_t calls = 0;   // Which call of the thread that was; those made again count once.
  std::int64_t writer = 0;  // Who has written this.
  std::int64_t used_ms = 0;
  std::int64_t version = 0;  // Of the record; 0: it is not kept yet.
  bool altered = false;      // Secrets were taken out of it, and this process does not know them.

  const std::string& id() const { return conversation.thread_id; }

  // run_id names the graph's thread of the last run.
  std::string run_id() const { return id() + "-" + std::to_string(run); }

  // use names the last call, whoever makes it again.
  std::string use() const { return id() + "-" + std::to_string(calls); }
};

// Keeping is where threads are kept. All must outlive the book; `redactor` may be null, and takes
// secrets out of what is written.
struct Keeping {
  RecordStore& records;
  const WallClock& clock;
  RandomBytes random;  // Makes the ids of threads.
  const Redactor* redactor = nullptr;
};

class ThreadBook {
 public:
  ThreadBook(Keeping keeping, ThreadLimits limits);

  // open says that this process is at work, and learns which threads there are. Before all else;
  // once is enough.
  Task<Status> open();

  // begin returns a new thread of `owner` that goes on from `conversation`; put keeps it.
  KeptThread begin(Conversation conversation, std::string owner);

  // find returns the thread. kInvalidInput: `owner` has none of this id, it is too old, or what is
  // kept of it is damaged. The errors of the store.
  Task<Result<KeptThread>> find(std::string id, std::string owner);

  // put keeps `thread`, used now and written by us. kConflict: somebody else has changed it since.
  Task<Status> put(KeptThread& thread);

  // is_ours returns whether whoever has written `thread` is this process, or dead.
  Task<Result<bool>> is_ours(std::int64_t writer);

  // old_threads returns ids of threads, of those that this process knows, that nobody should go on
  // with any more: those that are too old, and the oldest where there are too many, or of too many
  // bytes.
  std::vector<std::string> old_threads() const;

  // forget removes the thread, unless somebody has used it since this process has. Returns its run
  // ("" for none): what is kept of that may go, too.
  Task<std::string> forget(std::string id);

  std::size_t threads() const { return used_.size(); }
  std::int64_t writer() const { return writer_; }
  const ThreadLimits& limits() const { return limits_; }

  // says_the_same returns whether `call` is the last call of `thread`, as far as that is kept.
  bool says_the_same(const KeptThread& thread, const Json& call) const;

 private:
  std::int64_t now_ms() const;
  bool too_old(std::int64_t used_ms) const;

  Keeping keeping_;
  ThreadLimits limits_;
  std::int64_t writer_;
  bool open_ = false;
  // Used is what is known of a thread that was used: by whom, when, and how large it is.
  struct Used {
    std::int64_t ms = 0;
    std::string owner;
    std::size_t bytes = 0;
  };
  store::ExactRecords exact_;         // By ids of threads.
  std::map<std::string, Used> used_;  // As far as we know.
};

// shared_secret returns random bytes that every process has which has `records` open, for what
// clients carry from one to the other. The errors of the store.
Task<Result<std::string>> shared_secret(RecordStore& records, RandomBytes random);

// run_of returns the run_id of the thread `id` that a ThreadBook keeps in `records`; "" where there
// is none.
Task<Result<std::string>> run_of(RecordStore& records, std::string id);

// kept_threads returns all threads that a ThreadBook keeps in `records`; those that cannot be read
// are left out. kept_thread returns the one of `id`; nothing: there is none.
Task<Result<std::vector<KeptThread>>> kept_threads(RecordStore& records);
Task<Result<std::optional<KeptThread>>> kept_thread(RecordStore& records, std::string id);

}  // namespace plumbline::agents::supervisor
