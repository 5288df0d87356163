#include "conformance/wire/wire.h"

#include <string_view>

#include "core/base/check.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kGarbageBytesMax = 256;  // Shown of what is no JSON.
// What one connection may bring.
constexpr std::size_t kBytesMax = 256U << 20U;
constexpr std::size_t kFramesMax = 200'000;
constexpr std::size_t kGarbageMax = 1'000;

Json as_garbage(std::string_view text) {
  Json shown(Json::value_t::object);
  shown["garbage"] = std::string(text.substr(0, kGarbageBytesMax));
  return shown;
}

// repeats_keys returns whether a member comes twice in a result that asks for input. Only these are
// read a second time.
bool repeats_keys(std::string_view text) {
  if (text.find("\"inputRequests\"") == std::string_view::npos) return false;
  JsonLimits limits;
  limits.duplicate_keys = false;
  return !parse_json(text, limits).ok();
}

}  // namespace

std::size_t Wire::request(wire::HttpRequest, std::uint32_t) {
  check(false, "request() of a transport without HTTP");
  return 0;
}

void Wire::drop(std::size_t) { check(false, "drop() of a transport without HTTP"); }

void Wire::sent(const std::string& text, std::size_t exchange, std::uint32_t check) {
  LogEntry entry;
  entry.at = inbox_.loop().now();
  entry.connection = number_;
  entry.exchange = static_cast<std::uint32_t>(exchange);
  entry.check = check;
  entry.sender = Sender::kHarness;
  Result<Json> read = parse_json(text);
  entry.garbage = !read.ok();
  entry.message = read.ok() ? std::move(read).value() : as_garbage(text);
  log_.add(std::move(entry));
}

bool Wire::floods(std::size_t bytes, bool garbage) {
  bytes_kept_ += bytes;
  garbage_kept_ += garbage ? 1 : 0;
  return bytes_kept_ > kBytesMax || garbage_kept_ > kGarbageMax ||
         inbox_.frames.size() > kFramesMax;
}

void Wire::arrived(std::string_view text, Frame frame, std::uint32_t check) {
  if (inbox_.closed) return;
  frame.at = inbox_.loop().now();
  LogEntry entry;
  entry.at = frame.at;
  entry.connection = number_;
  entry.exchange = static_cast<std::uint32_t>(frame.exchange);
  entry.check = check;
  entry.sender = Sender::kSubject;
  entry.event_id = frame.event_id;
  Result<Json> read = parse_json(text);
  if (floods(text.size(), !read.ok())) return ended("the subject floods the connection");
  entry.garbage = !read.ok();
  if (read.ok()) {
    frame.message = std::move(read).value();
    frame.repeats_keys = repeats_keys(text);
    entry.message = frame.message;
  } else {
    frame.garbage = std::string(text.substr(0, kGarbageBytesMax));
    if (text.size() > kGarbageBytesMax) frame.garbage += "...";
    entry.message = as_garbage(text);
  }
  frame.log_place = log_.add(std::move(entry));
  inbox_.frames.push_back(std::move(frame));
  inbox_.changed();
}

void Wire::note(Json what, std::size_t exchange, std::uint32_t check,
                std::optional<std::string> event_id) {
  LogEntry entry;
  entry.at = inbox_.loop().now();
  entry.connection = number_;
  entry.exchange = static_cast<std::uint32_t>(exchange);
  entry.check = check;
  entry.message = std::move(what);
  entry.event_id = std::move(event_id);
  log_.add(std::move(entry));
}

void Wire::ended(std::string why) {
  if (inbox_.closed) return;
  inbox_.closed = true;
  inbox_.why_closed = std::move(why);
  Json what(Json::value_t::object);
  what["closed"] = inbox_.why_closed;
  note(std::move(what), 0, 0);
  inbox_.changed();
}

}  // namespace plumbline::conformance
