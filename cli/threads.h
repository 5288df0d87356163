// Threads are the store that a command works with, and what the commands about threads share.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/host.h"
#include "cli/options/store_uri.h"
#include "core/base/doors/record_store.h"
#include "core/os/interrupt.h"
#include "core/os/real_loop.h"
#include "core/os/wall_clock.h"
#include "core/store/thread_store.h"

namespace plumbline::cli {

// open_records opens the store that `option` or the variables name, or complains and returns the
// exit status. A password in it becomes a secret of `host`.
std::variant<std::unique_ptr<RecordStore>, int> open_records(const std::string& option, Host& host);

// optional_records is open_records for those who also work without: where neither names a store it
// is `otherwise`, which is like `option`; empty: one in memory.
std::variant<std::unique_ptr<RecordStore>, int> optional_records(const std::string& option,
                                                                 const std::string& otherwise,
                                                                 Host& host);

// Threads is an open store. It takes the secrets of the Host out of what it keeps.
class Threads {
 public:
  // open opens what `option` or the variables name, or complains and returns the exit status. A
  // password in it becomes a secret of `host`.
  static std::variant<std::unique_ptr<Threads>, int> open(const std::string& option, Host& host);

  // open_kept is open for those who begin no thread: a file that is not there is refused.
  static std::variant<std::unique_ptr<Threads>, int> open_kept(const std::string& option,
                                                               Host& host);

  Threads(std::unique_ptr<RecordStore> records, std::string shown, const Redactor& redactor)
      : records_(std::move(records)),
        shown_(std::move(shown)),
        store_(*records_, clock_, {.redactor = &redactor}) {}
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  store::ThreadStore& store() { return store_; }
  RecordStore& records() { return *records_; }
  const WallClock& clock() const { return clock_; }

  // shown is how people name the store: as --store takes it, without passwords.
  const std::string& shown() const { return shown_; }

 private:
  os::RealWallClock clock_;
  std::unique_ptr<RecordStore> records_;
  std::string shown_;
  store::ThreadStore store_;
};

// wait_for drives `task`, of the store, to its end. Nothing: it was interrupted.
template <typename T>
std::optional<T> wait_for(Host& host, Task<T> task) {
  os::RealLoop& loop = host.world().loop();
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  return os::run(loop, std::move(task));
}

// ThreadView is a thread as people see it.
struct ThreadView {
  store::ThreadInfo info;
  std::optional<store::KeptStep> latest;  // Nothing: it has not come to its first step.
  std::string damage{};                   // Why its latest step cannot be read; empty: it can.

  std::vector<graph::Question> open() const;

  // expires returns when the open question can no longer be answered; nothing: there is none, or it
  // waits for ever.
  std::optional<Duration> expires() const;

  // status returns "waits", "expired", "ended", "damaged", or "unfinished": its process has died,
  // or is still at work.
  std::string_view status(Duration now) const;
};

// view_thread reads the thread `id`; nothing when there is none.
Task<Result<std::optional<ThreadView>>> view_thread(store::ThreadStore& store, std::string id);

// to_json returns what the commands show of a thread.
Json to_json(const ThreadView& view, Duration now);

// FoundThread is an open store and a thread of it.
struct FoundThread {
  std::unique_ptr<Threads> threads;
  ThreadView view;
};

// find_thread opens the store and reads the thread, or complains and returns the exit status.
std::variant<FoundThread, int> find_thread(const std::string& store, const std::string& id,
                                           Host& host);

}  // namespace plumbline::cli
