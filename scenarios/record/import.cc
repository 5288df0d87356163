#include "scenarios/record/import.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/net/http_answer.h"
#include "core/wire/sse.h"
#include "core/wire/url.h"
#include "scenarios/record/likeness.h"
#include "scenarios/record/web_recorder.h"

namespace plumbline::scenarios {

namespace {

constexpr std::string_view kMark = "\"jsonrpc\"";
// Times of an archive are between these, and spans at most so long: any sum of them is a Duration.
constexpr int kYearMin = 1970;
constexpr int kYearMax = 2199;
constexpr std::size_t kTimeBytesShown = 60;
constexpr double kSpanMsMax = 365.0 * 24 * 3600 * 1000;

Error no_archive(const std::string& what) { return {ErrorCode::kInvalidInput, what}; }

std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  if (text.size() < at + count || text[at] == '-') return std::nullopt;
  const char* const end = text.data() + at + count;
  const auto [stop, failed] = std::from_chars(text.data() + at, end, value);
  if (failed != std::errc() || stop != end) return std::nullopt;
  return value;
}

// since_1970 reads "2026-11-25T02:00:00.123+01:00". Nothing: that is none, or not of this age.
std::optional<Duration> since_1970(std::string_view text) {
  using namespace std::chrono;
  const auto year_of = digits_at(text, 0, 4);
  const auto month_of = digits_at(text, 5, 2);
  const auto day_of = digits_at(text, 8, 2);
  const auto hour = digits_at(text, 11, 2);
  const auto minute = digits_at(text, 14, 2);
  const auto second = digits_at(text, 17, 2);
  if (!year_of || !month_of || !day_of || !hour || !minute || !second) return std::nullopt;
  const year_month_day date = year(*year_of) / month(static_cast<unsigned>(*month_of)) /
                              day(static_cast<unsigned>(*day_of));
  const bool of_clock = *hour < 24 && *minute < 60 && *second <= 60;
  if (!date.ok() || !of_clock || *year_of < kYearMin || *year_of > kYearMax) return std::nullopt;
  Duration time =
      sys_days(date).time_since_epoch() + hours(*hour) + minutes(*minute) + seconds(*second);
  std::string_view rest = text.substr(19);
  if (rest.starts_with('.')) {
    Duration part = milliseconds(100);
    for (rest.remove_prefix(1); !rest.empty() && rest[0] >= '0' && rest[0] <= '9';
         rest.remove_prefix(1)) {
      time += (rest[0] - '0') * part;
      part /= 10;
    }
  }
  const auto off_hours = digits_at(rest, 1, 2);
  const auto off_minutes = digits_at(rest, 4, 2);
  if (off_hours && off_minutes) {
    const Duration off = hours(*off_hours) + minutes(*off_minutes);
    time += rest[0] == '-' ? off : -off;
  }
  return time;
}

double number_of(const Json& object, const char* key) {
  const Json* const value = find(object, key);
  return value != nullptr && value->is_number() ? value->get<double>() : 0;
}

// of_ms returns a span; those that are not known are negative.
Duration of_ms(double ms) {
  return Duration(static_cast<std::int64_t>(std::clamp(ms, 0.0, kSpanMsMax) * 1e6));
}

wire::HttpHeaders headers_of(const Json& message) {
  wire::HttpHeaders headers;
  const Json* const all = find(message, "headers");
  if (all == nullptr || !all->is_array()) return headers;
  for (const Json& one : *all) headers.add(string_or(one, "name", ""), string_or(one, "value", ""));
  return headers;
}

std::string body_of(const Json& response) {
  const Json content = member_of(response, "content");
  const std::string text = string_or(content, "text", "");
  if (string_or(content, "encoding", "") != "base64") return text;
  return decode_base64(text).value_or("");
}

// Entry is one exchange of the archive.
struct Entry {
  Duration began;  // Since the first one.
  Duration took;
  wire::HttpRequest request;
  int status = 0;
  wire::HttpHeaders headers;
  std::string body;
  Json messages;  // Of a WebSocket.
};

bool speaks(const Entry& entry) {
  if (entry.request.body.find(kMark) != std::string::npos) return true;
  if (entry.body.find(kMark) != std::string::npos) return true;
  return dump_json(entry.messages).find("jsonrpc") != std::string::npos;
}

Result<std::vector<Entry>> entries_of(const Json& archive) {
  const Json* const list = at_pointer(archive, "/log/entries");
  if (list == nullptr || !list->is_array()) {
    return no_archive("no HTTP archive: expected \"log\": {\"entries\": [...]}");
  }
  std::vector<Entry> entries;
  std::optional<Duration> first;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& item = (*list)[i];
    const Json request = member_of(item, "request");
    const Result<wire::Url> url = wire::parse_url(string_or(request, "url", ""));
    if (!url.ok()) continue;
    Entry entry;
    entry.took = of_ms(number_of(item, "time"));
    entry.request.method = string_or(request, "method", "GET");
    entry.request.target = url.value().target;
    entry.request.headers = headers_of(request);
    entry.request.body = string_or(member_of(request, "postData"), "text", "");
    const Json response = member_of(item, "response");
    entry.status = static_cast<int>(int_or(response, "status", 0));
    entry.headers = headers_of(response);
    entry.body = body_of(response);
    entry.messages = member_of(item, "_webSocketMessages");
    if (!speaks(entry)) continue;
    const std::string time = string_or(item, "startedDateTime", "");
    const std::optional<Duration> began = since_1970(time);
    if (!began) {
      return no_archive("/log/entries/" + std::to_string(i) + "/startedDateTime: \"" +
                        clipped(time, kTimeBytesShown) +
                        "\" is no time, expected one such as 2026-11-25T02:00:00.123Z");
    }
    entry.began = *began;
    first = std::min(first.value_or(*began), *began);
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) return no_archive("the archive has no messages of JSON-RPC");
  for (Entry& entry : entries) entry.began -= *first;
  return entries;
}

