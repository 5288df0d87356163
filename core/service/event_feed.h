// EventFeed is a stream of events to one listener (EventSource) that may lose its connection and
// come back: every event has an id, and what was missed is sent again.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/budget/guests.h"
#include "core/base/loop.h"
#include "core/json/json.h"
#include "core/net/http_event_stream.h"

namespace plumbline::service {

struct EventFeedOptions {
  Duration keep_alive = std::chrono::seconds(15);         // Between comments on a quiet stream.
  Duration retry = std::chrono::seconds(1);               // How long a listener waits to come back.
  std::size_t replay_bytes_max = std::size_t{64} << 10U;  // Of events that may be sent again.
};

class EventFeed {
 public:
  // `name` tells this feed from every other, past ones too: letters and digits. `gone` is called
  // from the loop when the listener's connection has ended, not by us. What is kept is taken from
  // `share`: where that has no room, less is. `loop` must outlive it.
  EventFeed(Loop& loop, std::string name, EventFeedOptions options, std::function<void()> gone,
            const Share& share = {});
  EventFeed(const EventFeed&) = delete;
  EventFeed& operator=(const EventFeed&) = delete;

  const std::string& name() const { return name_; }

  // knows returns whether `last_event_id` is of this feed.
  bool knows(std::string_view last_event_id) const;

  // attach gives the feed a connection, in place of the one it may have. With `last_event_id`, of
  // this feed, what came behind it is sent first. Returns false when some of that is lost.
  bool attach(net::HttpReply reply, std::optional<std::string_view> last_event_id);

  // send adds an event. Without a connection it waits for the next one.
  void send(std::string_view event, const Json& data);

  // end ends the connection in good order.
  void end();

  bool connected() const { return stream_ && stream_->open(); }

 private:
  struct Kept {
    std::uint64_t number = 0;
    std::string text;
  };

  std::optional<std::uint64_t> number_of(std::string_view event_id) const;

  Loop& loop_;
  std::string name_;
  EventFeedOptions options_;
  std::function<void()> gone_;
  std::uint64_t last_ = 0;
  std::deque<Kept> kept_;
  std::size_t kept_bytes_ = 0;
  Held kept_charge_;
  std::optional<net::HttpEventStream> stream_;
};

}  // namespace plumbline::service
