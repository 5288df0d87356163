#include <chrono>
#include <string>
#include <utility>

#include "cli/check_targets.h"
#include "cli/commands.h"
#include "cli/version.h"
#include "conformance/server/judge.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "core/os/real_loop.h"
#include "core/os/real_network.h"
#include "core/os/real_spawner.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

using conformance::Judgement;
using conformance::Levels;
using conformance::Transport;

constexpr Duration kAnswerMax = std::chrono::seconds(10);

Levels levels_of(const std::string& level) {
  if (level == "must") return Levels::kMust;
  return level == "should" ? Levels::kShould : Levels::kAll;
}

// ServerCheckRun judges one target after the other, in one world.
class ServerCheckRun {
 public:
  ServerCheckRun(const CheckServerOptions& options, const CheckTargets& targets, Host& host)
      : options_(options), targets_(targets), host_(host) {}

  // run appends its rows to `report` and returns whether the user interrupted it.
  bool run(Report& report) {
    const os::Interrupt interrupt(loop_, [this](int) { interrupted_ = true; });
    for (const CheckTarget& target : targets_.targets) {
      if (interrupted_) break;
      judge(target, report);
    }
    return interrupted_;
  }

  // complaint says which targets could not be judged; empty: all were.
  const std::string& complaint() const { return complaint_; }

 private:
  void judge(const CheckTarget& target, Report& report) {
    conformance::WireLog log(targets_.redactor, loop_.now());
    const Duration patience =
        options_.common.timeout == Duration{} ? kAnswerMax : options_.common.timeout;
    conformance::Subject subject(loop_, spawner_, network_, os::random_bytes, log, target.subject,
                                 patience);
    if (target.finds_out) finish(subject.find_transport());
    conformance::ServerJudge judge(subject, conformance::all_server_checks(),
                                   judge_options(target));
    Task<void> work = judge.judge();
    finish(std::move(work));
    Judgement judgement = judge.so_far();
    if (!judgement.unreachable.empty()) {
      complaint_ += (complaint_.empty() ? "" : "; ") +
                    (target.name.empty() ? "the server" : target.name) + ": " +
                    judgement.unreachable;
    }
    for (CheckResult& row : judgement.results) {
      row.server = target.name;
      report.results.push_back(std::move(row));
    }
    if (judgement.revisions.size() == 1) report.revision = judgement.revisions.front();
  }

  // finish drives `work` until it is done or the user wants no more.
  void finish(Task<void> work) {
    work.start();
    loop_.run_until([&] { return work.done() || interrupted_; });
  }

  conformance::JudgeOptions judge_options(const CheckTarget& target) {
    conformance::JudgeOptions judging;
    judging.revision = options_.selection.revision;
    judging.levels = levels_of(options_.selection.level);
    judging.only = options_.selection.only;
    judging.skip = options_.selection.skip;
    judging.concurrency = options_.selection.concurrency;
    judging.probe.allow_writes = options_.allow_writes;
    judging.reproduce = [this, &target](const std::string& id, const std::string& revision) {
      return "plumbline check server --only " + id + " --revision " + revision +
             (options_.allow_writes ? " --allow-writes " : " ") + target.shown;
    };
    if (host_.wants_progress(options_.common)) {
      judging.tell = [this, &target](const std::string& line) {
        host_.tell((target.name.empty() ? "" : target.name + ": ") + line + "\n");
      };
    }
    return judging;
  }

  const CheckServerOptions& options_;
  const CheckTargets& targets_;
  Host& host_;
  os::RealLoop loop_;
  os::RealSpawner spawner_{loop_};
  os::RealNetwork network_{loop_};
  bool interrupted_ = false;
  std::string complaint_;
};

Json shown_targets(const CheckTargets& targets) {
  Json shown(Json::value_t::object);
  Json& list = shown["servers"] = Json::array();
  for (const CheckTarget& target : targets.targets) {
    Json one(Json::value_t::object);
    if (!target.name.empty()) one["name"] = target.name;
    one["target"] = target.shown;
    list.push_back(std::move(one));
  }
  return shown;
}

// any_verdict returns whether a single check could tell anything.
bool any_verdict(const Report& report) {
  const Summary summary = summarize(report);
  return summary.pass + summary.fail + summary.warn > 0;
}

}  // namespace

int run_check_server(const CheckServerOptions& options, Host& host) {
  const Result<CheckTargets> targets = read_targets(options.target, host);
  if (!targets.ok()) return host.complain(targets.error().message, kExitUsage);
  const Duration begin = os::wall_clock_since_1970();
  Report report;
  report.version = kVersion;
  report.command = "check server";
  report.target = shown_targets(targets.value());
  if (!options.target.config.empty()) report.target["config"] = options.target.config;
  report.started = os::wall_clock_rfc3339();
  ServerCheckRun run(options, targets.value(), host);
  const bool interrupted = run.run(report);
  const Duration took = os::wall_clock_since_1970() - begin;
  report.duration_ms = static_cast<double>(took.count()) / 1e6;
  const bool nothing = report.results.empty() && options.common.reports.empty();
  const int status = nothing ? kExitOk : publish(host, options.common, report);
  if (interrupted) return kExitInterrupted;
  if (!run.complaint().empty()) return host.complain(run.complaint(), kExitUnreachable);
  if (status == kExitOk && !any_verdict(report)) {
    return host.complain("no check applied, so nothing is known", kExitUnreachable);
  }
  return status;
}

}  // namespace plumbline::cli
