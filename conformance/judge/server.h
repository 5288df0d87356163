// ServerJudge runs the checks against one server and gives a row for each.
//
// In each revision there is a survey on a session that polite checks go on to share, then the
// checks, then the oracles over everything that was said. Revisions go side by side, and so do
// checks: `concurrency` at a time in all.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/selection.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"
#include "core/base/task.h"
#include "core/events/report.h"

namespace plumbline::conformance {

struct JudgeOptions {
  // "auto": every revision the server answers to, the newest of each era in full, of the others
  // what only they say; "all": every one in full; or one of them.
  std::string revision = "auto";
  Selection selection;
  int concurrency = 32;  // Checks at a time.
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

  // choose_rounds makes a Round for each revision that is to be judged.
  Task<void> choose_rounds();
  void fill_queue();
  // idle returns how many checks more may be at work.
  int idle() const;
  Task<void> judge_rows();

  Subject& subject_;
  ServerChecks checks_;
  JudgeOptions options_;
  std::vector<std::unique_ptr<Round>> rounds_;  // Oldest revision first.
  std::string unreachable_;
  // What is left to be judged, in this order: a round and the place of a row in it.
  std::vector<std::pair<Round*, std::size_t>> queue_;
  int leased_ = 0;  // Sessions that one check has to itself.
};

}  // namespace plumbline::conformance
