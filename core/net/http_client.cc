#include "core/net/http_client.h"

#include <optional>
#include <utility>

#include "core/base/wait.h"
#include "core/net/authorized_exchange.h"
#include "core/net/http_origin.h"

namespace plumbline::net {

namespace {

bool is_idempotent(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE" ||
         method == "OPTIONS";
}

// WholeAnswer collects one answer.
class WholeAnswer final : public HttpExchangeReader {
 public:
  explicit WholeAnswer(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  void on_head(int status, const wire::HttpHeaders& headers) override {
    answer_.status = status;
    answer_.headers = headers;
  }
  void on_body(std::string_view bytes) override {
    if (error_) return;
    if (bytes.size() > bytes_max_ - answer_.body.size()) {
      error_ = Error{ErrorCode::kLimitReached,
                     "an answer of more than " + std::to_string(bytes_max_) + " bytes"};
      return done_.set();
    }
    answer_.body += bytes;
  }
  void on_end() override { done_.set(); }
  void on_failed(const Error& error, bool /*connected*/) override {
    error_ = error;
    done_.set();
  }

  Event& done() { return done_; }
  Result<wire::HttpResponse> take() {
    if (error_) return *error_;
    return std::move(answer_);
  }

 private:
  std::size_t bytes_max_;
  wire::HttpResponse answer_;
  std::optional<Error> error_;
  Event done_;
};

}  // namespace

HttpClient::HttpClient(Loop& loop, Network& network, HttpClientOptions options)
    : loop_(loop), network_(network), options_(std::move(options)) {}

HttpClient::~HttpClient() = default;

std::unique_ptr<HttpExchange> HttpClient::start(const wire::Url& to, wire::HttpRequest request,
                                                HttpExchangeReader& reader, Instant deadline,
                                                Worth worth) {
  if (options_.authorizer == nullptr) return start_once(to, std::move(request), reader, deadline);
  const auto send = [this, to, deadline](wire::HttpRequest whole, HttpExchangeReader& by) {
    return start_once(to, std::move(whole), by, deadline);
  };
  return std::make_unique<AuthorizedExchange>(loop_, *options_.authorizer, to, std::move(request),
                                              reader, deadline, worth, send);
}

std::unique_ptr<HttpExchange> HttpClient::start_once(const wire::Url& to, wire::HttpRequest request,
                                                     HttpExchangeReader& reader, Instant deadline) {
  std::unique_ptr<HttpOrigin>& origin = origins_[to.origin()];
  if (origin == nullptr) {
    origin = std::make_unique<HttpOrigin>(loop_, network_, options_, Authority{to.host, to.port},
                                          to.secure());
  }
  request.target = to.target;
  if (request.headers.count("Host") == 0) request.headers.set("Host", to.host_header());
  std::string bytes;
  bytes.reserve(512 + request.body.size());
  wire::append_request(bytes, request);
  auto exchange = std::make_unique<HttpClientExchange>(
      *origin, std::move(bytes), is_idempotent(request.method), request.method == "HEAD", reader);
  exchange->start(deadline);
  return exchange;
}

std::size_t HttpClient::connections() const {
  std::size_t count = 0;
  for (const auto& [name, origin] : origins_) count += origin->connections();
  return count;
}

Task<Result<wire::HttpResponse>> fetch(HttpClient& client, wire::Url to, wire::HttpRequest request,
                                       Instant deadline, std::size_t body_bytes_max) {
  WholeAnswer answer(body_bytes_max);
  const std::unique_ptr<HttpExchange> exchange =
      client.start(to, std::move(request), answer, deadline);
  co_await answer.done().wait(client.loop(), deadline);
  if (!answer.done().is_set()) {
    co_return Error{ErrorCode::kDeadlineExceeded, "the answer of " + to.host + " took too long"};
  }
  co_return answer.take();
}

}  // namespace plumbline::net
