// GuestRounds lets the guests of a server come to their turn one after the other: in a round each
// has one request served, however many it has sent and over however many connections.

#pragma once

#include <deque>
#include <map>
#include <string>

#include "core/base/lifeline.h"
#include "core/base/loop.h"

namespace plumbline {

class GuestRounds {
 public:
  // Waiting is a connection with a request that waits for its turn.
  class Waiting {
   public:
    // on_turn is called from the loop. It may destroy the GuestRounds.
    virtual void on_turn() = 0;

   protected:
    ~Waiting() = default;
  };

  // `loop` must outlive the object.
  explicit GuestRounds(Loop& loop) : loop_(loop), round_([this] { round(); }) {}

  // take returns whether `guest` may have a request served at once. If not, on_turn comes.
  bool take(const std::string& guest, Waiting& waiting);

  // leave forgets a connection that waits.
  void leave(const std::string& guest, Waiting& waiting);

 private:
  struct Line {
    bool had_turn = false;  // In this round.
    std::deque<Waiting*> waiting;
  };

  void round();

  Loop& loop_;
  std::map<std::string, Line> lines_;  // Of who had a turn, or waits for one.
  Alarm round_;                        // Begins the next round.
  Lifeline lifeline_;
};

}  // namespace plumbline
