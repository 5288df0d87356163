// What `run --client` does of one scenario: its servers run for real, a command that is somebody's
// agent or client is told where they are, and is judged by what they heard.

#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/task.h"
#include "core/base/time.h"
#include "core/events/check_result.h"
#include "core/mcp/protocol/transports.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/any_agent.h"
#include "scenarios/real/agent_program.h"
#include "scenarios/real/asked_calls.h"
#include "scenarios/real/offered_servers.h"
#include "scenarios/real/real_doors.h"

namespace plumbline::scenarios {

struct AgentCommand {
  std::vector<std::string> words;          // With placeholders: docs/run.md.
  std::map<std::string, std::string> env;  // Of the command.
  std::string shown;                       // The command as reports show it.
  std::optional<mcp::Transport> over;  // Nothing: as each scenario has it, stdio if any will do.
  Duration patience = std::chrono::seconds(60);  // Of one run of the command.
  bool rules_only = false;                       // What the files expect is named, and not judged.
};

// CommandRun is one scenario with such a command in it, from the beginning to the end.
class CommandRun {
 public:
  // All must outlive the run.
  CommandRun(const Scenario& scenario, const AgentCommand& agent, const RealDoors& doors);
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  // run runs the command once, and returns the row. Once.
  Task<CheckResult> run();

 private:
  Task<void> judge(CheckResult& row);
  Task<void> ask(OfferedServers& servers, std::string folder);
  Task<void> run_once(net::Command command, std::string input);
  Task<std::vector<std::string>> left_running(OfferedServers& servers);
  void tell(CheckResult& row);
  void hold_to_file(CheckResult& row);
  void note_what_is_due();
  Json outcome(const std::vector<std::string>& not_judged) const;

  const Scenario& scenario_;
  const AgentCommand& agent_;
  mcp::Transport over_;
  bool at_once_;
  const RealDoors& doors_;
  std::vector<AskedRequest> requests_;
  AnyAgentRun seen_;
  std::string told_;             // The end of the last standard error.
  std::string failed_to_start_;  // Why; empty: it was started.
  std::unique_ptr<AgentProgram> program_;
};

}  // namespace plumbline::scenarios
