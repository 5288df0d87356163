#include "scenarios/record/recorder.h"

#include <utility>

#include "core/base/base64.h"
#include "core/wire/utf8.h"

namespace plumbline::scenarios {

namespace {

Json event_at(Duration at) {
  Json event = Json::object();
  event["ns"] = at.count();
  return event;
}

}  // namespace

void Recorder::begin(Json about) {
  about["recording"] = kRecordingVersion;
  write(masker_.mask(std::move(about)));
}

void Recorder::bytes(Side to, std::string_view bytes, Duration at) {
  wire::LineReader& reader = to == Side::kServer ? to_server_ : to_client_;
  reader.feed(bytes);
  take_lines(reader, to, at);
}

void Recorder::stderr_bytes(std::string_view bytes, Duration at) {
  stderr_.feed(bytes);
  take_stderr(at);
}

void Recorder::end(Side to, Duration at) {
  wire::LineReader& reader = to == Side::kServer ? to_server_ : to_client_;
  reader.finish();
  take_lines(reader, to, at);
  Json event = event_at(at);
  event["end"] = name_of(to);
  write(std::move(event));
}

void Recorder::stderr_end(Duration at) {
  stderr_.finish();
  take_stderr(at);
}

void Recorder::signal(const std::string& name, Duration at) {
  Json event = event_at(at);
  event["signal"] = name;
  write(std::move(event));
}

void Recorder::exited(const std::string& how, Duration at) {
  Json event = event_at(at);
  event["exit"] = how;
  write(std::move(event));
}

void Recorder::take_lines(wire::LineReader& reader, Side to, Duration at) {
  while (const std::optional<wire::Line> line = reader.next()) said(*line, to, at);
}

void Recorder::take_stderr(Duration at) {
  while (const std::optional<wire::Line> line = stderr_.next()) {
    Json event = event_at(at);
    event["stderr"] = masker_.mask(std::string(line->bytes));
    write(std::move(event));
  }
}

void Recorder::said(const wire::Line& line, Side to, Duration at) {
  using Kind = wire::Line::Kind;
  Json event = event_at(at);
  event["to"] = name_of(to);
  if (line.kind == Kind::kTooLong) event["cut"] = "too long";
  if (line.kind == Kind::kUnterminated) event["cut"] = "no end";
  Result<Json> message = Error{};
  if (line.kind == Kind::kComplete) message = parse_json(line.bytes);
  if (message.ok()) {
    event["message"] = masker_.mask(std::move(message).value());
  } else if (wire::is_utf8(line.bytes)) {
    event["text"] = masker_.mask(std::string(line.bytes));
  } else {
    event["base64"] = encode_base64(masker_.mask(std::string(line.bytes)));
  }
  write(std::move(event));
}

// write refuses what still holds a secret that is known by its value.
void Recorder::write(Json line) {
  std::string text = dump_json(line);
  if (masker_.lets_through(text)) {
    ++withheld_;
    Json instead = Json::object();
    for (const char* key : {"ns", "to"}) {
      if (const Json* const kept = find(line, key)) instead[key] = *kept;
    }
    instead["text"] = "[withheld: a secret was left in it]";
    text = dump_json(instead);
  }
  write_(std::move(text) + '\n');
}

}  // namespace plumbline::scenarios
