// Inbox holds what has arrived on one connection, and wakes whoever waits for more.
//
// Nothing is interpreted here: a frame is a JSON value or garbage, an exchange is one HTTP request
// with what came back.

#pragma once

#include <coroutine>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/wire/wire_log.h"
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
  explicit Inbox(Loop& loop) : loop_(loop) {}
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  std::vector<Frame> frames;
  std::vector<Exchange> exchanges = std::vector<Exchange>(1);  // [0] is the connection as such.
  bool closed = false;
  std::string why_closed;

  // changed wakes, from the loop, everyone who waits.
  void changed();

  class Change;

  // change suspends until something has changed, or until `deadline`: then it returns false.
  Change change(Instant deadline);

  Loop& loop() const { return loop_; }

 private:
  Loop& loop_;
  std::vector<Change*> waiters_;
};

class [[nodiscard]] Inbox::Change final : public Timer {
 public:
  Change(Inbox& inbox, Instant deadline) : inbox_(inbox), deadline_(deadline) {}
  ~Change() { std::erase(inbox_.waiters_, this); }

  bool await_ready() const noexcept { return inbox_.loop_.now() >= deadline_; }
  void await_suspend(std::coroutine_handle<> parent) {
    parent_ = parent;
    inbox_.waiters_.push_back(this);
    if (deadline_ != kNever) inbox_.loop_.arm(*this, deadline_);
  }
  bool await_resume() const noexcept { return woken_; }

 private:
  friend class Inbox;

  void wake() {
    woken_ = true;
    inbox_.loop_.arm(*this, inbox_.loop_.now());
  }
  void fire() override {
    std::erase(inbox_.waiters_, this);
    parent_.resume();
  }

  Inbox& inbox_;
  Instant deadline_;
  std::coroutine_handle<> parent_;
  bool woken_ = false;
};

inline void Inbox::changed() {
  for (Change* const waiter : waiters_) waiter->wake();
  waiters_.clear();
}

inline Inbox::Change Inbox::change(Instant deadline) { return Change(*this, deadline); }

}  // namespace plumbline::conformance
