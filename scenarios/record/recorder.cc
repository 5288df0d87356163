#include "scenarios/record/recorder.h"

#include <utility>

#include "core/base/base64.h"
#include "core/wire/utf8.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kLinesBeforeBytesMax = 2048;

// last_lines returns the last whole lines of `text`, as many as are kept.
std::string last_lines(std::string text) {
  if (text.size() <= kLinesBeforeBytesMax) return text;
  const std::size_t end = text.find('\n', text.size() - kLinesBeforeBytesMax - 1);
  return text.substr(end + 1);
}

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
  using Kind = wire::Line::Kind;
  while (const std::optional<wire::Line> line = reader.next()) {
    Json about = Json::object();
    if (line->kind == Kind::kTooLong) about["cut"] = "too long";
    if (line->kind == Kind::kUnterminated) about["cut"] = "no end";
    frame(to, line->bytes, at, std::move(about));
  }
}

void Recorder::take_stderr(Duration at) {
  while (const std::optional<wire::Line> line = stderr_.next()) {
    Json event = event_at(at);
    event["stderr"] =
        masked(line->bytes, line->kind != wire::Line::Kind::kComplete, stderr_before_);
    write(std::move(event));
  }
}

// masked masks a line that is no message, as what it is below the lines before it.
std::string Recorder::masked(std::string_view line, bool cut, LinesBefore& before) const {
  const bool ends = line.find("-----END ") != std::string_view::npos;
  const bool begins = line.find("-----BEGIN ") != std::string_view::npos &&
                      line.find("PRIVATE KEY") != std::string_view::npos;
  const bool within = before.in_key && !ends;
  before.in_key = (before.in_key || begins) && !ends;
  const std::string above = std::exchange(before.text, {});
  before.text = last_lines(above + std::string(line) + "\n");
  if (within) return masker_.placeholder(line);
  std::string alone = masker_.mask(std::string(line), {false, cut});
  if (above.empty() || line.empty()) return alone;
  std::string whole = masker_.mask(above + alone, {false, cut});
  if (whole == above + alone) return alone;
  const std::string top = masker_.mask(above);
  // Where a secret begins above and ends here, nothing of this line is told.
  return whole.starts_with(top) ? whole.substr(top.size()) : masker_.placeholder(line);
}

void Recorder::note(Json what, Duration at) {
  what["ns"] = at.count();
  write(masker_.mask(std::move(what)));
}

void Recorder::frame(Side to, std::string_view text, Duration at, Json about) {
  Json event = std::move(about);
  event["ns"] = at.count();
  event["to"] = name_of(to);
  Result<Json> message = Error{};
  const bool cut = find(event, "cut") != nullptr;
  if (!cut) message = parse_json(text);
  LinesBefore& before = to == Side::kServer ? to_server_before_ : to_client_before_;
  // A text alone may be the line of a secret that is named above.
  if (message.ok() && (!message.value().is_string() || before.text.empty())) {
    before = {};
    event["message"] = masker_.mask(std::move(message).value());
  } else if (wire::is_utf8(text)) {
    event["text"] = masked(text, cut, before);
  } else {
    event["base64"] = encode_base64(masked(text, cut, before));
  }
  write(std::move(event));
}

// write refuses what still holds a secret that is known by its value.
void Recorder::write(Json line) {
  if (!kept_.ok()) return;
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
  kept_ = write_(std::move(text) + '\n');
}

}  // namespace plumbline::scenarios
