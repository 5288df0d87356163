// ValueConnector connects to scripted servers without bytes and without processes.

#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/base/rng.h"
#include "core/events/trace_event.h"
#include "core/mcp/transport/connection.h"
#include "fakes/peers/scripted_server.h"
#include "fakes/world/value_channel.h"
#include "scenarios/world/fault_plan.h"

namespace plumbline::scenarios {

class ValueConnector final : public transport::Connector {
 public:
  // What is borrowed must outlive the connector and every connection. `rng` is forked for each.
  ValueConnector(Loop& loop, EventSink& events, const fakes::ValueOptions& options, Rng rng,
                 FaultPlan& plan)
      : loop_(loop), events_(events), options_(options), rng_(rng), plan_(plan) {}

  // add makes `script` what answers under the name of `world.memory`.
  void add(const fakes::ServerScript& script, const fakes::ServerWorld& world) {
    const auto actor = static_cast<std::uint32_t>(servers_.size() + 1);
    servers_.emplace(world.memory.name, Entry{script, world, actor});
  }

  // implements Connector ---
  //
  // Emits kConnection {"state": "started"}.
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string server) override;

 private:
  struct Entry {
    const fakes::ServerScript& script;
    fakes::ServerWorld world;
    std::uint32_t actor;
  };

  Loop& loop_;
  EventSink& events_;
  fakes::ValueOptions options_;
  Rng rng_;
  FaultPlan& plan_;
  std::map<std::string, Entry> servers_;
  std::uint64_t connections_ = 0;
};

}  // namespace plumbline::scenarios
