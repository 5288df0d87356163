// ClientWorld is a simulated world with the reference client in it as a program, as it is or with
// one ClientDeviation, and a judge of clients.

#pragma once

#include <memory>
#include <string>

#include "conformance/broken/client/client_deviation.h"
#include "conformance/judge/client.h"
#include "core/events/trace_event.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::conformance {

class ClientWorld {
 public:
  // `deviation` must outlive the world; null: the client is right.
  ClientWorld(Transport transport, const ClientDeviation* deviation);
  ~ClientWorld();

  // judge runs every scenario to its end, in virtual time.
  Judgement judge(ClientJudgeOptions options);

 private:
  class NoEvents final : public EventSink {
   public:
    void on_event(const TraceEvent&) override {}
  };

  Transport transport_;
  const ClientDeviation* deviation_;
  NoEvents events_;
  fakes::SimLoop loop_;
  fakes::SimSpawner spawner_;
  fakes::SimNetwork network_;
  Redactor redactor_;
};

}  // namespace plumbline::conformance
