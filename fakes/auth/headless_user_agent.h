// HeadlessUserAgent is a person who consents to everything, at authorization servers that ask
// nothing: it follows the address without a browser.

#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "core/auth/user_agent.h"
#include "core/base/loop.h"
#include "core/net/http_client.h"

namespace plumbline::fakes {

class HeadlessUserAgent final : public auth::UserAgent {
 public:
  HeadlessUserAgent(Loop& loop, net::Network& network) : client_(loop, network) {}

  // implements UserAgent ---
  Result<std::string> redirect_uri(std::string /*preferred*/) override {
    return std::string("http://127.0.0.1:3000/callback");
  }

  Task<Result<std::string>> visit(std::string url) override {
    Result<wire::Url> to = wire::parse_url(url);
    if (!to.ok()) co_return to.error();
    wire::HttpRequest request;
    request.method = "GET";
    const Instant deadline = after(client_.loop().now(), std::chrono::seconds(10));
    const Result<wire::HttpResponse> answer = co_await net::fetch(
        client_, std::move(to).value(), std::move(request), deadline, limits::kHttpHeaderBytesMax);
    if (!answer.ok()) co_return answer.error();
    const auto location = answer.value().headers.get("Location");
    if (location) co_return std::string(*location);
    co_return Error{ErrorCode::kUnsupported, "the authorization server wants to see a person"};
  }
  Task<bool> agrees(std::string /*question*/) override { co_return false; }

 private:
  net::HttpClient client_;
};

}  // namespace plumbline::fakes
