// HttpAnswer is one HTTP exchange whose answer is either a stream of events or one body.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/lifeline.h"
#include "core/net/http_client.h"
#include "core/wire/sse.h"

namespace plumbline::net {

class HttpAnswer;

// An HttpAnswerReader may destroy the HttpAnswer from any of its functions.
class HttpAnswerReader {
 public:
  // on_answer_head tells that status() and headers() are known.
  virtual void on_answer_head(HttpAnswer& /*answer*/) {}

  // on_answer_event hands over one event of a stream.
  virtual void on_answer_event(HttpAnswer& answer, wire::SseEvent event) = 0;

  // on_answer_over is the last. `error` is nullptr when the answer ended in order; body() is then
  // whole. kDisconnected; kLimitReached: an event or a body that is too long; the errors of
  // HttpExchangeReader. `connected` is false when there was no connection to be had.
  virtual void on_answer_over(HttpAnswer& answer, const Error* error, bool connected) = 0;

 protected:
  ~HttpAnswerReader() = default;
};

class HttpAnswer final : private HttpExchangeReader {
 public:
  // Starts the exchange: see HttpClient::start. `reader` must outlive the answer.
  HttpAnswer(HttpClient& client, const wire::Url& to, wire::HttpRequest request,
             HttpAnswerReader& reader, Instant deadline, Worth worth = Worth::kNeeded);

  // status is 0 until the head has come.
  int status() const { return status_; }
  const wire::HttpHeaders& headers() const { return headers_; }
  // streamed returns whether it is a stream of events, with status 200.
  bool streamed() const { return events_.has_value(); }
  // is_encoded returns whether the body is compressed, or the like. That was not asked for: such an
  // answer is over with its head, and has no body.
  bool is_encoded() const;
  // holds_json returns whether the content type is application/json.
  bool holds_json() const;
  const std::string& body() const { return body_; }

 private:
  void on_head(int status, const wire::HttpHeaders& headers) override;
  void on_body(std::string_view bytes) override;
  void on_end() override;
  void on_failed(const Error& error, bool connected) override;

  void read_events(std::string_view bytes);
  void too_long(std::string_view what);

  HttpAnswerReader& reader_;
  int status_ = 0;
  wire::HttpHeaders headers_;
  std::optional<wire::SseReader> events_;
  std::string body_;
  Lifeline lifeline_;
  std::unique_ptr<HttpExchange> exchange_;
};

// is_media_type returns whether `content_type` names `type`, whatever its parameters and case.
bool is_media_type(std::string_view content_type, std::string_view type);

}  // namespace plumbline::net
