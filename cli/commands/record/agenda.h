// Agenda lets a recorded server say each thing when it is due.

#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "core/os/real_loop.h"
#include "scenarios/record/replayer.h"

namespace plumbline::cli {

using scenarios::ReplayedOutput;

class Agenda {
 public:
  // `say` is called for each, from the loop: at once where it is `fast`. `loop` must outlive the
  // agenda.
  Agenda(os::RealLoop& loop, bool fast, std::function<void(const ReplayedOutput&)> say)
      : loop_(loop), fast_(fast), say_(std::move(say)), due_([this] { speak(); }) {}

  void add(std::vector<ReplayedOutput> outputs) {
    for (ReplayedOutput& output : outputs) {
      const Instant at = fast_ ? loop_.now() : after(loop_.now(), output.after);
      const auto behind = std::ranges::upper_bound(waiting_, at, {}, &Waiting::at);
      waiting_.insert(behind, {at, std::move(output)});
    }
    if (!waiting_.empty()) loop_.arm(due_, waiting_.front().at);
  }

  bool empty() const { return waiting_.empty(); }

 private:
  struct Waiting {
    Instant at;
    ReplayedOutput output;
  };

  void speak() {
    while (!waiting_.empty() && waiting_.front().at <= loop_.now()) {
      const ReplayedOutput output = std::move(waiting_.front().output);
      waiting_.pop_front();
      say_(output);
    }
    if (!waiting_.empty()) loop_.arm(due_, waiting_.front().at);
  }

  os::RealLoop& loop_;
  bool fast_;
  std::function<void(const ReplayedOutput&)> say_;
  std::deque<Waiting> waiting_;  // Soonest first.
  Alarm due_;
};

}  // namespace plumbline::cli
