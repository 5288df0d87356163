#include "scenarios/record/recording.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

#include "core/base/base64.h"
#include "core/wire/utf8.h"

namespace plumbline::scenarios {

namespace {

Json line_of(const RecordedEvent& event) {
  using Kind = RecordedEvent::Kind;
  Json line = Json::object();
  line["ns"] = event.at.count();
  if (event.exchange != 0) line["exchange"] = event.exchange;
  const bool said = event.kind == Kind::kMessage || event.kind == Kind::kText;
  if (said) line["to"] = name_of(event.to);
  if (event.kind == Kind::kMessage) line["message"] = event.message;
  if (event.kind == Kind::kText && wire::is_utf8(event.what)) {
    line["text"] = event.what;
  } else if (event.kind == Kind::kText) {
    line["base64"] = encode_base64(event.what);
  }
  if (event.kind == Kind::kStderr) line["stderr"] = event.what;
  if (event.kind == Kind::kEnd) line["end"] = name_of(event.to);
  if (event.kind == Kind::kExit) line["exit"] = event.what;
  if (event.kind == Kind::kSignal) line["signal"] = event.what;
  if (event.kind == Kind::kRequest) line["request"] = event.what;
  if (event.kind == Kind::kStatus) line["status"] = std::atoll(event.what.c_str());
  const bool http = event.kind == Kind::kRequest || event.kind == Kind::kStatus;
  if (http) line["headers"] = event.message;
  return line;
}

Error wrong(std::size_t line, const std::string& what) {
  return {ErrorCode::kInvalidInput, "line " + std::to_string(line) + ": " + what};
}

std::optional<Side> side_of(const Json& line, std::string_view key) {
  const std::string name = string_or(line, key, "");
  for (const Side side : {Side::kServer, Side::kClient}) {
    if (name == name_of(side)) return side;
  }
  return std::nullopt;
}

// read_said reads what went to one of the two.
Result<RecordedEvent> read_said(const Json& line, std::size_t number, RecordedEvent event) {
  const std::optional<Side> to = side_of(line, "to");
  if (!to) return wrong(number, R"("to" is expected to be "server" or "client")");
  event.to = *to;
  if (const Json* const message = find(line, "message")) {
    event.message = *message;
    return event;
  }
  event.kind = RecordedEvent::Kind::kText;
  if (const auto bytes = find_string(line, "base64")) {
    const std::optional<std::string> decoded = decode_base64(*bytes);
    if (!decoded) return wrong(number, "\"base64\" is none");
    event.what = *decoded;
    return event;
  }
  const std::optional<std::string> text = find_string(line, "text");
  if (!text) return wrong(number, R"(expected "message", "text" or "base64" beside "to")");
  event.what = *text;
  return event;
}

// read_http reads the beginning of a request, or of its answer. Nothing: it is neither.
std::optional<RecordedEvent> read_http(const Json& line, RecordedEvent event) {
  event.message = Json::object();
  if (const Json* const headers = find(line, "headers")) event.message = *headers;
  if (const auto request = find_string(line, "request")) {
    event.kind = RecordedEvent::Kind::kRequest;
    event.what = *request;
    return event;
  }
  const auto status = find_int(line, "status");
  if (!status) return std::nullopt;
  event.kind = RecordedEvent::Kind::kStatus;
  event.what = std::to_string(*status);
  return event;
}

Result<RecordedEvent> read_event(const Json& line, std::size_t number) {
  using Kind = RecordedEvent::Kind;
  RecordedEvent event;
  const std::optional<std::int64_t> at = find_int(line, "ns");
  if (!at || *at < 0) return wrong(number, "\"ns\" is expected to be the time since the head");
  event.at = Duration(*at);
  event.exchange = int_or(line, "exchange", 0);
  if (find(line, "to") != nullptr) return read_said(line, number, std::move(event));
  if (std::optional<RecordedEvent> http = read_http(line, event)) return std::move(*http);
  if (const std::optional<Side> end = side_of(line, "end")) {
    event.kind = Kind::kEnd;
    event.to = *end;
    return event;
  }
  for (const auto& [key, kind] :
       {std::pair("stderr", Kind::kStderr), {"exit", Kind::kExit}, {"signal", Kind::kSignal}}) {
    const std::optional<std::string> what = find_string(line, key);
    if (!what) continue;
    event.kind = kind;
    event.what = *what;
    return event;
  }
  return wrong(number,
               R"(expected "to", "request", "status", "end", "stderr", "exit" or "signal")");
}

// Reading is a recording, and where the next event goes.
class Reading {
 public:
  // take adds one line.
  Status take(std::string_view text, std::size_t number) {
    const Result<Json> line = parse_json(text);
    if (!line.ok()) return wrong(number, line.error().message);
    if (const Json* const version = find(line.value(), "recording")) {
      if (as_int(*version) != kRecordingVersion) {
        return wrong(number, "a recording of version " + dump_json(*version) + ", expected " +
                                 std::to_string(kRecordingVersion));
      }
      recording_.sessions.push_back({line.value(), {}});
      clients_.clear();
      ++heads_;
      return Done{};
    }
    if (recording_.sessions.empty()) {
      return wrong(number, R"(no recording: expected a head with "recording": 1)");
    }
    Result<RecordedEvent> event = read_event(line.value(), number);
    if (!event.ok()) return event.error();
    session_of(line.value()).events.push_back(std::move(event).value());
    return Done{};
  }

  std::size_t heads() const { return heads_; }
  Recording& recording() { return recording_; }

 private:
  // session_of returns the session of the client that a line names; the first one shares that of
  // the head.
  RecordedSession& session_of(const Json& line) {
    const std::int64_t client = int_or(line, "client", 0);
    if (client == 0) return recording_.sessions.back();
    const auto known = clients_.find(client);
    if (known != clients_.end()) return recording_.sessions[known->second];
    if (!clients_.empty()) {
      recording_.sessions.push_back({recording_.sessions.back().head, {}});
    }
    clients_[client] = recording_.sessions.size() - 1;
    return recording_.sessions.back();
  }

  Recording recording_;
  std::size_t heads_ = 0;
  std::map<std::int64_t, std::size_t> clients_;  // Since the last head, and their sessions.
};

}  // namespace

std::string_view name_of(Side side) { return side == Side::kServer ? "server" : "client"; }

std::string written(const std::vector<RecordedSession>& sessions) {
  std::string text;
  for (const RecordedSession& session : sessions) {
    text += dump_json(session.head) + '\n';
    for (const RecordedEvent& event : session.events) text += dump_json(line_of(event)) + '\n';
  }
  return text;
}

// A line that was torn is the last of its file, or a head of another process is behind it.
Result<Recording> read_recording(std::string_view text) {
  Reading reading;
  std::optional<Error> left_out;  // The line before, if it was a torn one.
  bool whole = true;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    whole = end != std::string_view::npos;
    const std::size_t heads = reading.heads();
    const std::string_view line = text.substr(0, end);
    const Status taken = reading.take(line, number);
    if (left_out && reading.heads() == heads) return *left_out;
    left_out.reset();
    const bool wrong_one = !taken.ok() && (reading.heads() == 0 || parse_json(line).ok());
    if (wrong_one) return taken.error();
    if (!taken.ok()) left_out = taken.error();
    if (left_out) reading.recording().torn = true;
    text.remove_prefix(whole ? end + 1 : text.size());
  }
  if (left_out && whole) return *left_out;
  if (reading.heads() == 0) return wrong(1, "nothing is in it, expected a recording");
  return std::move(reading.recording());
}

}  // namespace plumbline::scenarios
