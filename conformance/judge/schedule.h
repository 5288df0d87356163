// Schedule has the rows of all rounds judged, several at a time: each revision has its turn.

#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/judge/judgement.h"
#include "conformance/judge/server_round.h"
#include "core/base/changes.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/base/task_group.h"

namespace plumbline::conformance {

class Schedule {
 public:
  // `rounds` must outlive the schedule; their surveys are taken. At most `concurrency` checks are
  // at work at a time: a few at first, more while answers keep their pace, fewer when they lose it.
  // `progress` hears of each that begins and ends; it may be empty. `changes` are the subject's.
  Schedule(Changes& changes, const std::vector<ServerRound*>& rounds, int concurrency,
           std::function<void(const JudgeProgress&)> progress);

  // run returns when every row is judged but those that only wait for something that takes its
  // time; wait returns when these are.
  Task<void> run();
  Task<void> wait();

 private:
  // A round and the place of a row in it.
  using Turn = std::pair<ServerRound*, std::size_t>;

  // idle returns how many checks more may be at work.
  int idle() const;

  Task<void> judge(Turn turn);
  void adapt();
  void tell(std::string_view doing, std::size_t more_done);

  // looks_again returns when a row may begin that cannot now, if nothing else happens.
  Instant looks_again() const;

  Changes& changes_;
  std::vector<ServerRound*> rounds_;
  int concurrency_;
  int at_once_;              // Of them, for now.
  int settling_ = 0;         // Checks to come to their end before it is looked at again.
  std::vector<Turn> queue_;  // What is left to be judged, in this order.
  std::function<void(const JudgeProgress&)> progress_;
  JudgeProgress so_far_;
  TaskGroup waiting_;  // Last: what runs there uses the rest.
};

}  // namespace plumbline::conformance
