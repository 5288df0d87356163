// Who a secret belongs to, and which endpoints belong to whom: MCP servers name authorization
// servers, and those name endpoints, and any of them may name somebody else's.
//
// Source: RFC 9700, sections 2.1 and 4.4 (mix-up attacks); RFC 9207.

#pragma once

#include <string>
#include <vector>

#include "core/auth/steps/client.h"
#include "core/auth/steps/metadata.h"
#include "core/base/result.h"

namespace plumbline::auth {

// check_stated returns whether it was said which authorization server has given out the secret or
// the key of `client`, if there is one: it goes to no other. kInvalidInput: not.
Status check_stated(const ClientOptions& client);

// check_issuer returns whether what is given of `client` is for `issuer`, which `server` has named.
// kUnsupported: it is of another one.
Status check_issuer(const ClientOptions& client, const std::string& issuer,
                    const std::string& server);

// Elsewhere is an endpoint at another origin than that of its issuer.
struct Elsewhere {
  std::string name;  // In the metadata.
  std::string url;
  std::string origin;
};

// doubtful_endpoints returns the endpoints that may be somebody else's: those elsewhere whose
// origin nobody has agreed to. None, where a person signs in and the issuer promises to name itself
// when the browser comes back: then a code of somebody else's goes nowhere.
std::vector<Elsewhere> doubtful_endpoints(const ServerMetadata& server,
                                          const ClientOptions& client);

// question_about asks a person whether they belong together; doubt_about is the error where nobody
// can be asked, or the person says no. `doubtful` is not empty.
std::string question_about(const ServerMetadata& server, const std::vector<Elsewhere>& doubtful);
Error doubt_about(const ServerMetadata& server, const std::vector<Elsewhere>& doubtful);

}  // namespace plumbline::auth
