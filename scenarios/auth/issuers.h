// Issuers are the hosts of a world that give out tokens, the gates before the servers that take
// them, and everybody else who might be asked for something.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/net/http_server.h"
#include "core/net/network.h"
#include "fakes/auth/authorization_server.h"
#include "fakes/auth/protected_resource.h"
#include "scenarios/auth/web_front.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/credentials.h"

namespace plumbline::scenarios {

class Issuers final {
 public:
  // All references must outlive them.
  Issuers(Loop& loop, net::Network& network, Credentials& credentials, EventSink& events);
  Issuers(const Issuers&) = delete;
  Issuers& operator=(const Issuers&) = delete;
  ~Issuers();

  // add makes the host that gives out the tokens of `server`, which is reached at `url`.
  void add(const ServerSpec& server, const std::string& url);

  // gate returns what stands before one host of `server`, which was added.
  std::unique_ptr<fakes::ProtectedResource> gate(const std::string& server);

  // of returns who gives out the tokens of `server`, url_of where it is reached. It was added.
  fakes::AuthorizationServer& of(const std::string& server);
  const std::string& url_of(const std::string& server);

  // meet sees to it that somebody is at `to`, though nobody of the scenario is: a stranger, who
  // tells what they were asked and knows nothing.
  void meet(const net::Authority& to);

  // heal has everybody do as they should from now on; switch_off ends the hosts.
  void heal();
  void switch_off();

  // front_of returns the proxy before the host `name`, nullptr where there is none.
  const WebFront* front_of(const std::string& name) const;

 private:
  class Issuer;
  class Stranger;

  Issuer& issuer_of(const std::string& server);

  Loop& loop_;
  net::Network& network_;
  Credentials& credentials_;
  EventSink& events_;
  std::vector<std::unique_ptr<Issuer>> issuers_;
  std::vector<std::unique_ptr<Stranger>> strangers_;
};

}  // namespace plumbline::scenarios
