// AuthRecord is what a client asked for on its way to a token, and what it got: the rules of
// authorization rest on it.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/wire/form.h"
#include "core/wire/http.h"

namespace plumbline::conformance {

// AuthStep says what a request is for. kGuess: an endpoint that no document names, by its usual
// name.
enum class AuthStep {
  kResourceMetadata,
  kServerMetadata,
  kRegistration,
  kAuthorization,
  kToken,
  kGuess
};

struct AuthHeard {
  AuthStep step = AuthStep::kGuess;
  Instant at;
  wire::HttpRequest request;
  std::string url;          // Without its query.
  wire::Form form;          // The query of an authorization request, the body of a token request.
  Json body = nullptr;      // Of a registration; null: it is no JSON.
  std::string client_id;    // Of a token request also from its header. Empty: none.
  std::size_t issuer = 0;   // Which of the authorization servers it asked.
  int status = 0;           // Of our answer.
  std::string given;        // In it: a client id, a code or an access token.
  std::string method = {};  // By which a client that was registered is to authenticate.
  std::size_t place = 0;    // In the log.
};

// Granted is one answer with a token.
struct Granted {
  std::string token;
  std::string refresh;  // Empty: none.
  std::string scope;
  std::size_t issuer = 0;
  Instant at;
  bool over = false;     // It is good no more.
  bool renewed = false;  // Its refresh token has been used.
};

struct AuthRecord {
  std::string server;            // The URL of the MCP server, which is also its resource.
  bool takes_documents = false;  // Client ID metadata documents, as the metadata says.
  bool names_resource = false;   // The resource has metadata of its own.
  bool right_resource = true;    // And that says which resource it is.
  std::vector<std::string> token_endpoints;  // As the metadata that it was given says.
  std::vector<AuthHeard> heard;
  std::vector<Granted> granted;
  std::size_t let_in = 0;  // Requests to the server, with a token that is good.

  // all returns the requests of one step, in order; first: nullptr for none.
  std::vector<const AuthHeard*> all(AuthStep step) const {
    std::vector<const AuthHeard*> found;
    for (const AuthHeard& one : heard) {
      if (one.step == step) found.push_back(&one);
    }
    return found;
  }
  const AuthHeard* first(AuthStep step) const {
    const std::vector<const AuthHeard*> found = all(step);
    return found.empty() ? nullptr : found.front();
  }

  // by_given returns the first request of one step for each thing that was given in an answer.
  std::map<std::string_view, const AuthHeard*> by_given(AuthStep step) const {
    std::map<std::string_view, const AuthHeard*> found;
    for (const AuthHeard* const one : all(step)) found.try_emplace(one->given, one);
    return found;
  }

  // granted_as returns what a token was granted with; nullptr: it was never given.
  const Granted* granted_as(std::string_view token) const {
    for (const Granted& one : granted) {
      if (one.token == token) return &one;
    }
    return nullptr;
  }
};

}  // namespace plumbline::conformance
