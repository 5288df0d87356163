// ExerciseRun makes calls of one exercise, one after the other, on a session that nobody else uses.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/server/exercise.h"
#include "conformance/checks/server/listening.h"
#include "conformance/peer/sessions.h"

namespace plumbline::conformance {

class ExerciseRun {
 public:
  // Several runs share `plan`, which must outlive them as everything else. `number` is that of the
  // session among theirs; `budget` is for what is made of the schemas of tools that it offers us.
  ExerciseRun(Subject& subject, Sessions& sessions, const Survey& survey, Budget& budget,
              Declared declared, ExercisePlan& plan, std::size_t number)
      : subject_(subject),
        sessions_(sessions),
        survey_(survey),
        budget_(budget),
        declared_(declared),
        plan_(plan),
        number_(number) {}
  ExerciseRun(const ExerciseRun&) = delete;
  ExerciseRun& operator=(const ExerciseRun&) = delete;

  // run returns when nothing is left to call, or it has taken its time.
  Task<void> run();

  // opened returns whether there is a session, or none to be had.
  bool opened() const { return opened_; }

 private:
  Json watched() const;
  Json filter() const;
  Task<std::unique_ptr<Session>> open();
  void note_offered();
  Task<void> greet();
  Task<void> call_what_is_left();
  Task<void> listen();
  Task<void> stop_listening();
  Json with_wishes(Json message);
  Task<void> make(Call call);
  void note_inputs(Call& call);
  void note_what_it_shows(Call& call) const;
  void note_change(const Json& message, Call& call) const;
  void read_frames();
  Evidence now(const char* direction, const Json& message) const;

  Subject& subject_;
  Sessions& sessions_;
  const Survey& survey_;
  Budget& budget_;
  Declared declared_;
  ExercisePlan& plan_;
  std::size_t number_;
  std::unique_ptr<Session> session_;
  bool opened_ = false;
  std::vector<std::string> subscribed_;  // URIs.
  std::optional<Listening> listening_;   // In a stateless revision.
  std::size_t frames_read_ = 0;
  Json token_;  // For progress of the call that is made.
  std::vector<std::string> asked_now_;
  std::vector<Json> told_now_;
  bool repeats_keys_ = false;
};

}  // namespace plumbline::conformance
