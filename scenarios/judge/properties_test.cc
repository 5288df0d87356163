#include "scenarios/judge/properties.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"
#include "scenarios/world/weather.h"

namespace plumbline::scenarios {

namespace {

constexpr std::string_view kBeforeInvariants = R"({
  "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "Email the report to finance"},
  "approve": "all",
  "servers": {"mail": {"tools": [{"name": "send_email", "description": "Send an email",
    "effect": {"key": "mail"}}]}},
  "expect": {"status": "ok"},
  "invariants": )";

Result<Scenario> with(const std::string& invariants) {
  return load_scenario(std::string(kBeforeInvariants) + invariants + "}", "s.json");
}

// failure_of runs the scenario with `invariants` and returns the check that failed, if any.
std::string failure_of(const std::string& invariants) {
  const Result<Scenario> scenario = with(invariants);
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  const RunResult result = run_scenario(scenario.value(), {});
  return result.failures.empty() ? "" : result.failures.front().message;
}

TEST(PropertiesTest, OneForCalmWeatherIsNotJudgedInAnyOther) {
  const Result<Scenario> scenario =
      with(R"([{"name": "none", "calm": true, "never": {"event": "effect"}}])");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  EXPECT_EQ(run_scenario(scenario.value(), {}).failures.size(), 1U);
  Weather rough = weather_of(scenario.value());
  Fault fault;
  fault.server = "mail";
  fault.verb = Fault::Verb::kHold;
  fault.at = std::chrono::minutes(10);
  rough.faults.push_back(fault);
  RunOptions options;
  options.weather = &rough;
  EXPECT_TRUE(run_scenario(scenario.value(), options).failures.empty());
}

TEST(PropertiesTest, EachVerbHoldsAndFails) {
  EXPECT_EQ(failure_of(R"([
    {"name": "a", "never": {"event": "garbage"}},
    {"name": "b", "eventually": {"event": "effect", "who": "mail"}},
    {"name": "c", "at_most": {"event": "request_started", "detail": {"method": "tools/*"}},
     "times": 3},
    {"name": "d", "always": {"status": "ok", "selected_capability": {"server": "mail"}}},
    {"name": "e", "eventually": {"event": "effect"},
     "after": {"event": "approval", "detail": {"approved": true}}},
    {"name": "f", "sometimes": {"event": "garbage"}}])"),
            "");
  EXPECT_TRUE(failure_of(R"([{"name": "a", "never": {"event": "effect"}}])")
                  .starts_with("never: there was an effect of mail"));
  EXPECT_TRUE(failure_of(R"([{"name": "a", "eventually": {"event": "garbage"}}])")
                  .starts_with("eventually: it never came"));
  EXPECT_TRUE(failure_of(R"([{"name": "a", "eventually": {"event": "approval"},
                              "after": {"event": "effect"}}])")
                  .starts_with("eventually: it never came"));
  EXPECT_TRUE(failure_of(R"([{"name": "a", "at_most": {"event": "request_started",
                              "detail": {"method": "tools/*"}}, "times": 1}])")
                  .starts_with("at_most: there was a request_started of mail"));
  EXPECT_TRUE(failure_of(R"([{"name": "a", "always": {"status": "failed"}}])")
                  .starts_with("always: final_output is"));
}

TEST(PropertiesTest, ARunTellsWhatItMet) {
  const Result<Scenario> scenario = with(R"([
    {"name": "mailed", "sometimes": {"event": "effect", "who": "ma*"}},
    {"name": "broken", "sometimes": {"event": "garbage"}}])");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  const RunResult result = run_scenario(scenario.value(), {});
  EXPECT_EQ(result.sometimes, std::vector<std::string>{"mailed"});
  EXPECT_TRUE(result.situations[static_cast<std::size_t>(Situation::kEffect)]);
  EXPECT_TRUE(result.situations[static_cast<std::size_t>(Situation::kApproved)]);
  EXPECT_TRUE(result.situations[static_cast<std::size_t>(Situation::kOk)]);
  EXPECT_EQ(result.situations.count(), 3U);
}

TEST(PropertiesTest, AWrongOneIsRefusedWhereItStands) {
  const auto refusal = [](const std::string& invariants) {
    const Result<Scenario> scenario = with(invariants);
    return scenario.ok() ? "" : scenario.error().message;
  };
  EXPECT_NE(refusal(R"([{"name": "a"}])").find("has 0 verbs"), std::string::npos);
  EXPECT_NE(refusal(R"([{"name": "A b", "never": {"event": "effect"}}])").find("small letters"),
            std::string::npos);
  EXPECT_NE(refusal(R"([{"name": "effect", "never": {"event": "effect"}}])").find("situation"),
            std::string::npos);
  EXPECT_NE(refusal(R"([{"name": "a", "never": {"event": "explosion"}}])").find("\"event\""),
            std::string::npos);
  EXPECT_NE(refusal(R"([{"name": "a", "at_most": {"event": "effect"}}])").find("\"times\""),
            std::string::npos);
  EXPECT_NE(refusal(R"({})").find("expected an array"), std::string::npos);
}

}  // namespace

}  // namespace plumbline::scenarios
