// Thread is the place of one run in a Checkpointer.

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/base/turns.h"
#include "core/graph/checkpoint.h"
#include "core/json/json.h"

namespace plumbline::graph {

// Thread writes one thing after the other, in the order it was asked to, and only as long as nobody
// else writes: who finds that another process has, is told kConflict, then and ever after.
//
// A note stands on the checkpoint that its node began from: on an older one it would be lost as
// soon as a newer one is put. So what could not be put is put before the next note, and a note that
// finds no place there is refused. A run may go on without its checkpoints, but it does nothing
// that must be noted first.
template <GraphState State>
class Thread final : public Notebook {
 public:
  using Kept = Checkpoint<State>;

  // `keeper` and `loop` must outlive it. `writer` tells the processes apart that may write to one
  // thread at a time; alone, any number will do.
  Thread(Checkpointer<State>& keeper, std::string id, Loop& loop, std::int64_t writer = 0)
      : keeper_(keeper), turns_(loop), id_(std::move(id)), writer_(writer) {}

  const std::string& id() const { return id_; }

  // put adds a step: a run's own, or, with another origin, one made by hand. Its number and its
  // parent are given here.
  Task<Status> put(Kept checkpoint) {
    const Turns::Turn mine = co_await turns_.take();
    if (in_doubt_ != Doubt::kNone) in_doubt_ = Doubt::kPast;
    unkept_ = std::move(checkpoint);
    open_ = unkept_->at.open();
    unkept_branches_.clear();
    Status kept = co_await put_unkept();
    co_return kept;
  }

  // put_branch says what has come of one branch of the last step: what `branch` returns when it is
  // this one's turn, for notes may come before it.
  Task<Status> put_branch(std::function<Branch<State>()> branch) {
    const Turns::Turn mine = co_await turns_.take();
    Branch<State> now = branch();
    if (in_doubt_ == Doubt::kBranch) in_doubt_ = Doubt::kPast;
    std::erase_if(unkept_branches_,
                  [&](const Branch<State>& other) { return other.key == now.key; });
    std::erase_if(open_, [&](const Question& asked) { return branch_of(asked.key) == now.key; });
    for (const Question& question : now.questions) {
      if (now.answer_to(question.key) == nullptr) open_.push_back(question);
    }
    unkept_branches_.push_back(std::move(now));
    Status kept = co_await put_unkept();
    co_return kept;
  }

  // latest returns what is kept, for whoever takes up the run from there: what could not be put
  // before is forgotten.
  Task<Result<std::optional<Kept>>> latest() {
    const Turns::Turn mine = co_await turns_.take();
    Result<std::optional<Kept>> kept = co_await read();
    co_return kept;
  }

  // answer keeps what a person says to the question `key` that is open in the latest checkpoint.
  // Whoever goes on with the run then has the answer. kInvalidInput: there is no such question, or
  // it was answered before. kConflict: somebody else has written since this Thread has read.
  Task<Status> answer(std::string key, Json said) {
    const Turns::Turn mine = co_await turns_.take();
    Status put = co_await put_unkept();
    if (!put.ok()) co_return put;
    if (version_ == 0) {
      Result<std::optional<Kept>> kept = co_await read();
      if (!kept.ok()) co_return kept.error();
    }
    if (std::ranges::find(open_, key, &Question::key) == open_.end()) {
      co_return Error{ErrorCode::kInvalidInput,
                      "thread '" + id_ + "' has no open question '" + key + "'"};
    }
    Note note{key, std::move(said), true};
    Status noted = co_await write_note(std::move(note));
    if (noted.ok()) std::erase_if(open_, [&](const Question& asked) { return asked.key == key; });
    co_return noted;
  }

  // fork goes back to the step `step` of the thread `from`, this one or another: it becomes the
  // latest step of this thread. Its branches begin anew, and what comes after it is done again,
  // effects included. kInvalidInput: the step is not kept.
  Task<Result<Kept>> fork(std::string from, std::int64_t step) {
    const Turns::Turn mine = co_await turns_.take();
    Result<std::optional<Kept>> now = co_await read();
    if (!now.ok()) co_return now.error();
    Result<std::optional<Kept>> found = co_await keeper_.at(from, step);
    if (!found.ok()) co_return found.error();
    if (!found.value()) {
      co_return Error{ErrorCode::kInvalidInput,
                      "thread '" + from + "' has no step " + std::to_string(step)};
    }
    unkept_ = begun_anew(std::move(*found.value()));
    unkept_->origin = Origin::kFork;
    unkept_->parent = step;
    unkept_->parent_thread = from == id_ ? std::string() : from;
    open_.clear();
    Kept forked = *unkept_;
    Status put = co_await put_unkept();
    if (!put.ok()) co_return put.error();
    forked.step = *step_;
    forked.version = {version_, writer_};
    co_return forked;
  }

