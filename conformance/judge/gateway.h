// GatewayJudge runs the checks of a gateway between the judge's own server and its own clients.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/introduced.h"
#include "conformance/catalogue/selection.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/judge/rows.h"
#include "core/base/task.h"
#include "core/events/report.h"

namespace plumbline::conformance {

struct GatewayJudgeOptions {
  std::string revision = "auto";  // Or one of them.
  Selection selection;
  GatewayManner manner;  // What the gateway does on purpose.
  Reproduce reproduce;
};

class GatewayJudge {
 public:
  // `subject` is the gateway as clients reach it, `mirror` stands behind it; both must outlive the
  // judge.
  GatewayJudge(Subject& subject, MirrorServer& mirror, GatewayJudgeOptions options)
      : subject_(subject), mirror_(mirror), options_(std::move(options)) {}

  // judge runs the checks, in the newest revision of each era that goes through or in the one that
  // is asked for. It may be dropped at any time; results() then has what is done.
  Task<void> judge();

  const std::vector<CheckResult>& results() const { return results_; }

  // introduced returns what the gateway calls itself, to its clients or else to the server; empty:
  // it says what they say. revisions returns those in which calls went through.
  const Introduced& introduced() const { return introduced_; }
  const std::vector<std::string>& revisions() const { return revisions_; }

  // unreachable says why no check could run, empty when some did.
  const std::string& unreachable() const { return unreachable_; }

 private:
  Task<bool> judge_in(std::string revision);
  Task<bool> goes_through(Exchanges* exchanges, std::string revision);
  void note_introduction(const Reply& opening);
  void say_nothing_reached(const std::string& revision, std::string_view id, std::string why);
  Task<bool> answers(Exchanges* exchanges, std::string revision);
  static void say_mute(CheckResult* row);
  Task<void> judge_revision(Exchanges* exchanges, std::string revision);
  Task<Finding> run_check(const GatewayCheck* check, Exchanges* exchanges, std::string revision,
                          std::uint32_t number);
  std::vector<Evidence> evidence_of(std::uint32_t number,
                                    const std::vector<std::size_t>& about) const;

  Subject& subject_;
  MirrorServer& mirror_;
  GatewayJudgeOptions options_;
  std::vector<Evidence> behind_;  // What the check at work has seen at the mirror.
  std::vector<CheckResult> results_;
  Introduced introduced_;
  std::vector<std::string> revisions_;
  std::string unreachable_;
  bool refused_opening_ = false;  // By an error, the last time.
};

}  // namespace plumbline::conformance
