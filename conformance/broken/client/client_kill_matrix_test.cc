// Each check of clients bites: the reference client passes them all, and each ClientDeviation of it
// fails the check of its id, for the reason that the record names, and no unrelated one.

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/client/client_world.h"
#include "conformance/broken/kill_matrix_fixture.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/client/scenarios.h"
#include "conformance/oracles/oracle.h"
#include "fakes/sample_size.h"

namespace plumbline::conformance {
namespace {

bool troubles(const CheckResult& row) {
  return row.verdict != Verdict::kPass && row.verdict != Verdict::kSkip;
}

// client_judged judges by every rule, or by `only` those named.
Judgement client_judged(Transport transport, const ClientDeviation* deviation, std::string revision,
                        std::vector<std::string> only = {}) {
  ClientWorld world(transport, deviation);
  ClientJudgeOptions options;
  options.revision = std::move(revision);
  options.selection.only = std::move(only);
  if (deviation != nullptr && !deviation->id.starts_with("hostile.")) {
    // They take long, and have deviations of their own.
    options.selection.skip = {"hostile.huge-message", "hostile.deep-json", "hostile.flood",
                              "hostile.endless-pages"};
  }
  return world.judge(std::move(options));
}

std::string told(const CheckResult& row) {
  std::string text = row.id + ": " + std::string(name_of(row.verdict)) + ": " + row.message;
  for (const Evidence& line : row.evidence) {
    text += "\n    " + line.direction + " " + dump_json(line.message).substr(0, 300);
  }
  return text;
}

class GoodClient : public testing::TestWithParam<std::tuple<Transport, std::string_view>> {};

TEST_P(GoodClient, PassesEverything) {
  const auto [transport, revision] = GetParam();
  const Judgement judgement = client_judged(transport, nullptr, std::string(revision));
  EXPECT_EQ(judgement.unreachable.message, "");
  int passed = 0;
  for (const CheckResult& row : judgement.results) {
    EXPECT_FALSE(troubles(row)) << told(row);
    passed += row.verdict == Verdict::kPass ? 1 : 0;
    if (std::getenv("PLUMBLINE_SHOW_SKIPS") != nullptr && row.verdict == Verdict::kSkip) {
      ADD_FAILURE() << told(row);
    }
  }
  EXPECT_GT(passed, 20);
}

INSTANTIATE_TEST_SUITE_P(AllRevisions, GoodClient,
                         testing::Combine(testing::Values(Transport::kStdio, Transport::kHttp),
                                          testing::ValuesIn(kRevisions)));

std::set<std::string_view> judged_ids() {
  std::set<std::string_view> ids;
  for (const ClientRule& rule : all_client_rules()) ids.insert(rule.id);
  for (const ClientScenario& scenario : all_client_scenarios()) {
    ids.insert(scenario.ids.begin(), scenario.ids.end());
  }
  return ids;
}

class BrokenClient : public testing::TestWithParam<std::size_t> {};

TEST_P(BrokenClient, FailsItsCheckAndNoUnrelatedOne) {
  const ClientDeviation& deviation = all_client_deviations()[GetParam()];
  const Judgement judgement =
      client_judged(deviation.transport, &deviation, std::string(deviation.revision));
  EXPECT_EQ(judgement.unreachable.message, "");
  bool caught = false;
  for (const CheckResult& row : judgement.results) {
    if (row.id == deviation.id) {
      caught = row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn;
      EXPECT_TRUE(caught) << deviation.what << "\n" << told(row);
      if (caught) expect_reason(row, deviation.what);
    } else if (std::ranges::find(deviation.also, row.id) == deviation.also.end()) {
      EXPECT_FALSE(troubles(row)) << deviation.what << "\n" << told(row);
    }
  }
  EXPECT_TRUE(caught) << "no row for " << deviation.id;
  expect_told_once(judgement.results, deviation.what);
}

std::string name_of_client(const testing::TestParamInfo<std::size_t>& info) {
  std::string name;
  for (const char c : all_client_deviations()[info.param].id) {
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return name + "_" + std::to_string(info.param);
}

INSTANTIATE_TEST_SUITE_P(All, BrokenClient,
                         testing::Range(std::size_t{0}, all_client_deviations().size(),
                                        std::size_t{kEachNth}),
                         name_of_client);

TEST(ClientChecks, EachHasADeviation) {
  std::set<std::string_view> caught;
  for (const ClientDeviation& deviation : all_client_deviations()) caught.insert(deviation.id);
  for (const std::string_view id : judged_ids()) {
    EXPECT_TRUE(caught.contains(id)) << id;
  }
}

std::string client_line(const ClientDeviation& deviation) {
  const Judgement judgement =
      client_judged(deviation.transport, &deviation, std::string(deviation.revision),
                    {std::string(deviation.id)});
  return matrix_line(deviation.id, deviation.what, deviation.revision, name_of(deviation.transport),
                     verdict_in(judgement.results, deviation.id));
}

TEST(ClientChecks, TheKillMatrixIsTheOneInTheDocs) {
#ifdef PLUMBLINE_SANITIZED
  GTEST_SKIP() << "the same is proved check by check";
#endif
  std::vector<std::string> clients;
  for (const ClientDeviation& deviation : all_client_deviations()) {
    clients.push_back(client_line(deviation));
  }
  expect_in_docs("kill-matrix-clients.md",
                 "# The kill matrix of clients\n\n"
                 "As [that of servers and gateways](kill-matrix.md): clients that are right but "
                 "for one thing.\n" +
                     section("Clients", std::move(clients)));
}

TEST(ClientChecks, EachIsARuleOfTheCatalogueThatBindsClients) {
  for (const std::string_view id : judged_ids()) {
    const bool known = std::ranges::any_of(requirements(), [&](const Requirement& rule) {
      return rule.id == id && rule.binds("client");
    });
    EXPECT_TRUE(known) << id;
  }
}

}  // namespace
}  // namespace plumbline::conformance
