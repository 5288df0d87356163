// FairTurns shares out what few can have at one time: nobody gets more than his share, nobody's
// queue is before that of another, and all queues are bounded.

#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/base/wait.h"

namespace plumbline::auth {

struct FairTurnsOptions {
  std::size_t at_once = 32;
  std::size_t at_once_of_one = 8;
  std::size_t waiting = 1'024;
  std::size_t waiting_of_one = 64;
  Duration wait_max = std::chrono::seconds(15);
};

class FairTurns {
 public:
  // `loop` must outlive it, and it its turns and those who wait.
  explicit FairTurns(Loop& loop, FairTurnsOptions options = {});
  FairTurns(const FairTurns&) = delete;
  FairTurns& operator=(const FairTurns&) = delete;

  // Turn is had until it is destroyed.
  class Turn {
   public:
    Turn(FairTurns& turns, std::string whose) : turns_(&turns), whose_(std::move(whose)) {}
    Turn(Turn&& other) noexcept
        : turns_(std::exchange(other.turns_, nullptr)), whose_(std::move(other.whose_)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (turns_ != nullptr) turns_->end(whose_);
    }

   private:
    FairTurns* turns_;
    std::string whose_;
  };

  // take waits for a turn of `whose`. Nothing: too many of his wait already, or it took too long.
  // Where too many wait in all, the last of who has most waiting goes.
  Task<std::optional<Turn>> take(std::string whose);

 private:
  struct Waiter {
    Event event;
    bool has_turn = false;
  };
  struct Lane {
    std::size_t running = 0;
    std::list<Waiter*> waiting;
  };
  class Place;

  // has_room returns whether one more of a lane may run.
  bool has_room(const Lane& lane) const;
  void end(const std::string& whose);
  // hand_out gives turns to who waits, one of each lane in its order.
  void hand_out();
  void drop_longest();
  void forget_if_idle(const std::string& whose);

  Loop& loop_;
  FairTurnsOptions options_;
  std::map<std::string, Lane> lanes_;
  std::size_t running_ = 0;
  std::size_t waiting_ = 0;
  std::string last_;  // Whose turn was handed out last.
  Alarm hands_out_;
};

}  // namespace plumbline::auth
