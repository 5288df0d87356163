// ServerJudge runs the checks against one server and gives a row for each.
//
// It takes the revisions one after the other: a survey on a session that polite checks go on to
// share, then the checks, several at a time, then the oracles over everything that was said.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/server/check.h"
#include "conformance/server/probe.h"
#include "core/base/task.h"
#include "core/events/report.h"

namespace plumbline::conformance {

enum class Levels { kMust, kShould, kAll };

struct JudgeOptions {
  // "auto": every revision the server answers to, the newest of each era in full, of the others
  // what only they say; "all": every one in full; or one of them.
  std::string revision = "auto";
  Levels levels = Levels::kAll;
  std::vector<std::string> only;  // Ids; empty: all.
  std::vector<std::string> skip;  // Ids.
  int concurrency = 32;           // Checks at a time.
  ProbeOptions probe;
  // reproduce returns the command that runs one check again.
  std::function<std::string(const std::string& id, const std::string& revision)> reproduce;
  // tell gets one line when something begins or ends; may be empty.
  std::function<void(const std::string& line)> tell;
};

// Judgement is what came out.
struct Judgement {
  std::vector<CheckResult> results;
  std::vector<std::string> revisions;  // The subject answered to, oldest first.
  std::string unreachable;             // Why no verdict was possible at all; empty: there are some.
};

class ServerJudge {
 public:
  // `subject` must outlive the judge. `checks` are those that may run: all_server_checks().
  ServerJudge(Subject& subject, ServerChecks checks, JudgeOptions options);
  ~ServerJudge();

  // judge returns within bounded time whatever the subject does. It may be dropped at any time.
  Task<void> judge();

  // so_far returns what has come out: everything once judge() has returned.
  Judgement so_far() const;

 private:
  class Round;

  Task<void> judge_revision(std::string revision, bool whole);
  // ask opens a session in `revision` and keeps it when the subject agrees.
  Task<void> ask(std::string revision);

  Subject& subject_;
  ServerChecks checks_;
  JudgeOptions options_;
  Judgement judgement_;
  Round* round_ = nullptr;                                  // The one that runs.
  std::string failure_;                                     // Of the last opening that went wrong.
  std::map<std::string, std::unique_ptr<Session>> opened_;  // By revision, not yet used.
};

}  // namespace plumbline::conformance
