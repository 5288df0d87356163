// AgentRun is one agent of a world at work, as a process is: what it is given, what ends it, and
// what it finds when it starts again.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/agents/agent.h"
#include "core/agents/graph_tracer.h"
#include "core/connector/mcp_client.h"
#include "core/graph/observer.h"
#include "scenarios/crashes/crash_plan.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/step_watch.h"
#include "scenarios/shell/shell_desk.h"
#include "scenarios/world/run_watch.h"
#include "scenarios/world/weather.h"
#include "scenarios/world/world.h"

namespace plumbline::scenarios {

// PlantedClient is an McpClient with a defect, to see that a sweep finds it: it tells of a
// tools/call whose outcome is not known that it was turned away, so that whoever called makes it
// again.
class PlantedClient final : public connector::McpClient {
 public:
  // `client` must outlive it.
  explicit PlantedClient(connector::McpClient& client) : client_(client) {}

  // implements connector::McpClient ---
  Task<connector::Discovery> discover() override { return client_.discover(); }
  Task<mcp::Reply<Json>> invoke(connector::McpRequest request) override;
  const connector::RetryStrategies* retries(const std::string& server) const override {
    return client_.retries(server);
  }

 private:
  connector::McpClient& client_;
};

class AgentRun final {
 public:
  // The agent of that place in `scenario`. `traced`: somebody other than its judges wants the steps
  // of its graph. All that is borrowed must outlive the run.
  AgentRun(const Scenario& scenario, std::size_t place, const Weather& weather, World& world,
           RunWatch& watch, bool traced);
  AgentRun(const AgentRun&) = delete;
  AgentRun& operator=(const AgentRun&) = delete;

  // ask makes a request, which is kept as `thread` where the agent may die or a write may fail.
  Task<agents::Outcome> ask(agents::Request request, agents::Reviewer reviewer, std::string thread);

  // dead returns whether it has died. Then nothing of it may run any more: drop what was asked.
  bool dead() const { return crashes_.dead(); }

  // bury takes away what is left of the dead one and returns how long it stays down; after that
  // time revive starts another one, which finds what was kept of its last request and nothing else.
  Duration bury();
  void revive();

  // reviewed tells what a person was asked and answered; ended what the request came to.
  void reviewed(const Json& review, const Json& reply);
  void ended(const Json& state);

  // stop_crashing forgets the crashes that have not struck.
  void stop_crashing() { crashes_.stop_watching(); }

 private:
  bool may_crash() const { return !crashing_.empty(); }
  void start();
  void look_at_kept();
  static std::vector<Crash> crashes_of(const Weather& weather, const std::string& agent);

  const Scenario& scenario_;
  const AgentSpec& spec_;
  const std::size_t place_;
  const Weather& weather_;
  World& world_;
  AgentJudges& judges_;
  const std::vector<Crash> crashing_;
  CrashPlan crashes_;
  MortalSaver saver_;
  std::optional<PlantedClient> planted_;
  std::optional<MortalClient> mortal_;
  std::optional<ShellDesk> desk_;
  agents::GraphTracer tracer_;
  StepWatch quick_;
  agents::supervisor::SupervisorServices services_;  // Where there is no shell.
  graph::GraphObserver& watch_;  // Who hears the steps: the events are for those who want them.
  std::unique_ptr<agents::Session> session_;
  std::string thread_;  // Of the last request.
};

}  // namespace plumbline::scenarios
