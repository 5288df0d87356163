#include "core/net/http_answer.h"

#include <algorithm>
#include <utility>

#include "core/base/limits.h"
#include "core/base/text.h"

namespace plumbline::net {

namespace {

// unencoded asks for a body as it is: without the header, any encoding is as good (RFC 9110,
// 12.5.3).
wire::HttpRequest unencoded(wire::HttpRequest request) {
  request.headers.set("Accept-Encoding", "identity");
  return request;
}

}  // namespace

bool is_media_type(std::string_view content_type, std::string_view type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (!content_type.empty() && (content_type.back() == ' ' || content_type.back() == '\t')) {
    content_type.remove_suffix(1);
  }
  return equals_ignoring_case(content_type, type);
}

HttpAnswer::HttpAnswer(HttpClient& client, const wire::Url& to, wire::HttpRequest request,
                       HttpAnswerReader& reader, Instant deadline, Worth worth)
    : reader_(reader),
      exchange_(client.start(to, unencoded(std::move(request)), *this, deadline, worth)) {}

bool HttpAnswer::holds_json() const {
  return is_media_type(headers_.get("Content-Type").value_or(""), "application/json");
}

bool HttpAnswer::is_encoded() const {
  return !is_media_type(headers_.get("Content-Encoding").value_or("identity"), "identity");
}

void HttpAnswer::on_head(int status, const wire::HttpHeaders& headers) {
  status_ = status;
  headers_ = headers;
  const std::string_view type = headers.get("Content-Type").value_or("");
  const bool events = status == 200 && is_media_type(type, "text/event-stream");
  if (events && !is_encoded()) events_.emplace();
  const Lifeline::Guard guard(lifeline_);
  reader_.on_answer_head(*this);
  if (!guard.alive() || !is_encoded()) return;
  exchange_.reset();  // Nothing of the body could be read, and a stream might never end.
  reader_.on_answer_over(*this, nullptr, true);
}

void HttpAnswer::on_body(std::string_view bytes) {
  if (events_) return read_events(bytes);
  if (bytes.size() > limits::kMessageBytesMax - body_.size()) return too_long("a body");
  body_ += bytes;
}

void HttpAnswer::read_events(std::string_view bytes) {
  const Lifeline::Guard guard(lifeline_);
  events_->feed(bytes);
  while (std::optional<wire::SseEvent> event = events_->next()) {
    reader_.on_answer_event(*this, std::move(*event));
    if (!guard.alive()) return;
  }
  if (events_->too_long()) too_long("an event");
}

void HttpAnswer::too_long(std::string_view what) {
  const Error error{ErrorCode::kLimitReached,
                    "the server sends " + std::string(what) + " of more than " +
                        std::to_string(limits::kMessageBytesMax) + " bytes"};
  exchange_.reset();
  reader_.on_answer_over(*this, &error, true);
}

void HttpAnswer::on_end() { reader_.on_answer_over(*this, nullptr, true); }

void HttpAnswer::on_failed(const Error& error, bool connected) {
  const Error why = error;
  reader_.on_answer_over(*this, &why, connected);
}

}  // namespace plumbline::net
