#include <string>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/judging/judged_servers.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

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
  JudgedServers judged = judge_servers(options, targets.value(), host);
  report.results = std::move(judged.results);
  report.revision = judged.revision;
  const Duration took = os::wall_clock_since_1970() - begin;
  report.duration_ms = static_cast<double>(took.count()) / 1e6;
  const bool nothing = report.results.empty() && options.common.reports.empty();
  const int status = nothing ? kExitOk : publish(host, options.common, report);
  if (judged.interrupted) return kExitInterrupted;
  if (!judged.complaint.empty()) return host.complain(judged.complaint, kExitUnreachable);
  if (status == kExitOk && !any_verdict(report)) {
    return host.complain("no check applied, so nothing is known", kExitUnreachable);
  }
  return status;
}

}  // namespace plumbline::cli
