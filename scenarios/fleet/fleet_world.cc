#include "scenarios/fleet/fleet_world.h"

#include <utility>

#include "core/base/wait.h"

namespace plumbline::scenarios {

namespace {

using What = FleetTrouble::What;

bool is_of_registry(What what) { return what >= What::kRegistryHangs; }

}  // namespace

// A Door opens connections on behalf of one principal.
class FleetWorld::Door final : public transport::Connector {
 public:
  Door(FleetWorld& world, std::string principal)
      : world_(world), principal_(std::move(principal)) {}

  // implements Connector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string server) override {
    const auto agent = world_.by_name_.find(server);
    if (agent == world_.by_name_.end()) {
      co_return Error{ErrorCode::kInvalidInput, "there is no agent " + server};
    }
    std::string principal = principal_;
    co_return co_await agent->second->dial(std::move(principal));
  }

 private:
  FleetWorld& world_;
  std::string principal_;
};

FleetWorld::FleetWorld(Loop& loop, const FleetSpec& fleet, FleetJudge& judge, const Rng& rng,
                       EventSink* events)
    : loop_(loop), fleet_(fleet) {
  for (std::size_t i = 0; i < fleet.agents; ++i) {
    const std::string name = FleetRegistry::name_of(i);
    agents_.push_back(
        std::make_unique<fakes::SimAgent>(loop, judge, name, fleet.latency, rng.fork(name)));
    by_name_[name] = agents_.back().get();
  }
  for (const FleetCaller& caller : fleet.callers) {
    doors_[caller.name] = std::make_unique<Door>(*this, caller.name);
  }
  connector::ConnectorOptions options = fleet.connector;
  options.seed = rng.fork("connector").next();
  connector_.emplace(
      loop,
      [this](const std::string& principal) -> transport::Connector& {
        return *doors_.at(principal);
      },
      std::move(options), redactor_, events);
  judge.watch(*connector_);
  if (fleet.registry_every) {
    registry_.emplace(loop, rng, redactor_, fleet.agents);
    asking_ = keep_asking();
    asking_.start();
  } else {
    for (const auto& [name, agent] : by_name_) connector_->add({name, {}, {}, {}});
  }
  plan(rng.fork("troubles"));
}

FleetWorld::~FleetWorld() = default;

Task<void> FleetWorld::keep_asking() {
  for (;;) {
    co_await registry_->refresh(*connector_);
    const Instant next = after(loop_.now(), *fleet_.registry_every);
    co_await Sleep(loop_, next);
  }
}

void FleetWorld::plan(const Rng& rng) {
  for (std::size_t i = 0; i < fleet_.troubles.size(); ++i) {
    const FleetTrouble& trouble = fleet_.troubles[i];
    Rng drawn = rng.fork(std::to_string(i));
    const std::size_t last = is_of_registry(trouble.what) ? trouble.first : trouble.last;
    for (std::size_t agent = trouble.first; agent <= last; ++agent) {
      Strike& strike = strikes_.emplace_back(*this, trouble, agent);
      strike.next_on = Instant(trouble.at + Duration(drawn.between(0, trouble.spread.count())));
      loop_.arm(strike.alarm, strike.next_on);
    }
  }
}

// turn begins or ends a trouble, and says when it comes back.
void FleetWorld::turn(Strike& strike) {
  if (!began_) began_ = loop_.now();
  const FleetTrouble& trouble = strike.trouble;
  if (trouble.what == What::kRestarts || trouble.what == What::kChangesTools) {
    change_at_once(strike);
  } else {
    change(strike);
    if (strike.on) return loop_.arm(strike.alarm, after(loop_.now(), trouble.lasts));
  }
  if (trouble.every == Duration()) return;
  strike.next_on = after(strike.next_on, trouble.every);
  loop_.arm(strike.alarm, strike.next_on);
}

void FleetWorld::change_at_once(const Strike& strike) {
  fakes::SimAgent& agent = *agents_[strike.agent];
  if (strike.trouble.what == What::kRestarts) {
    agent.restart();
  } else {
    agent.change_tools();
  }
}

int* FleetWorld::counter_of(const Strike& strike) {
  fakes::AgentTroubles& of = agents_[strike.agent]->troubles;
  switch (strike.trouble.what) {
    case What::kDown:
      return &of.down;
    case What::kHangs:
      return &of.hangs;
    case What::kHalf:
      return &of.half;
    case What::kThrottled:
      return &of.throttled;
    case What::kCertificate:
      return &of.certificate;
    case What::kRegistryHangs:
      return registry_ ? &registry_->hangs : nullptr;
    case What::kRegistryLies:
      return registry_ ? &registry_->lies : nullptr;
    case What::kRegistryShrinks:
      return registry_ ? &registry_->shrinks : nullptr;
    default:
      return nullptr;
  }
}

// change begins or ends what lasts. A new certificate is of a server that was started anew.
void FleetWorld::change(Strike& strike) {
  strike.on = !strike.on;
  fakes::SimAgent& agent = *agents_[strike.agent];
  const What what = strike.trouble.what;
  if (int* const counter = counter_of(strike)) *counter += strike.on ? 1 : -1;
  if (what == What::kSlow)
    agent.troubles.slow += strike.on ? strike.trouble.by : -strike.trouble.by;
  if (what == What::kDown && strike.on) agent.break_off();
  if (what == What::kCertificate && strike.on) agent.restart();
  if (what != What::kIsRemoved) return;
  if (strike.on) return connector_->remove(agent.name());
  connector_->add({agent.name(), {}, {}, {}});
}

void FleetWorld::heal() {
  for (Strike& strike : strikes_) {
    strike.alarm.cancel();
    if (strike.on) change(strike);
  }
}

void FleetWorld::stop() { asking_.drop(); }

}  // namespace plumbline::scenarios
