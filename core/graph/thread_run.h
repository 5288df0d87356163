// ThreadRun is one run of a graph and the person who is asked in it, across the processes that it
// takes.
//
//   ThreadRun<State, Services> run(graph, options, services, loop, observer, &thread);
//   co_await run.start(std::move(initial));
//   while (const Question* question = run.asked()) co_await run.resume(... an answer ...);
//   ... run.outcome()

#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace plumbline::graph {

template <GraphState State, typename Services>
class ThreadRun {
 public:
  // Watch hears each answer before the run goes on with it, those of a dead process too.
  using Watch = std::function<void(const Question& question, const Json& answer)>;

  // All must outlive it; `observer` and `thread` may be null.
  ThreadRun(const Graph<State, Services>& graph, RunOptions options, Services& services, Loop& loop,
            GraphObserver* observer, Thread<State>* thread)
      : graph_(graph),
        options_(options),
        services_(services),
        loop_(loop),
        observer_(observer),
        thread_(thread) {}
  ThreadRun(const ThreadRun&) = delete;
  ThreadRun& operator=(const ThreadRun&) = delete;

  void on_answer(Watch watch) { watch_ = std::move(watch); }

  // start goes on until the run ends or asks somebody. One that is kept in the thread goes on where
  // its last checkpoint stands, and `initial` is only for a thread that is new.
  Task<void> start(State initial) {
    co_await begin(std::move(initial));
    co_await settle();
  }

  // resume goes on with the answer to asked(), which is kept first: nobody is asked it again. When
  // somebody else goes on with the thread, the run has failed with kConflict.
  Task<void> resume(Json answer) {
    if (thread_ != nullptr) {
      std::string key = asked()->key;
      Json kept = answer;
      const Status noted = co_await thread_->answer(std::move(key), std::move(kept));
      if (!noted.ok() && noted.error().code == ErrorCode::kConflict) {
        waiting_.reset();
        outcome_.status = Outcome<State>::kFailed;
        outcome_.error = noted.error();
        unreadable_ = true;
        co_return;
      }
      // Any other way without it the person is asked a second time: no harm.
    }
    co_await go_on(std::move(answer));
    co_await settle();
  }

  // asked is the first question that nobody has answered; nullptr when the run has ended.
  const Question* asked() const {
    return waiting_ ? &waiting_->branches.front().questions.front() : nullptr;
  }

  // outcome is how the run has ended.
  Outcome<State>& outcome() { return outcome_; }

  // unreadable returns whether it is not known what was done before: what is kept cannot be read,
  // or somebody else goes on with it.
  bool unreadable() const { return unreadable_; }

  // past_notes are what a dead process has noted in the node that the run goes on with.
  const std::vector<Note>& past_notes() const { return past_notes_; }

 private:
  Task<void> begin(State initial) {
    std::optional<Checkpoint<State>> kept;
    if (thread_ != nullptr) {
      Result<std::optional<Checkpoint<State>>> latest = co_await thread_->latest();
      if (!latest.ok()) {
        outcome_.state = std::move(initial);
        outcome_.error = latest.error();
        unreadable_ = true;
        co_return;
      }
      kept = std::move(latest).value();
    }
    if (!kept) {
      outcome_ =
          co_await graph_.run(std::move(initial), options_, services_, loop_, observer_, thread_);
      co_return;
    }
    const auto& branches = kept->at.branches;
    if (!branches.empty() && branches.front().waits()) {
      outcome_.status = Outcome<State>::kInterrupted;
      outcome_.snapshot = std::move(kept->at);
      co_return;
    }
    if (!branches.empty()) past_notes_ = branches.front().notes;
    outcome_ =
        co_await graph_.go_on(std::move(*kept), options_, services_, loop_, observer_, thread_);
  }

  Task<void> go_on(Json answer) {
    if (watch_) watch_(*asked(), answer);
    Answers answers =
        decided_before() != nullptr ? Answers::by_key({}) : Answers(std::move(answer));
    Snapshot<State> waiting = std::move(*waiting_);
    waiting_.reset();
    outcome_ = co_await graph_.resume(std::move(waiting), std::move(answers), options_, services_,
                                      loop_, observer_, thread_);
  }

  // settle answers what was decided in a process before.
  Task<void> settle() {
    while (outcome_.status == Outcome<State>::kInterrupted) {
      waiting_ = std::move(outcome_.snapshot);
      past_notes_.clear();  // Of another node.
      const Json* const decided = decided_before();
      if (decided == nullptr) co_return;
      Json answer = *decided;
      co_await go_on(std::move(answer));
    }
  }

  const Json* decided_before() const { return waiting_->branches.front().answer_to(asked()->key); }

  const Graph<State, Services>& graph_;
  RunOptions options_;
  Services& services_;
  Loop& loop_;
  GraphObserver* observer_;
  Thread<State>* thread_;
  Watch watch_;
  std::vector<Note> past_notes_;
  bool unreadable_ = false;
  std::optional<Snapshot<State>> waiting_;
  Outcome<State> outcome_;
};

}  // namespace plumbline::graph
