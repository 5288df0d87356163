// ThreadStore keeps the threads of every agent as records: the steps of each, what came of its
// branches and was noted in between, and what the thread is about.
//
// A write to a thread is one record, and the thread's version is that of the newest one. So of two
// processes that take up one thread, one writes first and the other is told kConflict.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/doors/record_store.h"
#include "core/base/doors/wall_clock.h"
#include "core/graph/checkpoint.h"
#include "core/graph/saved_state.h"
#include "core/json/json.h"
#include "core/json/redactor.h"
#include "core/store/exact_records.h"

namespace plumbline::store {

using SavedCheckpoint = graph::Checkpoint<graph::SavedState>;

// KeptStep is a step, and when it was written.
struct KeptStep {
  SavedCheckpoint checkpoint;
  Duration at{};            // Since 1970, as all times here.
  Duration changed{};       // The last write to it.
  std::int64_t begins = 0;  // The version of the record that it begins with.
  bool altered = false;     // Secrets were taken out of it, and this process does not know them.
};

// ThreadInfo is what a thread is about, as whoever began it has said.
struct ThreadInfo {
  std::string id;
  Duration begun{};
  Json about;
  bool altered = false;  // Secrets were taken out of it when it was kept.
};

struct ThreadStoreOptions {
  // Of each thread the latest steps are kept, at least 1; 0 keeps all. Older ones are forgotten
  // some at a time.
  std::size_t steps_max = 0;
  // With steps_max: past so many bytes of values the older ones are forgotten, too, however few.
  std::size_t steps_bytes_max = std::numeric_limits<std::size_t>::max();
  // Takes secrets out of what is written. May be null. The store that has written it goes on with
  // the exact words; for any other they are lost, and latest() and at() refuse a step that still
  // has something to do: kInvalidInput.
  const Redactor* redactor = nullptr;
};

// Every Error of it names the thread, and the step as far as it is known.
class ThreadStore final : public graph::Checkpointer<graph::SavedState> {
 public:
  using Kept = SavedCheckpoint;

  // All must outlive it.
  ThreadStore(RecordStore& records, const WallClock& clock, ThreadStoreOptions options = {})
      : records_(records), clock_(clock), options_(options) {}

  // begin keeps what a new thread is about. false: there is one of this id.
  Task<Result<bool>> begin(std::string thread, Json about);

  // info returns what was kept by begin, nothing when there is no such thread.
  Task<Result<std::optional<ThreadInfo>>> info(std::string thread);

  // threads returns the threads that were begun, in the order of their ids, at most `count` behind
  // the id `after`.
  Task<Result<std::vector<ThreadInfo>>> threads(std::string after, std::size_t count);

  // steps returns the steps that are kept and within `range`, newest first, with their times.
  Task<Result<std::vector<KeptStep>>> steps(std::string thread, graph::Range range);

  // hold claims the thread for this process, until it ends or the store is gone. false: another one
  // that is alive is at work on it.
  Task<Result<bool>> hold(std::string thread);

  // as_kept returns what would be kept of a text.
  std::string as_kept(const std::string& text) const {
    return options_.redactor == nullptr ? text : options_.redactor->redact(text);
  }

  // unkept returns why the last write was not done; nothing when it was.
  const std::optional<Error>& unkept() const { return unkept_; }

  // implements graph::Checkpointer ---
  Task<Status> put(graph::Turn turn, Kept checkpoint) override;
  Task<Status> put_branch(graph::Turn turn, graph::Branch<graph::SavedState> branch) override;
  Task<Status> add_note(graph::Turn turn, graph::Note note) override;
  Task<Result<std::optional<Kept>>> latest(std::string thread) override;
  Task<Result<std::optional<Kept>>> at(std::string thread, std::int64_t step) override;
  Task<Result<std::vector<Kept>>> history(std::string thread, graph::Range range) override;
  Task<Status> erase(std::string thread) override;

 private:
  // StepPlace is where a step begins, and what it takes; 0: another process has written it.
  struct StepPlace {
    std::int64_t version = 0;
    std::size_t bytes = 0;
  };
  // Known is what this process knows of a thread without reading it.
  struct Known {
    std::int64_t version = 0;
    std::int64_t step = -1;
    std::vector<std::string> branches{};  // Keys, of the latest step.
    std::deque<StepPlace> steps{};        // That are kept, oldest first.
  };

  Task<Status> write(graph::Turn turn, std::string kind, std::string which, Json entry);
  Task<Status> write_on_branch(graph::Turn turn, std::string kind, std::string key, Json entry);
  Task<Result<Known>> known(std::string thread, std::int64_t version);
  Task<Status> keep_latest(std::string thread);
  Task<Error> damage_of(std::string thread, Error error);

  RecordStore& records_;
  const WallClock& clock_;
  ThreadStoreOptions options_;
  std::map<std::string, Known> known_;
  ExactRecords exact_;  // Of threads.
  std::optional<Error> unkept_;
};

}  // namespace plumbline::store
