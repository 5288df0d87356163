// conformance/catalogue/examples.tsv is what the judge says of the wrong peers, one for each rule.
// With PLUMBLINE_UPDATE_DOCS set, the test writes the file instead of comparing it.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/broken/client/client_world.h"
#include "conformance/broken/deviant_world.h"
#include "conformance/broken/gateway_world.h"
#include "conformance/judge/coverage.h"
#include "conformance/oracles/oracle.h"
#include "reports/answers/exchange.h"
#include "reports/text.h"

namespace plumbline::conformance {
namespace {

constexpr std::size_t kShownColumns = 400;
constexpr std::size_t kChangesMax = 6;

std::string shown(std::string_view text) {
  std::string line = reports::one_line(text);
  std::ranges::replace(line, '\t', ' ');
  return line.empty() ? line : reports::clip(line, kShownColumns);
}

// mend_of returns the change that sets right what `row` is about, and behind a tab of which method
// the message is; only a tab: there is none, or it is not a short one.
std::string mend_of(const CheckResult& row, const Altered* altered) {
  const auto judged = std::ranges::find_if(
      row.evidence.rbegin(), row.evidence.rend(),
      [](const Evidence& line) { return line.judged && line.direction == "<-"; });
  if (altered == nullptr || judged == row.evidence.rend()) return "\t";
  const Altered::Mend mend = altered->mend_of(judged->message);
  const std::string text = mend.change.empty() ? "" : dump_json(mend.change);
  if (text.empty() || mend.change.size() > kChangesMax || text.size() > kShownColumns) return "\t";
  return shown(text) + "\t" + shown(mend.of);
}

std::string line_of(const CheckResult& row, std::string_view what, const Altered* altered) {
  const reports::Exchange exchange = reports::exchange_of(row);
  return row.id + "\t" + shown(what) + "\t" + shown(exchange.sent) + "\t" + shown(exchange.got) +
         "\t" + shown(row.message) + "\t" + mend_of(row, altered) + "\n";
}

// Lines are those of the table by their ids; the first of a rule stays.
using Lines = std::map<std::string, std::string, std::less<>>;

void take(Lines& lines, const std::vector<CheckResult>& rows, std::string_view id,
          std::string_view what, const Altered* altered = nullptr) {
  for (const CheckResult& row : rows) {
    if (row.id != id || (row.verdict != Verdict::kFail && row.verdict != Verdict::kWarn)) continue;
    lines.emplace(row.id, line_of(row, what, altered));
    return;
  }
}

void take_servers(Lines& lines) {
  for (const Deviation& deviation : all_deviations()) {
    if (lines.contains(deviation.id)) continue;
    DeviantWorld world(deviation.transport, &deviation);
    JudgeOptions options;
    options.revision = std::string(deviation.revision);
    const bool oracle =
        std::ranges::find(all_oracles(), deviation.id, &Oracle::id) != all_oracles().end();
    if (!oracle) options.selection.only = {std::string(deviation.id)};
    options.probe.allow_writes = true;
    const std::vector<CheckResult> rows = world.judge(std::move(options)).results;
    take(lines, rows, deviation.id, deviation.what, &world.altered());
  }
}

void take_clients(Lines& lines) {
  for (const ClientDeviation& deviation : all_client_deviations()) {
    if (lines.contains(deviation.id)) continue;
    ClientWorld world(deviation.transport, &deviation);
    ClientJudgeOptions options;
    options.revision = std::string(deviation.revision);
    options.selection.only = {std::string(deviation.id)};
    take(lines, world.judge(std::move(options)).results, deviation.id, deviation.what);
  }
}

void take_gateways(Lines& lines) {
  for (const Deviation& deviation : gateway_deviations()) {
    if (lines.contains(deviation.id)) continue;
    take(lines, GatewayWorld(&deviation).judge(), deviation.id, deviation.what);
  }
}

TEST(Examples, AreWhatTheWrongPeersComeTo) {
#ifdef PLUMBLINE_SANITIZED
  GTEST_SKIP() << "the same is proved check by check";
#endif
  Lines lines;
  take_servers(lines);
  take_clients(lines);
  take_gateways(lines);
  std::string table = "id\twhat is wrong with the peer\tsent\tgot\tsaid\tmend\tof\n";
  for (const auto& [id, line] : lines) table += line;
  const std::string path = SOURCE_ROOT "/conformance/catalogue/examples.tsv";
  if (std::getenv("PLUMBLINE_UPDATE_DOCS") != nullptr) {
    std::ofstream(path, std::ios::binary) << table;
  }
  std::ostringstream kept;
  kept << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_TRUE(kept.str() == table)
      << "examples.tsv is not what the peers come to; PLUMBLINE_UPDATE_DOCS=1 writes it";
}

}  // namespace
}  // namespace plumbline::conformance
