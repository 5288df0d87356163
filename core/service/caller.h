// Who calls a service that may stand behind proxies.

#pragma once

#include <string>
#include <vector>

#include "core/wire/http.h"

namespace plumbline::service {

// caller_of returns the address that a request comes from: that of the `peer` of the connection,
// or, where that is one of `proxies`, what it has added to X-Forwarded-For; and so on, where that
// is one of them, too.
std::string caller_of(std::string peer, const wire::HttpHeaders& headers,
                      const std::vector<std::string>& proxies);

}  // namespace plumbline::service
