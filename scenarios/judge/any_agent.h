// What a scenario asks of any agent or client, whoever made it: judged by what its servers heard,
// did and met, and by what it printed. docs/run.md has the rules.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/judge/server_log.h"

namespace plumbline::scenarios {

// HttpMet is one request that came to the place where a server is reached.
struct HttpMet {
  Duration at{};  // Since 1970.
  std::string server;
  std::string method;
  std::string path;
  std::string headers;  // "Name: value" lines.
  Json detail;          // As an event of the simulation tells it.
  int refused = 0;      // The status 401 or 403 that a rule of the scenario answers; else 0.
  bool trap = false;    // A rule that no run may come to.
};

// AnyAgentRun is all that is known of one run of a command.
struct AnyAgentRun {
  std::int64_t asked = 1;                   // How often the command was asked something.
  std::string printed;                      // On its standard output.
  std::vector<std::string> due;             // What servers answered, and the person is to read.
  std::string late;                         // "did not end within 60 s"; empty: it ended.
  std::string killed;                       // "signal 11 (SIGSEGV)"; empty: it ended by itself.
  int exit_status = 0;                      // Where it ended by itself.
  bool over_sockets = false;                // Its servers are reached at URLs.
  std::vector<ServerLogEntry> log;          // Of all servers, by time.
  std::vector<HttpMet> exchanges;           // Likewise.
  std::map<std::string, std::string> keys;  // That only the named server may be told.
  std::vector<std::string> left_running;    // Servers whose processes outlive the command.
};

struct AgentFinding {
  std::string check;    // "agent.no-effect-twice".
  std::string message;  // What was seen, what was expected.
  bool should = false;  // The specification says SHOULD.
};

// all_agent_rules returns what any agent is held to, in the order in which it is reported.
std::span<const InvariantInfo> all_agent_rules();

// judge_any_agent returns what is wrong, one finding a rule.
std::vector<AgentFinding> judge_any_agent(const Scenario& scenario, const AnyAgentRun& run);

// due_parts returns the parts of `expect.response_contains` that some server of the scenario says:
// any agent can be held to them. The others are our orchestrator's own words.
std::vector<std::string> due_parts(const Scenario& scenario);

}  // namespace plumbline::scenarios
