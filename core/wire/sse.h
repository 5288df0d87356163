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
  std::optional<int> retry_ms;    // The time to wait before a reconnect, at least 0.
  friend bool operator==(const SseEvent&, const SseEvent&) = default;
};

// SseReader gives the events of one stream. Unlike a browser it also gives events without data when
// they carry an id or a retry: a client has to remember both. Comments are counted, not given.
class SseReader {
 public:
  explicit SseReader(std::size_t event_bytes_max = limits::kMessageBytesMax);

  // feed takes the next bytes. Take what next() has after each feed(), or it piles up.
  void feed(std::string_view bytes);

  // next returns the next whole event. An event cut off by the end of the stream is dropped.
  std::optional<SseEvent> next();

  // too_long returns whether an event, or one line, exceeded the limit. Nothing follows then.
  bool too_long() const { return too_long_; }

  std::size_t comments() const { return comments_; }

 private:
  // LineEnd finds the next of one character, and remembers where it found none.
  struct LineEnd {
    char character;
    std::size_t at = 0;  // Of the character, or where to look on.
    bool found = false;
    void find_from(std::size_t start, std::string_view text);
  };

  bool skip_bom();
  std::optional<std::string_view> take_line();
  void take_field(std::string_view line);
  std::optional<SseEvent> dispatch();

  std::size_t event_bytes_max_;
  std::string input_;
  std::size_t at_ = 0;  // In input_: what is before was taken.
  LineEnd lf_{'\n'};
  LineEnd cr_{'\r'};
  bool bom_passed_ = false;
  bool after_cr_ = false;  // An LF that comes now belongs to the line end before.
  SseEvent event_;
  bool has_data_ = false;
  std::size_t event_bytes_ = 0;  // Of the fields kept in event_.
  bool too_long_ = false;
  std::size_t comments_ = 0;
};

// append_sse writes one event, with a data field even where data is empty. Data may hold any line
// ends, which readers turn into LF; id and event must hold none, an id no NUL either.
void append_sse(std::string& out, const SseEvent& event);

// append_sse_comment writes one line that readers skip: it keeps proxies from closing the stream.
void append_sse_comment(std::string& out, std::string_view text);

}  // namespace plumbline::wire
