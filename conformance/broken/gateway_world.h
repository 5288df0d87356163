// GatewayWorld is a simulated world with a gateway in it, right or with one Deviation, between the
// judge's clients and the judge's server.

#pragma once

#include <memory>
#include <vector>

#include "conformance/broken/deviation.h"
#include "conformance/broken/http_middleman.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/judge/gateway.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::conformance {

// gateway_deviations are wrong gateways; ids are those of GatewayChecks. They stand in pages.
Deviations gateway_deviations();
Deviations passing_deviations();
Deviations one_call_deviations();
Deviations definition_deviations();
Deviations result_deviations();
Deviations session_deviations();
Deviations trouble_deviations();
Deviations form_deviations();
Deviations both_ends_deviations();
Deviations kept_deviations();
Deviations one_form_deviations();
Deviations gateway_again_deviations();
Deviations odd_gateway_deviations();
Deviations reach_deviations();
Deviations variant_deviations();
Deviations gateway_names_deviations();
Deviations sizes_deviations();

class GatewayWorld {
 public:
  // `deviation` must outlive the world; null: the gateway is right.
  // `transport` is spoken on both sides: kHttp or kSse.
  explicit GatewayWorld(const Deviation* deviation, Transport transport = Transport::kHttp);

  // judge runs every check, in virtual time. `manner` is what the gateway does on purpose.
  std::vector<CheckResult> judge(GatewayManner manner = {});

 private:
  wire::Url mirror_url() const;

  class NoEvents final : public EventSink {
   public:
    void on_event(const TraceEvent&) override {}
  };

  NoEvents events_;
  fakes::SimLoop loop_;
  fakes::SimSpawner spawner_;
  fakes::SimNetwork network_;
  Redactor redactor_;
  WireLog log_;
  Transport transport_;
  std::unique_ptr<MirrorServer> mirror_;
  std::unique_ptr<HttpMiddleman> gateway_;
};

}  // namespace plumbline::conformance
