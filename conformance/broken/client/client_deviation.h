// ClientDeviation is one way for a client to be wrong: the reference client with an interceptor
// between it and the judge, or with other options.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "conformance/broken/client/client_wire.h"
#include "conformance/broken/deviation.h"
#include "core/auth/sign_in.h"
#include "core/mcp/client/client_options.h"

namespace plumbline::conformance {

struct ClientDeviation {
  std::string_view id;        // Of the check that catches it.
  std::string_view revision;  // In which it is judged.
  Transport transport = Transport::kStdio;
  std::string_view what;

  // from_client is given each frame of the client, and passes on what the judge gets. from_server
  // is given each message of the judge's server, and says what the client gets. request and
  // response intercept HTTP: see Deviation.
  void (*from_client)(Interceptor& interceptor, Json message) = nullptr;
  void (*from_server)(Interceptor& interceptor, Json message) = nullptr;
  std::optional<wire::HttpResponse> (*request)(wire::HttpRequest& request) = nullptr;
  void (*response)(const wire::HttpRequest& request, int& status,
                   wire::HttpHeaders& headers) = nullptr;
  bool (*event)(const wire::HttpRequest& request, wire::SseEvent& event) = nullptr;
  // unreadable is given what from the server is no JSON.
  void (*unreadable)(Interceptor& interceptor, std::string text) = nullptr;
  void (*options)(mcp::ClientOptions& options) = nullptr;
  bool crashes = false;       // What stop() does is a crash.
  bool drops_stdin = false;   // stdio: the relay is killed, its stdin not closed.
  bool cancels_late = false;  // stdio: what is held in memory is sent a little later, if at all.
  bool dies_with_server = false;  // stdio: it crashes when the server goes before it does.

  std::vector<std::string_view> also = {};

  // Of its authorization: what it does on the way to a token, and how it signs in.
  WireEdits wire = {};
  void (*sign_in)(auth::SignInOptions& options) = nullptr;
  bool on_the_way_to_a_token() const {
    return wire.sends != nullptr || wire.gets != nullptr || sign_in != nullptr;
  }
};

using ClientDeviations = std::span<const ClientDeviation>;

// all_client_deviations returns every one.
const std::vector<ClientDeviation>& all_client_deviations();

}  // namespace plumbline::conformance
