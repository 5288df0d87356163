#include "fakes/world/sim_network.h"

#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/lifeline.h"
#include "core/base/wait.h"

namespace plumbline::fakes {

namespace {

constexpr std::uint16_t kFirstFreePort = 49152;

}  // namespace

// Ear is who listens. It hands streams over in a turn of its own, so that whoever takes them may do
// anything, even end the one who dialled.
class SimNetwork::Ear final : public net::Listener, private Timer {
 public:
  Ear(SimNetwork& network, Place place, std::optional<net::TlsServer> tls, OnAccept on_accept)
      : network_(network),
        place_(std::move(place)),
        tls_(std::move(tls)),
        on_accept_(std::move(on_accept)) {
    network_.ears_.emplace(place_, this);
  }
  ~Ear() override { network_.ears_.erase(place_); }

  const std::optional<net::TlsServer>& tls() const { return tls_; }

  void hear(std::unique_ptr<SimPipe> stream) {
    arrived_.push_back(std::move(stream));
    if (!armed()) network_.loop_.arm(*this, network_.loop_.now());
  }

  // implements Listener ---
  std::uint16_t port() const override { return place_.port; }

 private:
  void fire() override {
    std::vector<std::unique_ptr<SimPipe>> arrived = std::exchange(arrived_, {});
    const Lifeline::Guard guard(lifeline_);
    for (std::unique_ptr<SimPipe>& stream : arrived) {
      on_accept_(std::move(stream));
      if (!guard.alive()) return;
    }
  }

  SimNetwork& network_;
  Place place_;
  std::optional<net::TlsServer> tls_;
  OnAccept on_accept_;
  std::vector<std::unique_ptr<SimPipe>> arrived_;
  Lifeline lifeline_;
};

SimNetwork::~SimNetwork() { check(ears_.empty(), "a listener outlives its network"); }

SimNetwork::Place SimNetwork::place_of(const net::Authority& authority) {
  const bool here = authority.host == "localhost" || authority.host == "::1";
  return Place{here ? "127.0.0.1" : authority.host, authority.port};
}

Task<Result<std::unique_ptr<net::Pipe>>> SimNetwork::dial(net::Authority to,
                                                          std::optional<net::TlsClient> tls) {
  dials_.push_back(Dial{to, std::move(tls)});
  if (hang_dials_) {
    Event never;
    co_await never.wait(loop_, kNever);
  }
  const Rng rng = rng_.fork(describe(to)).fork(std::to_string(dials_.size()));
  Rng draw = rng.fork("dial");
  const Duration latency(draw.between(options_.latency_min.count(), options_.latency_max.count()));
  co_await Sleep(loop_, after(loop_.now(), latency));
  const auto ear = ears_.find(place_of(to));
  if (ear == ears_.end()) {
    co_return Error{ErrorCode::kDisconnected,
                    "cannot connect to " + describe(to) + ": Connection refused"};
  }
  SimPipePair ends = make_sim_pipe(loop_, options_, rng);
  if (on_link_) on_link_(to, *ends.near, *ends.far);
  ear->second->hear(std::move(ends.far));
  co_return std::unique_ptr<net::Pipe>(std::move(ends.near));
}

Result<std::unique_ptr<net::Listener>> SimNetwork::listen(net::Authority at,
                                                          std::optional<net::TlsServer> tls,
                                                          OnAccept on_accept) {
  Place place = place_of(at);
  if (place.port == 0) {
    place.port = kFirstFreePort;
    while (ears_.contains(place) && place.port < std::numeric_limits<std::uint16_t>::max()) {
      ++place.port;
    }
  }
  if (ears_.contains(place)) {
    return Error{ErrorCode::kInvalidInput,
                 "cannot listen at " + describe(at) + ": Address already in use"};
  }
  return std::unique_ptr<net::Listener>(
      std::make_unique<Ear>(*this, std::move(place), std::move(tls), std::move(on_accept)));
}

std::optional<net::TlsServer> SimNetwork::listening_with(const net::Authority& at) const {
  const auto ear = ears_.find(place_of(at));
  return ear == ears_.end() ? std::nullopt : ear->second->tls();
}

}  // namespace plumbline::fakes
