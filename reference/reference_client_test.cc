#include "reference/reference_client.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/mcp/both_sides/wire_judge_fixture.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/value_channel.h"
#include "reference/contents.h"
#include "reference/reference_server.h"

namespace plumbline::reference {
namespace {

using mcp::Revision;

// A visit to our own server, in the revision that is the parameter.
class ReferenceClientTest : public testing::TestWithParam<Revision> {
 protected:
  std::optional<mcp::Failure> visit(mcp::Server& server, VisitOptions options = {}) {
    auto pair = fakes::make_value_channel(loop_, {}, Rng(1));
    server.accept(std::move(pair.far));
    mcp::JudgingSink wire;
    mcp::ClientSession session(loop_, *pair.near, obliging_client(GetParam()), "client", &wire);
    ReferenceClient client(loop_, session, std::move(options),
                           [this](const std::string& line) { lines_.push_back(line); });
    Task<std::optional<mcp::Failure>> visiting = client.visit();
    EXPECT_TRUE(loop_.run_task(visiting).ok());
    for (const std::string& problem : wire.judge.problems()) {
      // The published schemas take whole numbers only for the answer to a form that may ask for
      // any.
      if (problem.find("95.5") == std::string::npos) ADD_FAILURE() << problem;
    }
    return visiting.result();
  }

  // ended returns the lines that do not end in `how`.
  std::vector<std::string> not_ended(const std::string& how) const {
    std::vector<std::string> others;
    std::ranges::copy_if(lines_, std::back_inserter(others),
                         [&how](const std::string& line) { return !line.ends_with(how); });
    return others;
  }

  fakes::SimLoop loop_;
  std::vector<std::string> lines_;
};

INSTANTIATE_TEST_SUITE_P(EveryRevision, ReferenceClientTest,
                         testing::Values(Revision::k2024_11_05, Revision::k2025_03_26,
                                         Revision::k2025_06_18, Revision::k2025_11_25,
                                         Revision::k2026_07_28));

// What fails is what has to: tools that always do, those that want to be tasks, one whose schema
// asks for more than samples know, and elicitation before there was any.
TEST_P(ReferenceClientTest, AVisitUsesEverythingThatOurOwnServerOffers) {
  ReferenceServer reference(loop_, "sixteen bytes or more", nullptr);
  EXPECT_EQ(visit(reference.server()), std::nullopt);
  EXPECT_GT(lines_.size(), 35U);
  EXPECT_EQ(lines_.front(), "opened plumbline-reference 0.1, " + std::string(name_of(GetParam())));
  for (const std::string& line : not_ended(": done")) {
    const bool elicits = line.find("elicitation") != std::string::npos ||
                         line.find("input_required") != std::string::npos ||
                         line.find("confirm_delete") != std::string::npos ||
                         line.find("multi_input") != std::string::npos;
    const bool may_fail = line.starts_with("opened ") ||
                          line.starts_with("tools/call test_error_handling: ") ||
                          line.starts_with("tools/call failing_job: ") ||
                          line.starts_with("tools/call protocol_error_job: ") ||
                          line.starts_with("tools/call test_tool_with_task: ") ||
                          line.starts_with("tools/call json_schema_2020_12_tool: ") ||
                          (elicits && !has_elicitation(GetParam()));
    EXPECT_TRUE(may_fail) << line;
  }
}

TEST_P(ReferenceClientTest, CallsThatAreAskedForTakeThePlaceOfThoseMadeUp) {
  ReferenceServer reference(loop_, "sixteen bytes or more", nullptr);
  VisitOptions options;
  options.calls = {document(R"({"name": "greet", "arguments": {"name": "Ada"}})"),
                   document(R"({"name": "greet"})")};
  EXPECT_EQ(visit(reference.server(), std::move(options)), std::nullopt);
  EXPECT_EQ(std::ranges::count(lines_, "tools/call greet: done"), 1);
  EXPECT_EQ(std::ranges::count_if(
                lines_, [](const std::string& line) { return line.starts_with("tools/call"); }),
            2);
}

TEST_P(ReferenceClientTest, AnEmptyServerHasBeenVisitedToo) {
  mcp::Server empty(loop_, {}, "empty", nullptr);
  EXPECT_EQ(visit(empty), std::nullopt);
  EXPECT_EQ(lines_.size(), 2U);  // It was opened, and there is no list of tools.
}

TEST_P(ReferenceClientTest, AServerOfNoCommonRevisionIsAFailure) {
  mcp::ServerOptions options;
  options.supported = {GetParam() == Revision::k2025_11_25 ? Revision::k2026_07_28
                                                           : Revision::k2025_11_25};
  mcp::Server other(loop_, options, "other", nullptr);
  auto pair = fakes::make_value_channel(loop_, {}, Rng(1));
  other.accept(std::move(pair.far));
  mcp::ClientOptions picky = obliging_client(GetParam());
  picky.supported = {GetParam()};
  mcp::ClientSession session(loop_, *pair.near, std::move(picky), "client", nullptr);
  ReferenceClient client(loop_, session, {}, [](const std::string&) {});
  Task<std::optional<mcp::Failure>> visiting = client.visit();
  EXPECT_TRUE(loop_.run_task(visiting).ok());
  EXPECT_NE(visiting.result(), std::nullopt);
}

// A tool that asks for a schema is given one with all its keywords: see arguments_for().
TEST_P(ReferenceClientTest, AToolThatWantsASchemaGetsARealOne) {
  mcp::ServerOptions options;
  options.tools = {document(R"({"name": "first", "description": "x", "inputSchema":
                       {"type": "object", "$defs": {"a": {"type": "null"}}}})"),
                   document(R"({"name": "echo", "description": "x", "inputSchema":
                       {"type": "object", "properties": {"schema": {"type": "object"}},
                        "required": ["schema"]}})")};
  mcp::Server server(loop_, options, "echo", nullptr);
  Json echoed;
  server.handle("tools/call", "", mcp::at_once([&](const Json& params) -> mcp::Reply<Json> {
                  if (params["name"] == "echo") echoed = params["arguments"]["schema"];
                  return text_result("done");
                }));
  EXPECT_EQ(visit(server), std::nullopt);
  EXPECT_EQ(echoed, options.tools[0]["inputSchema"]);
}

}  // namespace
}  // namespace plumbline::reference
