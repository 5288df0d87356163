// ToolCall is one call of a tool in its thread: it begins a run of the supervisor, or goes on with
// the one that waits, also where that was left by a process that is gone.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/agents/supervisor/run/supervisor_run.h"
#include "core/agents/supervisor/threads/thread_book.h"
#include "core/graph/saved_state.h"
#include "core/store/thread_store.h"

namespace plumbline::agents::supervisor {

// Approver asks a person about a command of the call `use` (KeptThread::use): `review` is
// SupervisorRun::review(), the answer {"approve", "reason"?, "remember"?}. It may be dropped while
// it waits: whoever makes the same call again is asked again.
using Approver = std::function<Task<Json>(std::string use, Json review)>;

// CallAids are what a call has of whoever makes it. All must outlive the call.
struct CallAids {
  std::string who{};   // Whom the channel has authenticated; empty: nobody. Threads are his alone.
  Approver approve{};  // Empty: nobody is there, and nothing is approved.
  // answers is the call that this one brings the answer for, the same call made again; empty: none.
  // It goes on where it waits. One that is answered gets the answer that it had, and kInvalidInput
  // is one that is not the thread's last any more: either way nothing is done twice.
  std::string answers{};
  graph::GraphObserver* observer = nullptr;  // Hears every step of the graph. May be null.
  std::string traceparent{};                 // Of the work that the call belongs to; or empty.
  std::function<void(const std::string& line)> progress{};  // Hears what models are asked.
  Json connection = Json::object();  // What `version` tells of it: {"revision", "client"}.
};

class ToolCall {
 public:
  // All must outlive the call. `checkpoints` keeps its run.
  ToolCall(const SupervisorServices& services, Loop& loop, ThreadBook& book,
           store::ThreadStore& checkpoints, KeptThread thread, CallAids aids);

  // answer is ToolDesk::call in the thread.
  Task<Result<Json>> answer(std::string tool, Json arguments);

 private:
  Task<Result<Json>> take_up();
  Task<Result<Json>> go_on_answered();
  Task<Result<Json>> next_step();
  Task<Result<Json>> anew();
  Task<void> begin_run();
  Task<Result<Json>> finish();
  Task<Status> keep(CallStatus status);
  Json told();
  void open_run();

  SupervisorServices services_;
  Loop& loop_;
  ThreadBook& book_;
  store::ThreadStore& checkpoints_;
  graph::SavedCheckpoints<SupervisorState> saved_;
  KeptThread thread_;
  CallAids aids_;
  std::string tool_;
  Json call_;
  std::optional<SupervisorThread> place_;
  std::unique_ptr<SupervisorRun> run_;
};

}  // namespace plumbline::agents::supervisor
