// GatewayJudge runs the checks of a gateway between the judge's own server and its own clients.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/gateway/check.h"
#include "conformance/judge/rows.h"
#include "core/base/task.h"
#include "core/events/report.h"

namespace plumbline::conformance {

class GatewayJudge {
 public:
  // `subject` is the gateway as clients reach it, `mirror` stands behind it; both must outlive the
  // judge.
  GatewayJudge(Subject& subject, MirrorServer& mirror, Reproduce reproduce)
      : subject_(subject), mirror_(mirror), reproduce_(std::move(reproduce)) {}

  // judge runs the checks, in the newest revision of each era that goes through. It may be dropped
  // at any time; results() then has what is done.
  Task<void> judge();

  const std::vector<CheckResult>& results() const { return results_; }

  // unreachable says why no check could run, empty when some did.
  const std::string& unreachable() const { return unreachable_; }

 private:
  Task<void> judge_revision(std::string revision);
  Task<Finding> run_check(const GatewayCheck* check, std::string revision, std::uint32_t number);

  Subject& subject_;
  MirrorServer& mirror_;
  Reproduce reproduce_;
  std::vector<CheckResult> results_;
  std::string unreachable_;
};

}  // namespace plumbline::conformance
