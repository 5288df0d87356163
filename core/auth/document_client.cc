#include "core/auth/document_client.h"

#include <chrono>
#include <utility>

#include "core/auth/steps/metadata.h"
#include "core/wire/url.h"

namespace plumbline::auth {

namespace {

constexpr Duration kAnswerTimeout = std::chrono::seconds(15);

net::HttpClientOptions options_with(const net::TlsClient& tls) {
  net::HttpClientOptions options;
  options.tls = tls;
  return options;
}

}  // namespace

DocumentClient::DocumentClient(Loop& loop, net::Network& network, const net::TlsClient& tls)
    : client_(loop, network, options_with(tls)) {}

Task<Result<wire::HttpResponse>> DocumentClient::get(wire::Url to) {
  wire::HttpRequest request;
  request.method = "GET";
  request.headers.set("Accept", "application/json");
  return send(std::move(to), std::move(request));
}

Task<Result<wire::HttpResponse>> DocumentClient::send(wire::Url to, wire::HttpRequest request) {
  request.headers.set("Accept-Encoding", "identity");
  const Instant deadline = after(client_.loop().now(), kAnswerTimeout);
  return net::fetch(client_, std::move(to), std::move(request), deadline, kDocumentBytesMax);
}

Task<AuthResult<TokenAnswer>> post_token(DocumentClient& http, std::string endpoint,
                                         wire::HttpRequest request,
                                         std::vector<std::string> asked) {
  const std::string where = "the token request at " + endpoint + ": ";
  Result<wire::Url> to = wire::parse_url(endpoint);
  if (!to.ok()) co_return AuthError{{to.error().code, where + to.error().message}};
  const Result<wire::HttpResponse> answer =
      co_await http.send(std::move(to).value(), std::move(request));
  if (!answer.ok()) co_return AuthError{{answer.error().code, where + answer.error().message}};
  AuthResult<TokenAnswer> token = read_token_answer(answer.value(), asked);
  if (token.ok()) co_return token;
  AuthError refused = std::move(token).error();
  refused.message = where + refused.message;
  co_return refused;
}

}  // namespace plumbline::auth
