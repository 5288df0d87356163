// A simulated world with an MCP server that takes tokens, who gives them out, and a person.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/auth/oauth_authorizer.h"
#include "core/auth/sign_in.h"
#include "core/auth/token_manager.h"
#include "core/base/check.h"
#include "core/net/http_client.h"
#include "fakes/auth/authorization_server.h"
#include "fakes/auth/person.h"
#include "fakes/auth/protected_resource.h"
#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::auth {

inline constexpr const char* kIssuer = "https://as.example";
inline constexpr const char* kResource = "https://mcp.example/mcp";

// Place is one host that serves HTTP.
class Place {
 public:
  Place(Loop& loop, net::Network& network, std::string host, net::HttpHandler& handler)
      : server_(loop, handler, net::HttpAccess::anybody()) {
    auto listening = network.listen({std::move(host), 443}, net::TlsServer(),
                                    [this](auto pipe) { server_.accept(std::move(pipe)); });
    check(listening.ok(), "two listen at one place");
    listener_ = std::move(listening).value();
  }

 private:
  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;
};

struct AuthWorldFixture {
  template <typename T>
  T run(Task<T> task) {
    const auto turns = loop.run_task(task, 10'000'000);
    check(turns.ok(), "a world that does not come to an end");
    return std::move(task.result());
  }

  void wait(Duration span) {
    Alarm over([] {});
    loop.arm(over, loop.now() + span);
    check(loop.run_until([&over] { return !over.armed(); }).ok(), "a restless world");
  }

  RandomBytes random_bytes() {
    return [this](std::size_t count) {
      std::string bytes;
      while (bytes.size() < count) bytes += static_cast<char>(rng.next() & 0xffU);
      return bytes;
    };
  }

  AuthWorld world() { return {loop, clock, secrets, network, random_bytes(), {}}; }

  wire::Url server() const { return wire::parse_url(kResource).value(); }

  Result<Token> sign_in(SignInOptions options = {}) {
    SignIn by(world(), std::move(options), &person);
    return run(by.run(server(), Challenge(), std::nullopt));
  }

  fakes::SimLoop loop;
  Rng rng{7};
  fakes::SimNetwork network{loop, fakes::PipeOptions(), Rng(8)};
  fakes::SimWallClock clock{loop, std::chrono::hours(24 * 365 * 57)};
  fakes::SimSecretStore secrets{loop};
  fakes::AuthorizationServer issuer{loop, kIssuer};
  fakes::ProtectedResource resource{kResource, kIssuer, issuer};
  fakes::Person person{loop, [this](const std::string& url) { return issuer.authorize(url); }};
  Place issuer_place{loop, network, "as.example", issuer};
  Place resource_place{loop, network, "mcp.example", resource};
};

}  // namespace plumbline::auth
