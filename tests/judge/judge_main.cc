// The judge by itself: a program of the rules, the wire, the peers and the reports, and of nothing
// that agents, services, stores and models are made of. Judges the server that a command starts:
//
//   plumbline-judge COMMAND ARGS...    prints the report as JSON; exit status 1: a rule is broken

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "conformance/judge/server.h"
#include "core/json/redactor.h"
#include "core/os/child/real_spawner.h"
#include "core/os/net/real_network.h"
#include "core/os/random.h"
#include "core/os/real_loop.h"
#include "reports/writer.h"

namespace plumbline {
namespace {

constexpr Duration kAnswerMax = std::chrono::seconds(10);

int judge(std::vector<std::string> command) {
  os::RealLoop loop;
  os::RealSpawner spawner(loop);
  os::RealNetwork network(loop);
  const Redactor redactor;
  conformance::WireLog log(redactor, loop.now());
  conformance::SubjectSpec spec;
  spec.command.argv = std::move(command);
  conformance::Subject subject(loop, spawner, network, os::random_bytes, log, std::move(spec),
                               kAnswerMax);
  conformance::ServerJudge server(subject, conformance::all_server_checks(), {});
  os::run(loop, server.judge());
  conformance::Judgement judgement = server.so_far();
  if (!judgement.unreachable.message.empty()) {
    std::fprintf(stderr, "plumbline-judge: %s\n", judgement.unreachable.message.c_str());
    return 3;
  }
  Report report;
  report.command = "check server";
  report.results = std::move(judgement.results);
  std::fputs(reports::write_json(report).c_str(), stdout);
  return summarize(report).fail == 0 ? 0 : 1;
}

}  // namespace
}  // namespace plumbline

int main(int count, char** words) {
  if (count > 1) return plumbline::judge(std::vector<std::string>(words + 1, words + count));
  std::fputs("usage: plumbline-judge COMMAND ARGS...\n", stderr);
  return 2;
}
