#include "core/model/providers/answer_parser.h"

#include <algorithm>
#include <utility>

#include "core/model/providers/refusal.h"
#include "core/net/http_answer.h"

namespace plumbline::model {

AnswerParser::AnswerParser(const Dialect& dialect, const Prompt& prompt, DeltaReader* reader,
                           std::size_t bytes_max)
    : dialect_(dialect),
      builder_(prompt, reader),
      reader_(dialect.read(builder_)),
      bytes_max_(bytes_max),
      events_(bytes_max),
      lines_(bytes_max) {}

void AnswerParser::on_head(int status, const wire::HttpHeaders& headers) {
  status_ = status;
  headers_ = headers;
  const std::string_view type = headers.get("Content-Type").value_or("");
  const std::string_view coding = headers.get("Content-Encoding").value_or("identity");
  if (!net::is_media_type(coding, "identity")) {
    builder_.fail(unreadable("the answer has the content encoding " + one_line(coding) +
                             ", which nobody asked for"));
  }
  if (status < 200 || status > 299) {
    form_ = Form::kRefusal;
  } else if (net::is_media_type(type, "text/event-stream")) {
    form_ = Form::kEvents;
  } else if (net::is_media_type(type, "application/x-ndjson")) {
    form_ = Form::kLines;
  } else if (net::is_media_type(type, "application/json")) {
    form_ = Form::kWhole;
  } else {
    form_ = dialect_.framing() == Dialect::Framing::kEvents ? Form::kEvents : Form::kLines;
  }
}

void AnswerParser::on_body(std::string_view bytes) {
  if (over()) return;
  if (form_ == Form::kRefusal) {
    body_ += bytes.substr(0, kRefusalBytesMax - body_.size());
    return;
  }
  // What is within the bound is read first: where the bytes were cut must not show.
  const std::size_t room = bytes_max_ - bytes_;
  const std::string_view within = bytes.substr(0, room);
  bytes_ += within.size();
  switch (form_) {
    case Form::kEvents:
      read_events(within);
      break;
    case Form::kLines:
      lines_.feed(within);
      read_lines();
      break;
    case Form::kWhole:
    case Form::kRefusal:
      body_ += within;
      break;
  }
  if (bytes.size() > room && !over()) too_long();
}

void AnswerParser::read_events(std::string_view bytes) {
  events_.feed(bytes);
  while (const std::optional<wire::SseEvent> event = events_.next()) {
    if (!over() && !event->data.empty()) over_ = reader_->on_event(event->data);
  }
  if (events_.too_long() && !over()) too_long();
}

void AnswerParser::read_lines() {
  while (const std::optional<wire::Line> line = lines_.next()) {
    if (over()) continue;
    if (line->kind == wire::Line::Kind::kTooLong) {
      too_long();
    } else if (line->kind == wire::Line::Kind::kComplete) {
      over_ = reader_->on_event(line->bytes);
    }
  }
}

void AnswerParser::too_long() {
  builder_.fail(unreadable("the answer has more than " + std::to_string(bytes_max_) + " bytes"));
}

Completed AnswerParser::take(const Error* broken) {
  if (builder_.failed()) return builder_.take();
  if (status_ == 0) {
    return Failure{.kind = FailureKind::kUnavailable,
                   .message = broken == nullptr ? "no answer came" : one_line(broken->message)};
  }
  if (form_ == Form::kRefusal) return failure_of_answer(status_, headers_, body_);
  if (broken != nullptr && !builder_.finished()) {
    return Failure{.kind = FailureKind::kUnavailable,
                   .message = "the answer was cut: " + one_line(broken->message)};
  }
  if (form_ == Form::kWhole) {
    const Result<Json> json = parse_json(body_);
    if (!json.ok()) return unreadable("the answer is no JSON: " + json.error().message);
    reader_->on_whole(json.value());
  } else if (form_ == Form::kLines) {
    lines_.finish();  // The last line need not end in one.
    while (const std::optional<wire::Line> line = lines_.next()) {
      if (!over()) over_ = reader_->on_event(line->bytes);
    }
  }
  return builder_.take();
}

}  // namespace plumbline::model