// Played is what happens in an archive, in the order of its times.
class Played {
 public:
  explicit Played(Recorder& recorder) : web_(recorder) {}

  void add(const Entry& entry, std::size_t at) {
    numbers_.resize(std::max(numbers_.size(), at + 1));
    const Duration end = entry.began + entry.took;
    then(entry.began, [this, &entry, at] {
      numbers_[at] = web_.request(entry.request, entry.began);
      if (!entry.request.body.empty()) ++messages_;
    });
    if (entry.status == 0) return;
    then(entry.messages.is_array() ? entry.began : end,
         [this, &entry, at, end] { web_.status(numbers_[at], entry.status, entry.headers, end); });
    const std::string type(entry.headers.get("Content-Type").value_or(""));
    if (entry.messages.is_array()) add_messages(entry, at);
    if (net::is_media_type(type, "text/event-stream")) {
      then(end, [this, &entry, at, end] { say_events(entry, at, end); });
    } else if (!entry.body.empty()) {
      then(end, [this, &entry, at, end] { say(at, Side::kClient, entry.body, end); });
    }
    then(end, [this, at, end] { web_.end(numbers_[at], "", end); });
  }

  std::size_t play() {
    for (const auto& [unused, happens] : events_) happens();
    return messages_;
  }

 private:
  void then(Duration at, std::function<void()> happens) { events_.emplace(at, std::move(happens)); }

  void say(std::size_t at, Side to, const std::string& text, Duration when) {
    web_.said(numbers_[at], to, text, when);
    ++messages_;
  }

  void say_events(const Entry& entry, std::size_t at, Duration when) {
    wire::SseReader reader;
    reader.feed(entry.body + "\n\n");
    while (const auto event = reader.next()) {
      if (event->data.empty()) continue;
      web_.said(numbers_[at], Side::kClient, event->data, when, event->event,
                event->id.value_or(""));
      ++messages_;
    }
  }

  void add_messages(const Entry& entry, std::size_t at) {
    if (entry.messages.empty()) return;
    const double first = number_of(entry.messages.front(), "time");
    for (const Json& message : entry.messages) {
      const Duration when = entry.began + of_ms((number_of(message, "time") - first) * 1e3);
      const Side to = string_or(message, "type", "") == "send" ? Side::kServer : Side::kClient;
      then(when, [this, at, to, when, text = string_or(message, "data", "")] {
        say(at, to, text, when);
      });
    }
  }

  WebRecorder web_;
  std::vector<std::int64_t> numbers_;                      // Of the exchange of each entry.
  std::multimap<Duration, std::function<void()>> events_;  // Of equal times in order.
  std::size_t messages_ = 0;
};

}  // namespace

Result<std::size_t> import_har(const Json& archive, Recorder& recorder) {
  const Result<std::vector<Entry>> entries = entries_of(archive);
  if (!entries.ok()) return entries.error();
  Json head = Json::object();
  head["transport"] = "http";
  head["imported"] = "HAR";
  recorder.begin(std::move(head));
  Played played(recorder);
  for (std::size_t i = 0; i < entries.value().size(); ++i) played.add(entries.value()[i], i);
  return played.play();
}

Result<std::size_t> import_trace(std::string_view text, Recorder& recorder) {
  struct Said {
    Duration at;
    Side to;
    Json message;
  };
  std::map<std::string, std::vector<Said>> by_connection;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const Result<Json> event = parse_json(line);
    if (!event.ok())
      return no_archive("line " + std::to_string(number) + ": " + event.error().message);
    const std::string kind = string_or(event.value(), "kind", "");
    if (kind != "message_sent" && kind != "message_received") continue;
    const std::int64_t at_ns = int_or(event.value(), "at_ns", 0);
    if (at_ns < 0) {
      return no_archive("line " + std::to_string(number) + ": \"at_ns\" is before the beginning");
    }
    by_connection[string_or(event.value(), "who", "")].push_back(
        {Duration(at_ns), kind == "message_sent" ? Side::kServer : Side::kClient,
         member_of(event.value(), "detail")});
  }
  if (by_connection.empty()) return no_archive("the trace has no messages");
  std::size_t messages = 0;
  for (const auto& [who, all] : by_connection) {
    Json head = Json::object();
    head["transport"] = "stdio";
    head["imported"] = "trace";
    head["command"] = who;
    recorder.begin(std::move(head));
    for (const Said& said : all) recorder.frame(said.to, dump_json(said.message), said.at);
    messages += all.size();
  }
  return messages;
}

}  // namespace plumbline::scenarios
