// docs/kill-matrix.md is what the wrong servers and gateways come to.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/gateway_world.h"
#include "conformance/broken/kill_matrix_fixture.h"
#include "conformance/judge/coverage.h"
#include "conformance/oracles/oracle.h"

namespace plumbline::conformance {
namespace {

std::string server_line(const Deviation& deviation) {
  DeviantWorld world(deviation.transport, &deviation);
  JudgeOptions options;
  options.revision = std::string(deviation.revision);
  // An oracle reads what all the checks have said; a check can be asked alone.
  const bool oracle =
      std::ranges::find(all_oracles(), deviation.id, &Oracle::id) != all_oracles().end();
  if (!oracle) options.selection.only = {std::string(deviation.id)};
  options.probe.allow_writes = true;
  const Judgement judgement = world.judge(std::move(options));
  return matrix_line(deviation.id, deviation.what, deviation.revision, name_of(deviation.transport),
                     verdict_in(judgement.results, deviation.id));
}

std::string gateway_line(const Deviation& deviation) {
  return matrix_line(deviation.id, deviation.what, deviation.revision, "http",
                     verdict_in(GatewayWorld(&deviation).judge(), deviation.id));
}

std::string coverage_table() {
  std::string text = "| |";
  std::string rule = "\n|---|";
  for (const std::string_view revision : kRevisions) {
    text += " " + std::string(revision) + " |";
    rule += "---|";
  }
  text += rule + "\n";
  for (const std::string_view who : {"server", "client"}) {
    for (const bool should : {false, true}) {
      text += "| " + std::string(who) + (should ? ", SHOULD" : ", MUST") + " |";
      for (const std::string_view revision : kRevisions) {
        const Coverage part = coverage_of(who, revision, should);
        text += " " + std::to_string(part.judged) + " of " + std::to_string(part.rules) + " |";
      }
      text += "\n";
    }
  }
  return text;
}

std::string kill_matrix() {
  std::vector<std::string> servers;
  for (const Deviation& deviation : all_deviations()) servers.push_back(server_line(deviation));
  std::vector<std::string> gateways;
  for (const Deviation& deviation : gateway_deviations()) {
    gateways.push_back(gateway_line(deviation));
  }
  return "# The kill matrix\n\n"
         "Each line is a peer that is right but for one thing, and what the check of that thing "
         "says to it. The tests\nprove besides that no unrelated check complains, and that the "
         "right peer passes everything. [Clients](kill-matrix-clients.md) have a page of their own."
         "\n\n"
         "Rules that a side could be seen to break, and how many are judged:\n\n" +
         coverage_table() + section("Servers", std::move(servers)) +
         section("Gateways", std::move(gateways));
}

TEST(KillMatrix, IsTheOneInTheDocs) {
#ifdef PLUMBLINE_SANITIZED
  GTEST_SKIP() << "the same is proved check by check";
#endif
  expect_in_docs("kill-matrix.md", kill_matrix());
}

}  // namespace
}  // namespace plumbline::conformance
