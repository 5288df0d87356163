// OrderSearch goes through every order in which the timers of a small world can fire at equal
// Instants: depth first, running the world anew for each.
//
// Turns of different servers meet nowhere: each sees its own state and its own streams alone. So
// of the orders that differ only in which of two servers goes first, one is run (sleep sets:
// Godefroid 1996). Turns of actor 0 meet everybody.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fakes/world/sim_loop.h"

namespace plumbline::scenarios {

class OrderSearch final : public fakes::Chooser {
 public:
  // Without `reduces` every order is run.
  explicit OrderSearch(bool reduces) : reduces_(reduces) {}

  // implements fakes::Chooser ---
  //
  // The first world goes in the order in which timers were armed.
  std::size_t choose(const std::vector<fakes::Origin>& due) override;

  // was_cut returns whether the world that just ran repeated one that ran before, in all that
  // matters.
  bool was_cut() const { return cut_; }

  // next turns to the next order. False: there is none.
  bool next();

 private:
  // Turn is one choice on the way: what was due, and which of it is not to go first, as whatever
  // follows was or will be seen elsewhere.
  struct Turn {
    std::vector<fakes::Origin> due;
    std::vector<fakes::Origin> asleep;
    std::size_t chosen = 0;
  };

  bool choose_next(Turn& turn) const;
  void fall_asleep(const Turn& turn);

  bool reduces_;
  std::vector<Turn> turns_;
  std::size_t depth_ = 0;
  std::vector<fakes::Origin> asleep_;  // At the turn to come.
  bool cut_ = false;
};

}  // namespace plumbline::scenarios
