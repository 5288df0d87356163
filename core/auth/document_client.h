// DocumentClient asks authorization servers: short answers, in bounded time, and no redirects.

#pragma once

#include <string>
#include <vector>

#include "core/auth/steps/grant.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/net/http_client.h"
#include "core/net/network.h"

namespace plumbline::auth {

class DocumentClient {
 public:
  // All must outlive it.
  DocumentClient(Loop& loop, net::Network& network, const net::TlsClient& tls);

  // get and send return any answer of at most kDocumentBytesMax bytes. The errors are those of
  // net::fetch. `to` has been judged by allowed_url.
  Task<Result<wire::HttpResponse>> get(wire::Url to);
  Task<Result<wire::HttpResponse>> send(wire::Url to, wire::HttpRequest request);

 private:
  net::HttpClient client_;
};

// post_token sends one request to a token endpoint, and reads its answer. The message of an Error
// names the endpoint. `asked` is what scopes were asked for.
Task<AuthResult<TokenAnswer>> post_token(DocumentClient& http, std::string endpoint,
                                         wire::HttpRequest request, std::vector<std::string> asked);

}  // namespace plumbline::auth
