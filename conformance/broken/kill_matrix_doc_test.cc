// docs/kill-matrix.md is what the wrong peers come to, check by check. With PLUMBLINE_UPDATE_DOCS
// set, the test writes the file instead of comparing it.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/gateway_world.h"
#include "conformance/coverage.h"
#include "conformance/invariants/oracle.h"

namespace plumbline::conformance {
namespace {

const std::string kMatrixPath = SOURCE_ROOT "/docs/kill-matrix.md";

// verdict_in returns what the rows say under `id`, the worst of them.
std::string verdict_in(const std::vector<CheckResult>& rows, std::string_view id) {
  std::string found = "no row";
  for (const CheckResult& row : rows) {
    if (row.id != id || found == "fail") continue;
    found = std::string(name_of(row.verdict));
  }
  return found;
}

std::string matrix_line(std::string_view id, std::string_view what, std::string_view revision,
                        std::string_view over, const std::string& verdict) {
  std::ostringstream line;
  line << "| " << id << " | " << what << " | " << revision << ", " << over << " | " << verdict
       << " |\n";
  return line.str();
}

std::string server_line(const Deviation& deviation) {
  DeviantWorld world(deviation.transport, &deviation);
  JudgeOptions options;
  options.revision = std::string(deviation.revision);
  // An oracle reads what all the checks have said; a check can be asked alone.
  const bool oracle =
      std::ranges::find(all_oracles(), deviation.id, &Oracle::id) != all_oracles().end();
  if (!oracle) options.only = {std::string(deviation.id)};
  options.probe.allow_writes = true;
  const Judgement judgement = world.judge(std::move(options));
  return matrix_line(deviation.id, deviation.what, deviation.revision, name_of(deviation.transport),
                     verdict_in(judgement.results, deviation.id));
}

std::string gateway_line(const Deviation& deviation) {
  return matrix_line(deviation.id, deviation.what, deviation.revision, "http",
                     verdict_in(GatewayWorld(&deviation).judge(), deviation.id));
}

std::string section(const std::string& title, std::vector<std::string> lines) {
  std::ranges::sort(lines);
  std::string text = "\n## " + title + "\n\n| check | the wrong peer | judged in | verdict |\n";
  text += "|---|---|---|---|\n";
  for (const std::string& line : lines) text += line;
  return text;
}

std::string coverage_table() {
  std::string text = "| | 2024-11-05 | 2025-03-26 | 2025-06-18 | 2025-11-25 | 2026-07-28 |\n";
  text += "|---|---|---|---|---|---|\n";
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
         "right peer passes everything.\n\n"
         "Rules that the wire can show, and how many are judged (authorization aside):\n\n" +
         coverage_table() + section("Servers", std::move(servers)) +
         section("Gateways", std::move(gateways));
}

TEST(KillMatrix, IsTheOneInTheDocs) {
#ifdef PLUMBLINE_SANITIZED
  GTEST_SKIP() << "the same is proved check by check";
#endif
  const std::string matrix = kill_matrix();
  if (std::getenv("PLUMBLINE_UPDATE_DOCS") != nullptr) {
    std::ofstream(kMatrixPath, std::ios::binary) << matrix;
  }
  std::ostringstream kept;
  kept << std::ifstream(kMatrixPath, std::ios::binary).rdbuf();
  EXPECT_TRUE(kept.str() == matrix)
      << "docs/kill-matrix.md is not what the peers come to; PLUMBLINE_UPDATE_DOCS=1 writes it";
  for (const char* const miss : {"| pass |", "| skip |", "| inconclusive |", "| no row |"}) {
    EXPECT_EQ(matrix.find(miss), std::string::npos) << "a wrong peer gets away with " << miss;
  }
}

}  // namespace
}  // namespace plumbline::conformance
