#include "core/net/authorized_exchange.h"

#include <utility>

namespace plumbline::net {

namespace {

constexpr std::size_t kRefusalBytesMax = 64U << 10U;

}  // namespace

AuthorizedExchange::AuthorizedExchange(Loop& loop, HttpAuthorizer& authorizer, wire::Url to,
                                       wire::HttpRequest request, HttpExchangeReader& reader,
                                       Instant deadline, Worth worth, Send send)
    : loop_(loop),
      authorizer_(authorizer),
      to_(std::move(to)),
      request_(std::move(request)),
      reader_(reader),
      deadline_(deadline),
      worth_(worth),
      send_(std::move(send)),
      patience_([this] { give_up(); }) {
  if (deadline_ != kNever) loop_.arm(patience_, deadline_);
  work_ = prepare(*this);
  work_.start();
}

Task<void> AuthorizedExchange::prepare(AuthorizedExchange& self) {
  self.prepared_ = co_await self.authorizer_.headers_for(self.to_);
  self.loop_.arm(self, self.loop_.now());
}

Task<void> AuthorizedExchange::consult(AuthorizedExchange& self) {
  HttpRefusal refusal;
  refusal.to = self.to_;
  refusal.worth = self.worth_;
  refusal.status = self.refusal_->status;
  refusal.headers = self.refusal_->headers;
  refusal.sent = self.sent_;
  self.consulted_ = co_await self.authorizer_.on_refused(std::move(refusal));
  self.loop_.arm(self, self.loop_.now());
}

void AuthorizedExchange::fire() {
  if (prepared_) {
    const Result<wire::HttpHeaders> prepared = *std::exchange(prepared_, std::nullopt);
    if (prepared.ok()) {
      sent_ = prepared.value();
      return send();
    }
    if (!refusal_) refusal_ = Answer{401, {}, ""};
    return answer_instead(&prepared.error());
  }
  const Result<bool> again = *std::exchange(consulted_, std::nullopt);
  if (!again.ok()) return answer_instead(&again.error());
  if (!again.value()) return answer_instead(nullptr);
  work_ = prepare(*this);
  work_.start();
}

void AuthorizedExchange::send() {
  ++sends_;
  refusal_.reset();
  patience_.cancel();  // From here on the exchange has the deadline.
  wire::HttpRequest request = request_;
  for (const auto& [name, value] : sent_.fields()) request.headers.set(name, value);
  HttpExchangeReader& self = *this;
  exchange_ = send_(std::move(request), self);
}

void AuthorizedExchange::on_head(int status, const wire::HttpHeaders& headers) {
  if ((status == 401 || status == 403) && sends_ < kHttpSendsMax) {
    refusal_ = Answer{status, headers, ""};
    return;
  }
  request_ = wire::HttpRequest();
  if (status != 401 && status != 403) authorizer_.on_answered(sent_);
  reader_.on_head(status, headers);
}

void AuthorizedExchange::on_body(std::string_view bytes) {
  if (!refusal_) return reader_.on_body(bytes);
  refusal_->body += bytes.substr(0, kRefusalBytesMax - refusal_->body.size());
  if (refusal_->body.size() == kRefusalBytesMax) on_end();
}

void AuthorizedExchange::on_end() {
  if (!refusal_) return reader_.on_end();
  exchange_.reset();
  if (deadline_ != kNever) loop_.arm(patience_, deadline_);
  work_ = consult(*this);
  work_.start();
}

void AuthorizedExchange::on_failed(const Error& error, bool connected) {
  refusal_.reset();
  reader_.on_failed(error, connected);
}

void AuthorizedExchange::answer_instead(const Error* error) {
  patience_.cancel();
  Answer answer = *std::exchange(refusal_, std::nullopt);
  if (error != nullptr) {
    if (error->code == ErrorCode::kDisconnected) answer.status = 503;
    answer.body = error->message;
    answer.headers.set("Content-Type", "text/plain");
    answer.headers.erase("Content-Encoding");
    answer.headers.erase("Content-Length");
  }
  const Lifeline::Guard guard(lifeline_);
  reader_.on_head(answer.status, answer.headers);
  if (guard.alive() && !answer.body.empty()) reader_.on_body(answer.body);
  if (guard.alive()) reader_.on_end();
}

void AuthorizedExchange::give_up() {
  disarm();
  work_.drop();
  const Error late{ErrorCode::kDeadlineExceeded, "the authorization took too long"};
  reader_.on_failed(late, true);
}

}  // namespace plumbline::net
