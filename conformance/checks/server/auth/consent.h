// Consent is the way of a person through a server that is an OAuth proxy: its own authorization
// endpoint, its page that asks, and on to the third party behind it, as whose single client it
// acts.
//
// Spec: basic/security_best_practices, Confused Deputy Problem.

#pragma once

#include <string>
#include <utility>

#include "conformance/checks/server/auth/browser.h"

namespace plumbline::conformance {

// OwnAuthority is the server as its own authorization server.
struct OwnAuthority {
  std::string unable;  // Why it cannot be judged as one; empty: it can.
  std::string authorize;
  std::string registers;
  std::string token;  // Its token endpoint.
};

// find_own_authority goes by the server's documents. Registering leaves something behind: the user
// has to allow it.
Task<OwnAuthority> find_own_authority(Probe& probe);

struct RegisteredClient {
  std::string id;  // Empty: it was not registered.
  std::string name;
  std::string redirect_uri;
};

Task<RegisteredClient> register_client(Probe& probe, OwnAuthority authority, std::string name);

// authorization_of returns the address of a good request of `client`.
std::string authorization_of(const OwnAuthority& authority, const RegisteredClient& client);

// redeem brings the code of a good request to the token endpoint, and returns the access token;
// empty: it gives none.
Task<std::string> redeem(Probe& probe, OwnAuthority authority, RegisteredClient client,
                         std::string code);

// Visit is what came of one: up to the page that asks, and behind it.
struct Visit {
  RegisteredClient client;
  Page first;     // What the authorization endpoint led to.
  PageForm form;  // Of the page; without an action and fields where it has none.
  bool asked = false;
  Page last;       // Behind the form; the same as `first` where nobody was asked.
  std::string on;  // The third party's address to which it leads; empty: to none.
};

// visit goes as `client`, and says yes where it is asked.
Task<Visit> visit(Browser& browser, OwnAuthority authority, RegisteredClient client);

// leads_on returns where `page` sends the browser, unless that is the client itself.
std::string leads_on(const Page& page, const RegisteredClient& client);

// is_granted returns whether `page` sends the browser to the client with a code.
bool is_granted(const Page& page, const RegisteredClient& client);

// Walked is a proxy and one visit to it. `unable` says why there is nothing to judge.
struct Walked {
  std::string unable;
  OwnAuthority authority;
  Visit visit;
};

// walk registers a client and visits; `unable` where no way leads to a third party.
Task<Walked> walk(Probe& probe, Browser& browser);

}  // namespace plumbline::conformance
