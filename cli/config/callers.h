// Who may call a service, as its settings say.
//
//   "origins": ["https://class.example"], "credentials": false, "hosts": ["sessions.example"],
//   "proxies": ["127.0.0.1"], "auth":
//   "jwks=https://login.example/jwks,issuer=https://login.example"

#pragma once

#include <optional>

#include "cli/serving.h"
#include "core/json/object_reader.h"
#include "core/service/http_service.h"

namespace plumbline::cli {

// read_callers reads all but "auth". "origins" may hold "*".
void read_callers(ObjectReader& reader, service::HttpServiceOptions& http);

// read_whose reads "auth", behind the proxies of `http`: see read_auth. Nothing: it is not there,
// or wrong.
std::optional<ServingAuth> read_whose(ObjectReader& reader,
                                      const service::HttpServiceOptions& http);

// name_hosts adds the host at which a service listens to those that callers may name, as
// net::HttpAccess::listens_at does; links may lead to its page.
void name_hosts(service::HttpServiceOptions& http, const std::string& listens_at);

}  // namespace plumbline::cli
