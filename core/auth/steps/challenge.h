// Challenge is what a refusal with 401 or 403 says about how to get in.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/wire/http.h"

namespace plumbline::auth {

// AuthScheme is one challenge of a WWW-Authenticate header: the names are in lower case.
struct AuthScheme {
  std::string scheme;
  std::vector<std::pair<std::string, std::string>> parameters;

  // get returns the first value of `name`, empty when there is none.
  std::string get(std::string_view name) const;
};

// parse_www_authenticate reads every challenge in the value of one header, as far as it can be
// read: several schemes, quoted and plain values, any spacing.
//
// Source: RFC 9110, section 11.6.1.
std::vector<AuthScheme> parse_www_authenticate(std::string_view value);

// Challenge is the Bearer challenge of a refusal; every field is empty that it does not have.
//
// Source: RFC 6750, section 3; RFC 9728, section 5.1.
struct Challenge {
  bool bearer = false;  // There is one.
  std::string resource_metadata;
  std::string scope;
  std::string error;

  bool asks_for_more_scope() const { return error == "insufficient_scope"; }
};

// challenge_of returns the first Bearer challenge among the headers of an answer.
Challenge challenge_of(const wire::HttpHeaders& headers);

}  // namespace plumbline::auth
