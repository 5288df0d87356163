// ServerJudge runs the checks against one server and gives a row for each.
//
// In each revision there is a survey on a session that polite checks go on to share, then the
// checks, then the oracles over everything that was said. Revisions go side by side, and so do
// checks: `concurrency` at a time in all.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/judge/judgement.h"
#include "conformance/judge/server_round.h"
#include "conformance/judge/session_pool.h"
#include "conformance/peer/subject.h"
#include "core/base/task.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

class ServerJudge {
 public:
  // `subject` must outlive the judge. `checks` are those that may run: all_server_checks().
  ServerJudge(Subject& subject, ServerChecks checks, JudgeOptions options);
  ServerJudge(const ServerJudge&) = delete;
  ServerJudge& operator=(const ServerJudge&) = delete;
  ~ServerJudge();

  // judge returns within bounded time whatever the subject does. It may be dropped at any time.
  Task<void> judge();

  // explore finds out what the tools show in the newest revision that is answered, and judges
  // nothing. found() returns it, as hint_file() has it; null: no revision is answered, so_far()
  // says why.
  Task<void> explore();
  const Json& found() const { return found_; }

  // so_far returns what has come out: everything once judge() has returned.
  Judgement so_far() const;

 private:
  // choose_rounds makes a ServerRound for each revision that is to be judged.
  Task<void> ask(ServerRound& round, Event& answered);
  Task<void> choose_rounds();
  void add_round(std::string revision);
  Task<void> begin_rounds();
  void tell_if_slow(ServerRound& round);
  std::vector<ServerRound*> surveyed() const;

  Subject& subject_;
  ServerChecks checks_;
  JudgeOptions options_;
  Leases leases_;
  Openings openings_;
  std::vector<std::unique_ptr<ServerRound>> rounds_;  // Oldest revision first.
  std::string last_words_;  // Of a process that no revision could be asked of.
  Error unreachable_;
  bool told_slow_ = false;
  Json found_;
};

}  // namespace plumbline::conformance
