// ToolDesk answers calls of the tools in the threads that they belong to: what was said in a thread
// is known to every tool that continues it, and a workflow that waits for its next step goes on
// with it. Threads and runs are kept in a store: whatever process has it open goes on with them.

#pragma once

#include <set>
#include <string>

#include "core/agents/supervisor/threads/thread_book.h"
#include "core/agents/supervisor/threads/tool_call.h"
#include "core/store/thread_store.h"

namespace plumbline::agents::supervisor {

class ToolDesk {
 public:
  // `services`, `loop` and what `keeping` names must outlive the desk.
  ToolDesk(SupervisorServices& services, Loop& loop, const Keeping& keeping,
           ThreadLimits limits = {});

  // call answers one call of a tool: {"status": "completed", "continue" or "error", "thread_id",
  // "continuation_id" (the same), "tool", "content", "metadata"}; "parent_thread_id" where the
  // thread goes on from another one; and where the next step is the caller's "next_step":
  // {"step_number", "total_steps", "confidence", "findings", "required_actions", "cli_results"}.
  //
  // "thread_id" or "continuation_id" of `arguments` continues a thread. kInvalidInput: there is no
  // such tool or thread, it has expired or is at work, or a step cannot be read; then the workflow
  // still waits. kConflict: another process has gone on with the thread. The errors of the store.
  //
  // A call that was dropped, or died with its process, is taken up by the same call, and by the
  // next step of its workflow; anything else leaves it out. A command that may have run is not run
  // again. A step that is sent again word for word gets the answer that it had.
  //
  // With a tracer in the services the call has a span of a server below the traceparent of `aids`.
  Task<Result<Json>> call(std::string tool, Json arguments, CallAids aids = {});

  std::size_t threads() const { return book_.threads(); }

 private:
  class Busy;

  Task<Result<Json>> answer(std::string tool, Json arguments, CallAids aids);
  Task<void> forget_old();
  Task<Result<KeptThread>> thread_of(Json arguments, std::string who);

  SupervisorServices& services_;
  Loop& loop_;
  ThreadBook book_;
  store::ThreadStore checkpoints_;
  std::set<std::string> busy_;  // Ids of threads at work in this process.
};

}  // namespace plumbline::agents::supervisor
