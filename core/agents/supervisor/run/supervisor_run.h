// SupervisorRun is one request to the supervisor, from the call of a tool to its answer, with
// whoever is asked on the way: a person about a command, the user about the next step.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/graph_spans.h"
#include "core/agents/supervisor/run/supervisor_graph.h"
#include "core/graph/thread_run.h"

namespace plumbline::agents::supervisor {

using SupervisorThread = graph::Thread<SupervisorState>;

// Bounds of one run, for whoever watches: nodes visited, those inside a workflow included.
inline constexpr std::int64_t kSupervisorStepsMax = 2'000;

// supervisor_state returns what a call of `tool` with `arguments` starts from, in `conversation`.
SupervisorState supervisor_state(std::string tool, Json arguments, Conversation conversation);

// check_supervisor_answer returns whether `answer` is one to `review`: check_decision's for a
// command; for a step the arguments of the next one, or {"approve": false} for the end.
Status check_supervisor_answer(const Json& review, const Json& answer);

class SupervisorRun {
 public:
  // All must outlive it; `observer` and `thread` may be null. With a thread a run goes on where its
  // last checkpoint stands, in whichever process: a command that may have run is not run again.
  SupervisorRun(SupervisorServices& services, Loop& loop, graph::GraphObserver* observer,
                SupervisorThread* thread);

  // start goes on until the run ends or asks somebody; resume goes on with the answer, which
  // check_supervisor_answer takes.
  //
  // With a tracer in the services each has a span below `parent`, a traceparent or empty.
  Task<void> start(SupervisorState initial, std::string parent = {});
  Task<void> resume(Json answer, std::string parent = {});

  // review is what is asked: {"approval_id", "type": "command" or "step", "name", "arguments",
  // "risks", "reason"}. nullptr when the run has ended.
  const Json* review() const { return run_.asked() != nullptr ? &run_.asked()->what : nullptr; }

  // state is what has come of it. When the run has ended its status is completed or error.
  SupervisorState& state() { return run_.outcome().state; }
  const std::vector<std::string_view>& route() { return run_.outcome().route; }

 private:
  bool may_have_run();
  void settle();
  void settle_answer();

  std::string conversation_;
  GraphSpans spans_;
  graph::ThreadRun<SupervisorState, SupervisorServices> run_;
};

}  // namespace plumbline::agents::supervisor
