// SimNetwork is the Network of a simulated world: every host in it is this one object.
//
// It speaks no TLS: what was asked for is recorded, the bytes go in the clear.

#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/rng.h"
#include "core/net/network.h"
#include "fakes/world/sim_pipe.h"

namespace plumbline::fakes {

class SimNetwork final : public net::Network {
 public:
  // Dial is one call of dial(), whether anybody listened or not.
  struct Dial {
    net::Authority to;
    std::optional<net::TlsClient> tls;
  };

  // LinkHook is told of each new stream: `ours` is the end of who dialled, `theirs` of who listens.
  // A fault plan finds its links here, by the authority that was dialled.
  using LinkHook = std::function<void(const net::Authority& to, SimPipe& ours, SimPipe& theirs)>;

  // Streams have `options`. `loop` must outlive the network and its streams, the network its
  // listeners; `rng` is forked for each stream.
  SimNetwork(Loop& loop, const PipeOptions& options, Rng rng)
      : loop_(loop), options_(options), rng_(rng) {}
  SimNetwork(const SimNetwork&) = delete;
  SimNetwork& operator=(const SimNetwork&) = delete;
  ~SimNetwork();

  // implements Network ---
  //
  // A name is any text; "localhost" and "::1" are 127.0.0.1. A dial takes a latency of the options
  // and at least one turn. Port 0 gives 49152 and the free ones after it, in order. kDisconnected:
  // nobody listens.
  Task<Result<std::unique_ptr<net::Pipe>>> dial(net::Authority to,
                                                std::optional<net::TlsClient> tls) override;
  Result<std::unique_ptr<net::Listener>> listen(net::Authority at,
                                                std::optional<net::TlsServer> tls,
                                                OnAccept on_accept) override;

  // on_link names who hears of new streams.
  void on_link(LinkHook hook) { on_link_ = std::move(hook); }

  // hang_dials makes later dials wait until they are dropped, as to a host that is switched off.
  void hang_dials(bool hang) { hang_dials_ = hang; }

  const std::vector<Dial>& dials() const { return dials_; }

  // listening_with returns the TLS files that who listens at `at` was given.
  std::optional<net::TlsServer> listening_with(const net::Authority& at) const;

 private:
  class Ear;

  // Place is where somebody listens, by one spelling of the host.
  struct Place {
    std::string host;
    std::uint16_t port = 0;
    auto operator<=>(const Place&) const = default;
  };
  static Place place_of(const net::Authority& authority);

  Loop& loop_;
  PipeOptions options_;
  Rng rng_;
  LinkHook on_link_;
  bool hang_dials_ = false;
  std::vector<Dial> dials_;
  std::map<Place, Ear*> ears_;
};

}  // namespace plumbline::fakes
