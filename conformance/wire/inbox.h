// Inbox holds what has arrived on one connection, and wakes whoever waits for more.
//
// Nothing is interpreted here: a frame is a JSON value or garbage, an exchange is one HTTP request
// with what came back.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/wire/wire_log.h"
#include "core/base/changes.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/wire/http.h"

namespace plumbline::conformance {

// Frame is one message as it arrived: a line, a body, an event, a text of a WebSocket.
struct Frame {
  Instant at;
  std::size_t exchange = 0;             // That brought it. 0: the connection as such.
  KeptJson message = kept(nullptr);     // JSON null for garbage.
  std::string garbage;                  // The beginning of what is no JSON.
  bool repeats_keys = false;            // An object with "inputRequests" has a member twice.
  std::optional<std::string> event_id;  // Of its SSE event.
  std::string event_name;               // Likewise; empty where none was given.
  std::size_t log_place = 0;
};

// Exchange is one HTTP request and its answer so far.
struct Exchange {
  std::string method;
  int status = 0;  // 0: no answer yet.
  wire::HttpHeaders headers;
  std::string body;  // Unless it is a stream of events; bounded.
  bool events = false;
  std::size_t events_seen = 0;  // Events without data count as well.
  std::optional<std::string> last_event_id;
  std::optional<int> retry_ms;
  bool ended = false;
  std::optional<Error> failed;
};

class Inbox {
 public:
  explicit Inbox(Loop& loop) : changes_(loop) {}
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  std::vector<Frame> frames;
  std::vector<Exchange> exchanges = std::vector<Exchange>(1);  // [0] is the connection as such.
  bool closed = false;
  std::string why_closed;

  // changed wakes, from the loop, everyone who waits.
  void changed() { changes_.tell(); }

  // change suspends until something has changed, or until `deadline`: then it returns false.
  Changes::Next change(Instant deadline) { return changes_.next(deadline); }

  // wait suspends until `condition`, of what has arrived, holds, or until `deadline`: then it
  // returns false.
  template <class Condition>
  Task<bool> wait(Instant deadline, Condition condition) {
    return changes_.wait(deadline, std::move(condition));
  }

  Loop& loop() const { return changes_.loop(); }

 private:
  Changes changes_;
};

}  // namespace plumbline::conformance
