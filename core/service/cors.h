// Cross-origin rules of a service that speaks MCP: which pages may call, and what their browsers
// let them send and see (Fetch standard, CORS protocol).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/net/http_access.h"
#include "core/net/http_reply.h"

namespace plumbline::service {

struct CorsPolicy {
  // Which pages may call. Who serves a service gives it to net::HttpServer, too: that refuses.
  net::HttpAccess access;
  // credentials lets browsers send cookies and the like. It means nothing with access.any_origin:
  // "*" and credentials exclude each other.
  bool credentials = false;
};

// grant gives the answer to come what a page at the Origin of `request` needs to read it. No-op
// without an Origin. The Origin was found to be allowed before.
void grant(const CorsPolicy& policy, const wire::HttpRequest& request, net::HttpReply& reply);

// preflight is the answer to OPTIONS where `methods` are served. It never needs a token.
wire::HttpResponse preflight(const wire::HttpRequest& request,
                             const std::vector<std::string>& methods);

}  // namespace plumbline::service
