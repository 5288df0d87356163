// How checks register clients, and show the secrets that come of it.

#pragma once

#include <string>
#include <vector>

#include "conformance/checks/auth/probe.h"

namespace plumbline::conformance {

inline constexpr const char* kRegistersNobody = "it registers nobody";

bool has_registration(const AuthProbe& probe);

// is_registered returns whether the answer to a registration has a client.
bool is_registered(const Reply& reply);

// closed_registration says why a registration says nothing of the rules; empty: it does.
std::string closed_registration(const Reply& reply);

// SparseRegistration is the usual one without a member that nobody has to name.
struct SparseRegistration {
  std::string member;
  Json about;
};

// sparse_registrations returns one for each such member (RFC 7591, section 2).
std::vector<SparseRegistration> sparse_registrations(const AuthProbe& probe);

// Registered is a client that shows a secret.
struct Registered {
  Json answer;
  std::string id;
  std::string secret;
};

// register_for registers a client for one token_endpoint_auth_method; without an id where it was
// not registered for that.
Task<Registered> register_for(AuthProbe& probe, std::string method);

// with_secret asks for a token by a refresh token that nobody knows, as a client that shows its
// secret by `method`.
Task<Reply> with_secret(AuthProbe& probe, std::string method, std::string id, std::string secret);

// delivers_to_each judges whether the code of a client gets to it wherever it listens. `usual`:
// where the client of `probe` ended that has asked for one. RFC 6749, section 4.1.2.
Task<Finding> delivers_to_each(AuthProbe* probe, Reply usual);

}  // namespace plumbline::conformance
