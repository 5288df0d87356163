// Credentials judges what becomes of the secrets of authorization in a world: who is shown a token,
// how often one is renewed, and that none is told. It hears from those who give tokens out and take
// them, and reads what the agents send by itself.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "core/net/network.h"
#include "core/wire/http.h"
#include "fakes/auth/authorization_server.h"
#include "scenarios/judge/invariants.h"

namespace plumbline::scenarios {

// kGetsInAgain is that of a world that is whole again.
inline constexpr std::string_view kGetsInAgain = "liveness.gets-in-again";

class Credentials final : public EventSink {
 public:
  // Domain is one server with those who give out its tokens, as hosts.
  struct Domain {
    std::string server;
    std::string issuer;
  };

  // given tells that a secret was given out at `at`, shown that an access token was shown to the
  // server that it is for, and whether it was good.
  void given(const Domain& domain, const fakes::Secret& secret, Instant at);
  void shown(const std::string& token, bool good);

  // sent tells what an agent sends, restarted that it knows no more what it did.
  void sent(std::size_t agent, Instant at, const net::Authority& to,
            const wire::HttpRequest& request);
  void restarted(std::size_t agent);

  // implements EventSink ---
  void on_event(const TraceEvent& event) override;

  // check_text judges what is told to people.
  void check_text(std::string_view where, std::string_view text);

  // failures returns the first failure of each invariant.
  const std::vector<RunFailure>& failures() const { return failures_; }

 private:
  struct Known {
    Domain domain;
    fakes::Secret secret;
    Instant given{};
    bool taken = false;    // The server has taken it,
    bool refused = false;  // or refused it.
  };
  // Record is what one agent did at one server.
  struct Record {
    std::string shows;  // The last token.
    bool has_renewed = false;
    Instant renewed{};  // Tried to.
    std::size_t causes = 0;
  };

  Known* find_secret(std::string_view text);
  void check_home(const Known& known, const net::Authority& to, const wire::HttpRequest& request);
  void check_renewal(std::size_t agent, Instant at, const std::string& issuer);
  void check_shows(std::size_t agent, Instant at, const net::Authority& to,
                   const wire::HttpRequest& request);
  void fail(std::string_view id, std::string message);

  std::vector<Known> secrets_;                 // Oldest first.
  std::map<std::string, std::size_t> causes_;  // By issuer: tokens that were good and are not.
  std::map<std::pair<std::size_t, std::string>, Record> records_;  // By agent and server.
  std::vector<RunFailure> failures_;
};

}  // namespace plumbline::scenarios
