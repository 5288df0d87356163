// FleetJudge holds the connector to what must be true in every fleet, whatever goes wrong in it. It
// sees what agents are sent, when it is sent.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/connector/agent_connector.h"
#include "fakes/fleet/sim_agent.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/spec/fleet_spec.h"

namespace plumbline::scenarios {

class FleetJudge final : public fakes::AgentsWatch {
 public:
  // Both must outlive the judge.
  FleetJudge(const Loop& loop, const FleetSpec& fleet) : loop_(loop), fleet_(fleet) {}

  // watch names the connector that is judged. It must outlive the judge's last event.
  void watch(connector::AgentConnector& connector) { connector_ = &connector; }

  // call_ended tells of a call of `caller` that began so long ago.
  void call_ended(const FleetCaller& caller, Duration took, bool answered);

  // implements AgentsWatch ---
  void on_opened(const fakes::SimAgent& agent, const std::string& principal) override;
  void on_closed(const fakes::SimAgent& agent, const std::string& principal) override;
  void on_executed(const fakes::SimAgent& agent, const Json& call) override;
  void on_sent(const fakes::SimAgent& agent, const std::string& principal,
               const Json& message) override;

  // finish judges what is counted over the whole run.
  void finish();

  // failures holds one entry for each rule that was broken: the first time, and how often.
  std::vector<RunFailure> failures() const;

  std::size_t open() const { return open_; }
  std::size_t open_most() const { return open_most_; }
  std::int64_t opened() const { return opened_; }
  std::int64_t calls() const { return calls_; }
  std::int64_t answered() const { return answered_; }
  std::int64_t probes() const { return probes_; }
  const std::map<std::string, std::int64_t>& answered_of() const { return answered_of_; }

 private:
  // Bucket is how far an agent's limit is used: a count, where the connector keeps an instant.
  struct Bucket {
    double tokens = 0;
    Instant filled{};
  };

  struct Broken {
    std::string first;
    std::int64_t times = 0;
  };

  void broken(std::string_view rule, std::string what);
  void check_limit(const std::string& agent);
  void check_call(const std::string& agent, const std::string& principal, const Json& params);

  const Loop& loop_;
  const FleetSpec& fleet_;
  connector::AgentConnector* connector_ = nullptr;
  std::size_t open_ = 0;
  std::size_t open_most_ = 0;
  std::int64_t opened_ = 0;
  std::int64_t calls_ = 0;
  std::int64_t answered_ = 0;
  std::int64_t probes_ = 0;
  std::map<std::string, std::int64_t> answered_of_;
  std::map<std::string, Bucket> buckets_;
  std::map<std::string, std::int64_t> executed_;  // By the key of what must not happen twice.
  std::map<std::string, Broken> broken_;
};

}  // namespace plumbline::scenarios
