// SimAgent is one of hundreds of agents in a simulated world: a server of MCP with one tool that
// answers over values, and everything that can be wrong with it as a field.

#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/base/task.h"
#include "core/json/json.h"
#include "core/mcp/transport/connection.h"

namespace plumbline::fakes {

// AgentTroubles is what is wrong with an agent at present.
struct AgentTroubles {
  int down = 0;         // Not there: refuses, and what was open breaks. Counted: they overlap.
  int hangs = 0;        // There, and silent: it does what it is asked, and nobody hears of it.
  int half = 0;         // Answers half of what it is asked, and does all of it.
  int certificate = 0;  // Shows another certificate than the one that is trusted.
  int throttled = 0;    // Lets through one call a second, and asks for two seconds of patience.
  Duration slow{};      // Takes so much longer.
};

class SimAgent;

// AgentsWatch hears what agents are sent, when it is sent, and of their connections.
class AgentsWatch {
 public:
  virtual void on_opened(const SimAgent& agent, const std::string& principal) = 0;
  virtual void on_closed(const SimAgent& agent, const std::string& principal) = 0;
  virtual void on_executed(const SimAgent& agent, const Json& call) = 0;
  virtual void on_sent(const SimAgent& agent, const std::string& principal,
                       const Json& message) = 0;

 protected:
  ~AgentsWatch() = default;
};

class SimAgent {
 public:
  // `loop` and `watch` must outlive the agent, and the agent its connections.
  SimAgent(Loop& loop, AgentsWatch& watch, std::string name, Duration latency, Rng rng);
  SimAgent(const SimAgent&) = delete;
  SimAgent& operator=(const SimAgent&) = delete;
  ~SimAgent();

  const std::string& name() const { return name_; }

  // troubles may be changed at any time; break_off then breaks what is open where it is down.
  AgentTroubles troubles;
  void break_off();

  // restart breaks what is open, and gives it another tool beside the one that stays.
  void restart();

  // change_tools does the same while it runs, and tells everybody.
  void change_tools();

  // dial opens a connection on behalf of `principal`.
  Task<Result<std::unique_ptr<transport::Connection>>> dial(std::string principal);

 private:
  class Channel;
  class Link;

  Json answer(const Json& request);
  Json tools() const;
  bool lets_through();

  Loop& loop_;
  AgentsWatch& watch_;
  std::string name_;
  Duration latency_;
  Rng rng_;
  int version_ = 1;
  Instant next_call_{};           // Of one that is throttled.
  std::list<Channel*> channels_;  // In the order they were opened.
};

}  // namespace plumbline::fakes
