// AuthorizedExchange is a request that an HttpAuthorizer looks after: it may be sent more than
// once, and who asked hears the last answer alone.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/lifeline.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/net/http_authorizer.h"
#include "core/net/http_exchange.h"

namespace plumbline::net {

class AuthorizedExchange final : public HttpExchange, private HttpExchangeReader, private Timer {
 public:
  // Send sends a request once.
  using Send = std::function<std::unique_ptr<HttpExchange>(wire::HttpRequest request,
                                                           HttpExchangeReader& reader)>;

  // `request` goes to `to` by `send`, and its answer to `reader`. What is prepared before it is
  // sent has to be done by `deadline`. All references must outlive the exchange.
  AuthorizedExchange(Loop& loop, HttpAuthorizer& authorizer, wire::Url to,
                     wire::HttpRequest request, HttpExchangeReader& reader, Instant deadline,
                     Worth worth, Send send);

  // implements HttpExchange ---
  std::unique_ptr<Pipe> take_pipe() override { return exchange_->take_pipe(); }

 private:
  struct Answer {
    int status = 0;
    wire::HttpHeaders headers;
    std::string body;
  };

  // implements HttpExchangeReader ---
  void on_head(int status, const wire::HttpHeaders& headers) override;
  void on_body(std::string_view bytes) override;
  void on_end() override;
  void on_failed(const Error& error, bool connected) override;

  static Task<void> prepare(AuthorizedExchange& self);
  static Task<void> consult(AuthorizedExchange& self);
  // fire goes on after one of them, outside of it.
  void fire() override;
  void send();
  // answer_instead hands over what came, or the text of `error` in its place.
  void answer_instead(const Error* error);
  void give_up();

  Loop& loop_;
  HttpAuthorizer& authorizer_;
  wire::Url to_;
  wire::HttpRequest request_;  // Kept while it may be sent again.
  HttpExchangeReader& reader_;
  Instant deadline_;
  Worth worth_;
  Send send_;
  int sends_ = 0;
  std::optional<Result<wire::HttpHeaders>> prepared_;
  std::optional<Result<bool>> consulted_;
  wire::HttpHeaders sent_;
  std::optional<Answer> refusal_;  // Held back until it is known whether it counts.
  Alarm patience_;
  Lifeline lifeline_;
  std::unique_ptr<HttpExchange> exchange_;
  Task<void> work_;
};

}  // namespace plumbline::net
