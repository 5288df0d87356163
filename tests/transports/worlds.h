// The worlds that the tests of this folder run in: a simulated network that cuts bytes anywhere,
// and sockets on the loopback interface, with and without TLS.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/check.h"
#include "core/base/limits.h"
#include "core/base/rng.h"
#include "core/net/http_client.h"
#include "core/net/network.h"
#include "core/os/net/real_network.h"
#include "core/os/net/test_certificates.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"
#include "core/wire/url.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::transports_test {

// A World has: loop, network, server_tls, client_tls, run_until(predicate) and settle().
template <fakes::Fragments kFragments>
struct SimWorld {
  // run_until returns whether `finished` came true.
  template <typename Finished>
  bool run_until(Finished finished) {
    return loop.run_until(finished, limits::kTurnsMax, loop.now() + std::chrono::seconds(30)).ok();
  }
  // settle lets happen what is on its way, but no timeout.
  void settle() { run_for(std::chrono::milliseconds(100)); }
  void run_for(Duration span) {
    check(loop.run_until_idle(limits::kTurnsMax, loop.now() + span).ok(), "a restless world");
  }

  fakes::SimLoop loop;
  fakes::SimNetwork network{loop,
                            fakes::PipeOptions{std::chrono::microseconds(100),
                                               std::chrono::microseconds(900), kFragments},
                            Rng(11)};
  std::optional<net::TlsServer> server_tls;
  std::optional<net::TlsClient> client_tls;
};
using WholeSimWorld = SimWorld<fakes::Fragments::kWhole>;
using CutSimWorld = SimWorld<fakes::Fragments::kRandom>;

struct SocketWorld {
  template <typename Finished>
  bool run_until(Finished finished) {
    return os::run_within(loop, std::chrono::seconds(30), finished);
  }
  void settle() { run_for(std::chrono::milliseconds(50)); }
  void run_for(Duration span) {
    os::run_within(loop, span, [] { return false; });
  }

  os::RealLoop loop;
  os::RealNetwork network{loop};
  std::optional<net::TlsServer> server_tls;
  std::optional<net::TlsClient> client_tls;
};

struct TlsWorld : SocketWorld {
  TlsWorld() {
    server_tls = authority.issue("IP:127.0.0.1,DNS:localhost");
    client_tls.emplace();
    client_tls->ca_file = authority.ca_file();
  }
  os::TestAuthority authority;
};

using SimWorlds = testing::Types<WholeSimWorld, CutSimWorld>;
using AllWorlds = testing::Types<WholeSimWorld, CutSimWorld, SocketWorld, TlsWorld>;

// WorldTest adds a client, and listening.
template <typename World>
class WorldTest : public testing::Test {
 protected:
  // listen takes streams at a free port, which url() then names.
  void listen(net::Network::OnAccept on_accept) {
    auto made = world_.network.listen({"127.0.0.1", 0}, world_.server_tls, std::move(on_accept));
    check(made.ok(), "cannot listen");
    listener_ = std::move(made).value();
  }

  wire::Url url(const std::string& target = "/") const {
    const std::string scheme = world_.server_tls ? "https" : "http";
    return wire::parse_url(scheme + "://127.0.0.1:" + std::to_string(listener_->port()) + target)
        .value();
  }

  net::HttpClientOptions client_options() const {
    net::HttpClientOptions options;
    if (world_.client_tls) options.tls = *world_.client_tls;
    return options;
  }

  // wait runs `task` to its end and returns what it returned.
  template <typename T>
  T wait(Task<T> task) {
    task.start();
    check(world_.run_until([&task] { return task.done(); }), "a task does not end");
    return std::move(task.result());
  }

  // dial opens a stream to the listener.
  std::unique_ptr<net::Pipe> dial() {
    auto dialled = wait(world_.network.dial({"127.0.0.1", listener_->port()}, world_.client_tls));
    check(dialled.ok(), "cannot dial");
    return std::move(dialled).value();
  }

  World world_;
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace plumbline::transports_test
