// ToolDesk answers calls of the tools and keeps the threads that they belong to: what was said in a
// thread is known to every tool that continues it, and a workflow that waits for its next step goes
// on with it.

#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "core/agents/supervisor/run/supervisor_run.h"
#include "core/base/random_bytes.h"

namespace plumbline::agents::supervisor {

// ThreadLimits bounds what is kept.
struct ThreadLimits {
  std::size_t turns_max = 40;                // Of one thread; a longer one goes on in a new one.
  Duration age_max = std::chrono::hours(3);  // Since the last call.
  std::size_t threads_max = 1'000;
};

class ToolDesk {
 public:
  // `services` and `loop` must outlive the desk. `random` makes the ids of threads.
  ToolDesk(SupervisorServices& services, Loop& loop, RandomBytes random, ThreadLimits limits = {});

  // call answers one call of a tool: {"status": "completed", "continue" or "error", "thread_id",
  // "continuation_id" (the same), "tool", "content", "metadata"}; "parent_thread_id" where the
  // thread goes on from another one; and where the next step is the caller's "next_step":
  // {"step_number", "total_steps", "confidence", "findings", "required_actions", "cli_results"}.
  //
  // "thread_id" or "continuation_id" of `arguments` continues a thread. kInvalidInput: there is no
  // such tool or thread, it has expired or is at work, or a step cannot be read; then the workflow
  // still waits. kLimitReached: all threads are at work. A call whose task is dropped ends the
  // workflow, and leaves the thread as it was. A command that needs a person's approval is refused.
  //
  // With a tracer in the services the call has a span of a server, below the client's `traceparent`
  // where there is one.
  Task<Result<Json>> call(std::string tool, Json arguments, std::string traceparent = {});

  std::size_t threads() const { return talks_.size(); }

 private:
  struct Talk {
    Conversation conversation;
    Instant used{};
    std::string tool;
    std::unique_ptr<SupervisorRun> run;  // While it waits for a step, or works.
    bool busy = false;
  };

  // Work keeps a talk busy, and ends its run unless that waits.
  class Work;

  Task<Result<Json>> answer(std::string tool, Json arguments, std::string parent);
  void forget_old();
  Result<Talk*> begin(Conversation conversation);
  Result<Talk*> talk_of(const Json& arguments);
  Result<Talk*> with_room(Talk& talk);
  Json told(Talk& talk, const std::string& said, const Json& arguments);

  SupervisorServices& services_;
  Loop& loop_;
  RandomBytes random_;
  ThreadLimits limits_;
  std::map<std::string, Talk> talks_;
};

}  // namespace plumbline::agents::supervisor
