// CrashPlan ends the orchestrator of a world where its faults say so, and keeps what a new one
// finds. The orchestrator is not told: what it has begun is dropped as it stands.

#pragma once

#include <coroutine>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/agent.h"
#include "core/base/loop.h"
#include "core/connector/mcp_client.h"
#include "core/events/trace_event.h"
#include "core/graph/checkpointer_around.h"
#include "core/graph/memory_saver.h"
#include "scenarios/crashes/operations.h"
#include "scenarios/spec/inner_faults.h"

namespace plumbline::scenarios {

class CrashPlan final : public EventSink {
 public:
  // All must outlive the plan. Crashes with a time are armed at once.
  CrashPlan(Loop& loop, EventSink& events, const std::vector<Crash>& crashes);
  CrashPlan(const CrashPlan&) = delete;
  CrashPlan& operator=(const CrashPlan&) = delete;

  // reach tells that the orchestrator is at `point`, and returns whether it dies there: whoever
  // asks then waits for the end().
  bool reach(CrashPoint point);

  // dead returns whether it has died: nothing of it may run any more.
  bool dead() const { return dead_; }

  // bury takes note that the dead orchestrator was dropped and returns how long it stays down.
  Duration bury();

  // stop_watching forgets what has not struck.
  void stop_watching();

  // end is what the dead wait for, any number of them. It never comes.
  static std::suspend_always end() { return {}; }

  // implements EventSink --- It hears what was sent and what took effect.
  void on_event(const TraceEvent& event) override;

 private:
  struct Planned {
    Crash crash;
    bool over = false;
  };

  void strike(Planned& planned);

  Loop& loop_;
  EventSink& events_;
  std::vector<Planned> planned_;
  std::map<CrashPoint, std::int64_t> reached_;
  std::vector<std::unique_ptr<Alarm>> alarms_;
  bool dead_ = false;
  Duration down_{};
};

// MortalClient is an McpClient around which the orchestrator may die.
class MortalClient final : public connector::McpClient {
 public:
  MortalClient(connector::McpClient& client, CrashPlan& plan) : client_(client), plan_(plan) {}

  // implements agents::McpClient ---
  Task<connector::Discovery> discover() override { return client_.discover(); }
  Task<mcp::Reply<Json>> invoke(connector::McpRequest request) override;
  const connector::RetryStrategies* retries(const std::string& server) const override {
    return client_.retries(server);
  }

 private:
  connector::McpClient& client_;
  CrashPlan& plan_;
};

// MortalSaver keeps checkpoints in memory. The orchestrator may die around it, and a write may
// fail.
class MortalSaver final : public graph::CheckpointerAround<agents::SavedState> {
 public:
  MortalSaver(CrashPlan& plan, Operations& operations)
      : CheckpointerAround(memory_), plan_(plan), operations_(operations) {}

  // implements agents::Checkpoints ---
  Task<Status> put(graph::Turn turn, Kept checkpoint) override;
  Task<Status> put_branch(graph::Turn turn, graph::Branch<agents::SavedState> branch) override;
  Task<Status> add_note(graph::Turn turn, graph::Note note) override;

 private:
  Task<Status> mortal(Task<Status> writing);

  CrashPlan& plan_;
  Operations& operations_;
  graph::MemorySaver<agents::SavedState> memory_{1};
};

}  // namespace plumbline::scenarios
