// Lifeline tells a function on the stack whether something that it called destroyed its object.
//
// Whoever hands out callbacks must expect one of them to end in the destructor of the object that
// is calling: a coroutine resumed inline may finish and take its connection with it.
//
//   const Lifeline::Guard guard(lifeline_);
//   receiver.on_message(...);
//   if (!guard.alive()) return;

#pragma once

namespace plumbline {

class Lifeline {
 public:
  class Guard;

  Lifeline() = default;
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;
  ~Lifeline();

 private:
  Guard* innermost_ = nullptr;
};

// Guard lives on the stack, in a function of the object that owns `line`.
class Lifeline::Guard {
 public:
  explicit Guard(Lifeline& line) : line_(line), outer_(line.innermost_) { line.innermost_ = this; }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() {
    if (alive_) line_.innermost_ = outer_;
  }

  // alive returns whether the object still exists. When it does not, return at once.
  bool alive() const { return alive_; }

 private:
  friend class Lifeline;

  Lifeline& line_;
  Guard* outer_;
  bool alive_ = true;
};

inline Lifeline::~Lifeline() {
  for (Guard* guard = innermost_; guard != nullptr; guard = guard->outer_) guard->alive_ = false;
}

}  // namespace plumbline
