// Exercises makes exercises: each when it is first wanted, on sessions that nobody else uses.

#pragma once

#include <map>

#include "conformance/checks/server/exercise.h"
#include "conformance/peer/sessions.h"
#include "conformance/wire/measured.h"
#include "core/base/task_group.h"

namespace plumbline::conformance {

class ExerciseRun;
class LearnedValues;

class Exercises {
 public:
  // Everything given must outlive the exercises.
  Exercises(Subject& subject, const Survey& survey, const ProbeOptions& options, Sessions& sessions)
      : subject_(subject),
        survey_(survey),
        options_(options),
        sessions_(sessions),
        measured_(subject.log().budget()) {}
  Exercises(const Exercises&) = delete;
  Exercises& operator=(const Exercises&) = delete;

  // start begins with the exercise of kAll: of() will want it.
  void start() { begin(Declared::kAll); }

  // of returns what the server shows to a client that declares this. With less than kAll only what
  // asked something under kAll is called. Whatever the server does, it takes bounded time: what is
  // not done by then is left out.
  Task<const Exercise*> of(Declared declared);

  // unsure says why not everything was called that may be; empty: it was, as far as there was time.
  std::string unsure() const { return measured_.unsure(); }

  // waiting returns how many wait in of() for what another caller has begun.
  int waiting() const;

 private:
  struct Entry {
    ExercisePlan plan;
    int callers = 0;  // Waiting.
    bool begun = false;
    bool done = false;
  };

  // Waiting counts one caller of of(), until it goes on or is dropped.
  class Waiting;

  void begin(Declared declared);
  Task<void> make(Declared declared);
  Task<Done> make_all();
  Task<Done> make_less(Declared declared);
  Task<void> call_early(ExercisePlan& plan, Declared declared);
  Task<void> call_all(ExercisePlan& plan, Declared declared);
  Instant lane_at(const ExerciseRun& last, Instant busy) const;
  Task<void> call_what_was_learned(ExercisePlan& plan, Declared declared);
  void add_prompts(ExercisePlan& plan, const LearnedValues& values) const;
  Task<void> call(ExerciseRun& run, int& at_work);
  bool is_hinted(Shows change) const;
  Task<void> confirm_changes(ExercisePlan& plan, Declared declared);

  Subject& subject_;
  const Survey& survey_;
  const ProbeOptions& options_;
  Sessions& sessions_;
  Measured measured_;  // What calls are made of.
  std::map<Declared, Entry> entries_;
  TaskGroup tasks_;  // Last: what runs there uses the rest.
};

}  // namespace plumbline::conformance
