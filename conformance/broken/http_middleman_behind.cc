// What a keeper may ask of what stands behind the server, and whom it may tell.

#include <chrono>
#include <string>
#include <utility>

#include "conformance/broken/http_middleman.h"

namespace plumbline::conformance {

Behind HttpMiddleman::behind(std::string upstream) {
  Behind behind;
  behind.upstream = std::move(upstream);
  behind.ask = [this, to = behind.upstream](wire::HttpRequest request) {
    Result<wire::Url> url = wire::parse_url(to + request.target);
    if (url.ok()) tasks_.spawn(ask(std::move(url).value(), std::move(request)));
  };
  behind.tell = [this](const std::string& session, const Json& message) { tell(session, message); };
  return behind;
}

Task<void> HttpMiddleman::ask(wire::Url to, wire::HttpRequest request) {
  const Instant deadline = after(loop_.now(), std::chrono::seconds(10));
  constexpr std::size_t kBodyBytesMax = 1'000'000;
  const Result<wire::HttpResponse> answer =
      co_await net::fetch(client_, std::move(to), std::move(request), deadline, kBodyBytesMax);
  (void)answer;
}

void HttpMiddleman::rise() {
  ++life_;
  dead_ = false;
  open();
  listen(port_);
}

// done_with_work returns when one of the processors has done a POST that comes now.
Instant HttpMiddleman::done_with_work() {
  Instant& free = busy_until_[0] < busy_until_[1] ? busy_until_[0] : busy_until_[1];
  free = after(std::max(free, loop_.now()), deviation_.work);
  return free;
}

}  // namespace plumbline::conformance
