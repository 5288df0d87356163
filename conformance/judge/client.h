// ClientJudge runs a client program against one scripted server after the other, several at a time,
// and gives a row for each rule.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conformance/catalogue/selection.h"
#include "conformance/judge/judgement.h"
#include "conformance/judge/rows.h"
#include "conformance/peer/client/run.h"
#include "conformance/peer/client/scenario.h"
#include "core/base/task.h"

namespace plumbline::conformance {

struct ClientJudgeOptions {
  // "auto": the newest stateful revision that the client offers, and the stateless one if it speaks
  // it; "all": every one that it speaks; or one of them.
  std::string revision = "auto";
  Selection selection;
  int concurrency = 2;  // Runs at a time.
  Reproduce reproduce;
  std::function<void(const std::string& line)> tell;
};

class ClientJudge {
 public:
  // `subject` must outlive the judge.
  ClientJudge(ClientSubject& subject, ClientJudgeOptions options);
  ~ClientJudge();

  // judge returns within bounded time whatever the program does. It may be dropped at any time.
  Task<void> judge();

  // so_far returns what has come out: everything once judge() has returned.
  Judgement so_far() const;

 private:
  class Round;

  enum class Came { kJudged, kRefused, kIdle };
  bool goes_on() const { return !flooded_ && !absent_; }
  Task<Came> judge_revision(std::string revision, bool any_revision);

  ClientSubject& subject_;
  ClientJudgeOptions options_;
  Judgement judgement_;           // Of the revisions that are done.
  std::unique_ptr<Round> round_;  // The one at work.
  bool flooded_ = false;          // The program said more than is kept: it is not run again.
  bool absent_ = false;           // It ran, and never came to its server.
  Judgement idle_;                // Of a program that asks for nothing, in the first such revision.
};

}  // namespace plumbline::conformance
