// Server-sent events without I/O.
//
// Source: WHATWG HTML, section 9.2 (text/event-stream). CR, LF and CRLF end a line, wherever the
// bytes are cut; a BOM at the start is skipped.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"

namespace plumbline::wire {

struct SseEvent {
  std::string event;              // Empty: "message".
  std::string data;               // Lines joined by LF.
  std::optional<std::string> id;  // Of this event; an empty one resets the last id.
  std::optional<int> retry_ms;    // The time to wait before a reconnect.
  friend bool operator==(const SseEvent&, const SseEvent&) = default;
};

// SseReader gives the events of one stream. Unlike a browser it also gives events without data when
// they carry an id or a retry: a client has to remember both. Comments are counted, not given.
class SseReader {
 public:
  explicit SseReader(std::size_t event_bytes_max = limits::kMessageBytesMax);

  void feed(std::string_view bytes);

  // next returns the next whole event. An event cut off by the end of the stream is dropped.
  std::optional<SseEvent> next();

  // too_long returns whether an event exceeded the limit. Nothing follows then.
  bool too_long() const { return too_long_; }

  std::size_t comments() const { return comments_; }

 private:
  // The implementer's.
  bool too_long_ = false;
  std::size_t comments_ = 0;
};

// append_sse writes one event. Data may hold any line ends; id and event must hold none.
void append_sse(std::string& out, const SseEvent& event);

// append_sse_comment writes a line that readers skip: it keeps proxies from closing the stream.
void append_sse_comment(std::string& out, std::string_view text);

}  // namespace plumbline::wire
