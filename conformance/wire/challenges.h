// Challenges are what a server says in WWW-Authenticate: schemes, each with its parameters.
//
// RFC 9110, section 11.6.1; RFC 6750, section 3; RFC 9728, section 5.1.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/http.h"

namespace plumbline::conformance {

struct Challenge {
  std::string scheme;                            // As it was written.
  std::vector<wire::HttpHeaders::Field> params;  // Without quotes.

  // param returns the first value of `name`, compared without case; nothing: there is none.
  std::optional<std::string> param(std::string_view name) const;

  // all returns every value of it.
  std::vector<std::string> all(std::string_view name) const;

  // repeated returns the name of a parameter that comes more than once; empty: none does.
  std::string repeated() const;
};

// challenges_in returns those of every WWW-Authenticate field, in order. What cannot be read as one
// is left out.
std::vector<Challenge> challenges_in(const wire::HttpHeaders& headers);

// bearer_challenge returns the first of scheme Bearer; nothing: there is none.
std::optional<Challenge> bearer_challenge(const wire::HttpHeaders& headers);

}  // namespace plumbline::conformance
