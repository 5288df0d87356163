// Pacing says when a server that could not be opened, or did not stay open, may be tried again: the
// first time at once, and then after waits that double. A server that dies at every start would
// otherwise be started as often as somebody asks.

#pragma once

#include <optional>
#include <string>

#include "core/base/time.h"

namespace plumbline::connector {

// Pace is what is known of the openings of one server.
class Pace {
 public:
  // refusal returns why the server is not opened at `now`, nothing when it may be. Call it just
  // before an opening.
  std::optional<std::string> refusal(Instant now);

  // may_repeat returns whether a first failure is still to come: one alone is often a cold start.
  bool may_repeat() const { return failures_ == 0; }

  // opened and failed tell what came of an opening. A server that was `silent` all the while is
  // left alone for at least as long: never is more than half of the time spent waiting for it.
  void opened(Instant now);
  void failed(Instant now, Duration silent, std::string why);

  // closed tells that an open connection was closed because nobody needs it: no failure.
  void closed() { open_ = false; }

  // silenced tells that a connection was given up because nothing was heard any more for `silent`.
  void silenced(Instant now, Duration silent, std::string why);

 private:
  int failures_ = 0;  // In a row; an opening that did not last is one.
  bool open_ = false;
  Instant since_{};  // Of the last that succeeded.
  Instant not_before_{};
  std::string why_;
};

}  // namespace plumbline::connector