  // implements Notebook ---
  Task<Status> add_note(Note note) override {
    const Turns::Turn mine = co_await turns_.take();
    Status kept = co_await put_unkept();
    if (!kept.ok()) co_return kept;
    Status noted = co_await write_note(std::move(note));
    co_return noted;
  }

 private:
  // Doubt is about the last write, whether it was done: of the step or the first branch that are
  // not known to be kept, or of something that is past.
  enum class Doubt { kNone, kStep, kBranch, kPast };

  Turn turn() const { return {id_, version_, writer_}; }

  Task<Result<std::optional<Kept>>> read() {
    Result<std::optional<Kept>> kept = co_await keeper_.latest(id_);
    if (!kept.ok()) co_return kept;
    unkept_.reset();
    unkept_branches_.clear();
    in_doubt_ = Doubt::kNone;
    version_ = kept.value() ? kept.value()->version.number : 0;
    open_ = kept.value() ? kept.value()->at.open() : std::vector<Question>();
    step_ = kept.value() ? std::optional(kept.value()->step) : std::nullopt;
    co_return kept;
  }

  Task<Status> write_note(Note note) {
    in_doubt_ = Doubt::kPast;
    Status noted = co_await keeper_.add_note(turn(), std::move(note));
    learn(noted);
    co_return noted;
  }

  void learn(const Status& written) {
    if (written.ok()) ++version_;
    const bool known = written.ok() || written.error().code == ErrorCode::kConflict ||
                       written.error().code == ErrorCode::kInvalidInput;
    if (known) in_doubt_ = Doubt::kNone;
  }

  // put_unkept puts what could not be put before.
  Task<Status> put_unkept() {
    Status sure = co_await settle();
    if (!sure.ok()) co_return sure;
    if (unkept_) {
      Kept checkpoint = numbered();
      const std::int64_t step = checkpoint.step;
      in_doubt_ = Doubt::kStep;
      Status kept = co_await keeper_.put(turn(), std::move(checkpoint));
      learn(kept);
      if (!kept.ok()) co_return kept;
      step_ = step;
      unkept_.reset();
    }
    while (!unkept_branches_.empty()) {
      Branch<State> branch = unkept_branches_.front();
      in_doubt_ = Doubt::kBranch;
      Status kept = co_await keeper_.put_branch(turn(), std::move(branch));
      learn(kept);
      if (!kept.ok()) co_return kept;
      unkept_branches_.erase(unkept_branches_.begin());
    }
    co_return Done{};
  }

  // numbered returns the step that could not be put before, with what has come of its branches.
  Kept numbered() {
    for (Branch<State>& late : unkept_branches_) {
      const auto place = std::ranges::find(unkept_->at.branches, late.key, &Branch<State>::key);
      if (place != unkept_->at.branches.end()) *place = std::move(late);
    }
    unkept_branches_.clear();
    Kept out = *unkept_;
    out.step = step_ ? *step_ + 1 : 0;
    if (!out.parent) out.parent = step_;
    return out;
  }

  // settle finds out whether the last write was done, when that is not known.
  Task<Status> settle() {
    if (in_doubt_ == Doubt::kNone) co_return Done{};
    Result<std::optional<Kept>> kept = co_await keeper_.latest(id_);
    if (!kept.ok()) co_return kept.error();
    const Version found = kept.value() ? kept.value()->version : Version{};
    const bool done = found == Version{version_ + 1, writer_};
    if (done) {
      ++version_;
      step_ = kept.value()->step;
      if (in_doubt_ == Doubt::kStep) unkept_.reset();
      if (in_doubt_ == Doubt::kBranch) unkept_branches_.erase(unkept_branches_.begin());
    }
    in_doubt_ = Doubt::kNone;
    co_return Done{};
  }

  Checkpointer<State>& keeper_;
  Turns turns_;
  std::string id_;
  std::int64_t writer_;
  std::int64_t version_ = 0;
  std::optional<std::int64_t> step_;  // The latest one that is kept.
  Doubt in_doubt_ = Doubt::kNone;
  std::vector<Question> open_;  // Of the latest step.

  // What may not be in force: the last step, and branches of the last step.
  std::optional<Kept> unkept_;
  std::vector<Branch<State>> unkept_branches_;
};

}  // namespace plumbline::graph
