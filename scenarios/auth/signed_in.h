// SignedIn is what one agent of a world has for signing in to its servers, as a process has it: it
// goes with the process. The store of secrets stays.

#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "core/auth/loopback_user_agent.h"
#include "core/auth/oauth_authorizer.h"
#include "core/auth/sign_in.h"
#include "core/auth/token_manager.h"
#include "core/mcp/transport/http_connector.h"
#include "scenarios/auth/machine.h"
#include "scenarios/auth/tap_network.h"
#include "scenarios/judge/credentials.h"
#include "scenarios/world/web_world.h"

namespace plumbline::scenarios {

class SignedIn final {
 public:
  using OnSecret = std::function<void(const std::string& secret)>;

  // For the agent of that place. `on_secret` is told every token before it is used. All that is
  // borrowed must outlive it.
  SignedIn(Loop& loop, const Scenario& scenario, std::size_t agent, WebWorld& web, Machine& machine,
           Credentials& credentials, OnSecret on_secret);
  SignedIn(const SignedIn&) = delete;
  SignedIn& operator=(const SignedIn&) = delete;

  // connector connects to the servers; who takes tokens is shown one.
  transport::Connector& connector() { return *connector_; }

  // gets_in returns whether a server that takes tokens lets the agent in, now or within a few
  // hours; an Error says what came instead. Ask it where nothing is broken any more.
  Task<Status> gets_in(std::string server);

 private:
  auth::AuthWorld world();
  auth::SignInOptions options() const;
  auth::LoopbackOptions loopback() const;
  Task<Status> sign_in_elsewhere(wire::Url url);

  Loop& loop_;
  const Scenario& scenario_;
  WebWorld& web_;
  Machine& machine_;
  TapNetwork network_;
  auth::TokenManager tokens_;
  auth::LoopbackUserAgent agent_;
  auth::SignIn sign_in_;
  std::list<auth::OAuthAuthorizer> authorizers_;
  std::map<std::string, transport::HttpEndpoint> endpoints_;
  std::optional<transport::HttpConnector> connector_;
};

}  // namespace plumbline::scenarios
