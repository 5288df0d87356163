#include "conformance/wire/wire.h"

#include <string_view>

#include "conformance/wire/broken_text.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "core/wire/utf8.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kGarbageBytesMax = 256;  // Shown of what is no JSON.

// as_garbage shows the beginning of what is no JSON, and says what is wrong with all of it.
Json as_garbage(std::string beginning, std::string_view whole, const BrokenText& broken) {
  Json shown(Json::value_t::object);
  shown["garbage"] = std::move(beginning);
  if (!wire::is_utf8(whole)) shown["utf8"] = false;
  if (!broken.half.empty()) shown[kHalfCharacter] = broken.half;
  if (!broken.wrong.empty()) shown[kBrokenMessage] = broken.wrong;
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

LogEntry Wire::entry_of(KeptJson message, std::size_t exchange, std::uint32_t check) const {
  LogEntry entry;
  entry.at = inbox_.loop().now();
  entry.connection = number_;
  entry.exchange = static_cast<std::uint32_t>(exchange);
  entry.check = check;
  entry.message = std::move(message);
  return entry;
}

void Wire::sent(const std::string& text, std::size_t exchange, std::uint32_t check) {
  if (log_.full()) return;
  Result<Json> read = parse_json(text);
  const bool garbage = !read.ok();
  Json message = garbage ? as_garbage(std::string(beginning(text, kGarbageBytesMax)), text, {})
                         : std::move(read).value();
  remember(message);
  LogEntry entry = entry_of(kept(std::move(message)), exchange, check);
  entry.sender = Sender::kHarness;
  entry.garbage = garbage;
  entry.unasked = find(*entry.message, "method") == nullptr && find(*entry.message, "id");
  log_.add(std::move(entry));
}

// remember takes note of the requests in what we say; is_answer returns whether one of them is
// answered for the first time.
void Wire::remember(const Json& message) {
  if (message.is_array()) {
    for (const Json& one : message) remember(one);
  } else if (const Json* const id = find(message, "id"); id && find(message, "method")) {
    asked_.insert(*id);
  }
}

bool Wire::is_answer(const Json& message) {
  if (message.is_array()) {
    bool any = false;
    for (const Json& one : message) any |= is_answer(one);
    return any;
  }
  const Json* const id = find(message, "id");
  return id && find(message, "method") == nullptr && asked_.erase(*id) > 0;
}

void Wire::flood(std::string what) {
  flooded_ = true;
  log_.note_flood("not judged to its end: " + what);
  ended(std::move(what));
}

void Wire::too_long() {
  if (inbox_.closed) return;
  flood("the subject sends a message of more than " +
        std::to_string(kJudgedMessageBytesMax >> 20U) + " MB");
}

bool Wire::takes(std::size_t bytes, bool unasked) {
  if (inbox_.closed) return false;
  const auto megabytes = [](std::size_t max) { return std::to_string(max >> 20U) + " MB"; };
  bytes_kept_ += bytes;
  if (unasked) unasked_kept_ += bytes;
  const LogBounds& bounds = log_.bounds();
  if (unasked_kept_ > bounds.connection_unasked_bytes) {
    flood("the subject floods the connection with more than " +
          megabytes(bounds.connection_unasked_bytes) + " that nobody asked for");
  } else if (garbage_kept_ > kConnectionGarbageMax) {
    flood("the subject floods the connection with lines that are no JSON");
  } else if (bytes_kept_ > bounds.connection_bytes ||
             inbox_.frames.size() > bounds.connection_frames) {
    flood("the subject floods the connection with more than " + megabytes(bounds.connection_bytes) +
          " or " + std::to_string(bounds.connection_frames) + " messages");
  } else if (log_.full()) {
    flood("the subject has said more than the log of a run holds");
  }
  return !inbox_.closed;
}

void Wire::arrived(std::string_view text, Frame frame, std::uint32_t check) {
  if (inbox_.closed) return;
  Result<Json> read = parse_json(text);
  BrokenText broken;
  std::optional<Json> lossy = read.ok() ? std::nullopt : read_not_utf8(text);
  const bool not_utf8 = lossy.has_value();
  if (not_utf8) read = std::move(*lossy);
  if (read.ok()) {
    frame.message = kept(std::move(read).value());
    frame.repeats_keys = !not_utf8 && repeats_keys(text);
  } else {
    const std::string whole = log_.redacted(std::string(text));
    frame.garbage = std::string(beginning(whole, kGarbageBytesMax));
    if (whole.size() > kGarbageBytesMax) frame.garbage += "...";
    ++garbage_kept_;
    broken = read_broken(text);
  }
  const bool unasked = !read.ok() || !is_answer(*frame.message);
  if (!takes(memory_of(*frame.message) + sizeof(Frame), unasked)) return;
  frame.at = inbox_.loop().now();
  LogEntry entry =
      entry_of(read.ok() ? frame.message : kept(as_garbage(frame.garbage, text, broken)),
               frame.exchange, check);
  entry.sender = Sender::kSubject;
  entry.garbage = !read.ok();
  entry.not_utf8 = not_utf8;
  entry.unasked = unasked;
  entry.event_id = frame.event_id;
  frame.log_place = log_.add(std::move(entry));
  // What is JSON but for half a character is an answer all the same: nobody waits for another.
  if (!broken.half.empty()) {
    frame.message = kept(std::move(broken.repaired));
    frame.garbage.clear();
  }
  inbox_.frames.push_back(std::move(frame));
  inbox_.changed();
}

void Wire::note(Json what, std::size_t exchange, std::uint32_t check,
                std::optional<std::string> event_id) {
  const bool unasked = find(what, "event") != nullptr || find(what, "endpoint") != nullptr;
  if (!takes(memory_of(what) + sizeof(LogEntry), unasked)) return;
  LogEntry entry = entry_of(kept(std::move(what)), exchange, check);
  entry.unasked = unasked;
  entry.event_id = std::move(event_id);
  log_.add(std::move(entry));
}

void Wire::ended(std::string why) {
  if (inbox_.closed) return;
  inbox_.closed = true;
  inbox_.why_closed = log_.told(std::move(why));
  Json what(Json::value_t::object);
  what["closed"] = inbox_.why_closed;
  log_.add(entry_of(kept(std::move(what)), 0, 0));
  inbox_.changed();
}

}  // namespace plumbline::conformance
