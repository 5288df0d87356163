// Every message that our client sends in the whole library fits the published schema of its
// revision. What the scripted servers send need not: some are wrong on purpose.

#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "core/mcp/both_sides/wire_judge_fixture.h"
#include "fakes/sample_size.h"
#include "scenarios/format/library_files.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {
namespace {

// Line is one event of a trace.
struct Line {
  std::string kind;
  std::string who;
  Json detail;
};

std::vector<Line> lines_of(const std::string& trace) {
  std::vector<Line> lines;
  std::istringstream text(trace);
  for (std::string line; std::getline(text, line);) {
    Json event = parse_json(line).value();
    lines.push_back(
        {string_or(event, "kind", ""), string_or(event, "who", ""), std::move(event["detail"])});
  }
  return lines;
}

TEST(WireSchemaTest, WhatWeSendFitsInEveryScenario) {
  int judged = 0;
  for (const Scenario& scenario : sampled_scenarios()) {
    if (!scenario.has_agent()) continue;  // They are there to say what does not fit.
    RunOptions options;
    options.want.trace = true;
    std::map<std::string, mcp::WireJudge> judges;
    for (const Line& line : lines_of(run_scenario(scenario, options).trace)) {
      if (line.kind == "connection") judges.erase(line.who);  // A new conversation.
      mcp::WireJudge& judge = judges[line.who];
      if (line.kind == "message_received") judge.sent(false, line.detail);
      if (line.kind != "message_sent") continue;
      const std::size_t before = judge.problems().size();
      judge.sent(true, line.detail);
      ++judged;
      if (judge.problems().size() > before) {
        ADD_FAILURE() << scenario.id << ": " << judge.problems().back();
      }
    }
  }
  EXPECT_GT(judged, 500 / int{kEachNth});
}

}  // namespace
}  // namespace plumbline::scenarios
