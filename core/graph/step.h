// What happens between two steps of a run, and within one: visits, alone or side by side, and what
// is kept of them.

#pragma once

#include <coroutine>
#include <utility>

#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/graph/run_ways.h"
#include "core/graph/thread.h"

namespace plumbline::graph::internal {

// Keeper keeps what a run comes to: in a Thread, or with the branch around it.
template <GraphState State, typename Services>
class Keeper {
 public:
  using Leg = internal::Leg<State, Services>;

  // `thread` may be null.
  Keeper(Run<State, Services>& run, Thread<State>* thread) : run_(run), thread_(thread) {}

  bool keeps() const { return thread_ != nullptr || run_.scope().progress != nullptr; }

  // keep keeps the run as it stands after a step, or what the branches of this step have come to
  // that is not kept yet.
  Task<void> keep() {
    if (run_.failed() && run_.between_steps()) co_return;
    if (thread_ == nullptr) {
      if (!run_.failed()) co_await keep_inside();
      co_return;
    }
    if (run_.between_steps()) {
      Checkpoint<State> checkpoint{run_.snapshot()};
      checkpoint.origin = run_.outset() ? Origin::kBeginning : Origin::kStep;
      const Status kept = co_await thread_->put(std::move(checkpoint));
      look_at(kept);
      co_return;
    }
    for (Leg& leg : run_.legs()) {
      if (leg.unkept) co_await keep(leg);
    }
  }

  // keep keeps what one branch has come to.
  Task<void> keep(Leg& leg) {
    leg.unkept = false;
    const Status kept = co_await put(leg);
    look_at(kept);
  }

  // put says how far one branch is.
  Task<Status> put(Leg& leg) {
    if (thread_ != nullptr) return thread_->put_branch([&leg] { return leg.branch(); });
    return run_.scope().progress->moved(run_.inside());
  }

 private:
  Task<void> keep_inside() {
    for (Leg& leg : run_.legs()) leg.unkept = false;
    const Status kept = co_await run_.scope().progress->moved(run_.inside());
    look_at(kept);
  }

  // What could not be kept does no harm: until it is, the thread lets nothing be noted. But two
  // must not go on with one thread.
  void look_at(const Status& kept) {
    if (!kept.ok() && kept.error().code == ErrorCode::kConflict) run_.fail(kept.error());
  }

  Run<State, Services>& run_;
  Thread<State>* thread_;
};

// LegProgress is the Progress of what is inside one branch.
template <GraphState State, typename Services>
class LegProgress final : public Progress {
 public:
  LegProgress(Leg<State, Services>& leg, Keeper<State, Services>& keeper)
      : leg_(leg), keeper_(keeper) {}

  // implements Progress ---
  Task<Status> moved(Inside inside) override {
    for (Question& question : inside.questions) question.key = key_inside(leg_.key, question.key);
    AnswerMap answers;
    for (auto& [key, answer] : inside.answers) {
      answers.emplace(key_inside(leg_.key, key), std::move(answer));
    }
    inside.answers = std::move(answers);
    leg_.inside = std::move(inside);
    return keeper_.put(leg_);
  }

 private:
  Leg<State, Services>& leg_;
  Keeper<State, Services>& keeper_;
};

// Bell wakes the one who waits for it, from the loop: whoever rings may be dropped by the one
// woken.
class Bell final : public Timer {
 public:
  explicit Bell(Loop& loop) : loop_(loop) {}
  ~Bell() = default;

  void ring() {
    rung_ = true;
    if (parent_) loop_.arm(*this, loop_.now());
  }

  bool await_ready() const noexcept { return rung_; }
  void await_suspend(std::coroutine_handle<> parent) { parent_ = parent; }
  void await_resume() { rung_ = false; }

 private:
  void fire() override { std::exchange(parent_, {}).resume(); }

  Loop& loop_;
  std::coroutine_handle<> parent_;
  bool rung_ = false;
};

// Visits are the work of one step.
template <GraphState State, typename Services>
class Visits {
 public:
  using Running = Run<State, Services>;
  using Leg = internal::Leg<State, Services>;
  using Keeping = Keeper<State, Services>;

  // visit makes all attempts of one visit.
  static Task<void> visit(Running& run, Leg& leg, Keeping& keeper, Loop& loop);

  // side_by_side makes the visits of all branches that are under way. One that is done before its
  // sisters are is kept at once.
  static Task<void> side_by_side(Running& run, Keeping& keeper, Loop& loop);

 private:
  static Task<void> visit_and_ring(Running& run, Leg& leg, Keeping& keeper, Loop& loop,
                                   Bell& bell) {
    Task<void> visiting = visit(run, leg, keeper, loop);
    co_await visiting;
    bell.ring();
  }
};

template <GraphState State, typename Services>
Task<void> Visits<State, Services>::visit(Running& run, Leg& leg, Keeping& keeper, Loop& loop) {
  LegProgress<State, Services> progress(leg, keeper);
  if (keeper.keeps()) leg.visit.progress = &progress;
  for (bool again = true; again;) {
    Task<NodeResult<State>> attempt = run.begin_attempt(leg);
    if (leg.drop_at == kNever) {
      NodeResult<State> result = co_await attempt;
      again = run.end_attempt(leg, std::move(result));
    } else {
      Result<NodeResult<State>> result =
          co_await with_deadline(loop, leg.drop_at, "it", std::move(attempt));
      again = run.end_attempt(leg, std::move(result));
    }
    if (again) co_await Sleep(loop, leg.retry_at);
  }
}

template <GraphState State, typename Services>
Task<void> Visits<State, Services>::side_by_side(Running& run, Keeping& keeper, Loop& loop) {
  const bool cancels = run.scope().options.sisters == RunOptions::Sisters::kCancel;
  Bell bell(loop);
  TaskGroup visits;
  for (Leg& leg : run.legs()) {
    if (leg.is == Leg::Is::kUnderWay) visits.spawn(visit_and_ring(run, leg, keeper, loop, bell));
  }
  while (visits.running() > 0 && !run.failed()) {
    co_await bell;
    if (keeper.keeps() && visits.running() > 0) co_await keeper.keep();
    if (cancels && run.has_failed_leg()) break;
  }
  if (visits.running() == 0) co_return;
  co_await Sleep(loop, loop.now());  // Whoever woke this last may be one of those to be dropped.
  visits.cancel();
}

}  // namespace plumbline::graph::internal
