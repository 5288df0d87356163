// Several users ask several agents at once, over the same servers: each is answered and judged for
// themselves, whatever dies, breaks or comes in another order.

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/sweep/explore.h"
#include "scenarios/sweep/fail_each.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {
namespace {

constexpr Transport kWaysOfSeveral[] = {Transport::kBytes, Transport::kValues, Transport::kHttp,
                                        Transport::kSse, Transport::kWebSocket};

// Ann and Bob have an agent each. Both ask for an email; only Ann approves it.
const std::string kOneMailServer = R"("servers": {"mail": {"tools": [
    {"name": "send_email", "description": "Send an email to a recipient", "effect": {},
     "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}},
     "does": [{"delay_ms": 20}, {"reply": {"content": [{"type": "text", "text": "sent"}]}}]}]}},)";
const std::string kAnnAndBob = kOneMailServer + R"("users": {
    "ann": {"request": {"input": "Send an email to finance"}, "approve": ["send_email"],
            "expect": {"status": "ok", "approvals_asked": 1}},
    "bob": {"request": {"input": "Send an email to finance"},
            "expect": {"status": "needs_review", "approvals_asked": 1}}},
  "expect": {"effects": {"mail/send_email": 1}, "requests": {"tools/call": 1}})";

Scenario several_of(const std::string& rest) {
  const Result<Scenario> scenario =
      load_scenario(R"({"plumbline": 1, "id": "s", "title": "T.",)" + rest + '}', "s.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  return scenario.value();
}

RunResult run_several(const Scenario& scenario, Transport transport = Transport::kAny,
                      const Weather* weather = nullptr) {
  RunOptions options;
  options.transport = transport;
  options.weather = weather;
  options.want.trace = true;
  options.want.outcome = true;
  return run_scenario(scenario, options);
}

void expect_nobody_wronged(const RunResult& result) {
  for (const RunFailure& failure : result.failures) {
    ADD_FAILURE() << failure.check << ": " << failure.message << '\n' << result.trace;
  }
}

TEST(SeveralTest, EachIsAnsweredForThemselvesOverEveryTransport) {
  const Scenario scenario = several_of(kAnnAndBob);
  for (const Transport transport : kWaysOfSeveral) {
    const RunResult result = run_several(scenario, transport);
    expect_nobody_wronged(result);
    EXPECT_EQ(result.status, "ok, needs_review");
    EXPECT_EQ(string_or(result.outcome["users"]["bob"], "status", ""), "needs_review");
    EXPECT_NE(result.trace.find("\"who\":\"ann/mail\""), std::string::npos);
    EXPECT_NE(result.trace.find("\"who\":\"bob/mail\""), std::string::npos);
  }
}

TEST(SeveralTest, TheyAreAtWorkAtTheSameTime) {
  std::string text = kAnnAndBob;
  text.replace(text.find(R"("needs_review", "approvals_asked": 1)"), 14, "\"ok\"");
  text.replace(text.find(R"("bob": {)"), 8, R"("bob": {"approve": "all", )");
  text.replace(text.rfind(": 1}, \"req"), 3, ": 2");
  text.replace(text.rfind("\"tools/call\": 1"), 15, "\"tools/call\": 2");
  const RunResult result = run_several(several_of(text));
  expect_nobody_wronged(result);
  // Two calls of 20 ms each, one beside the other.
  EXPECT_LT(result.answered_after, std::chrono::milliseconds(30));
}

TEST(SeveralTest, AnAgentAnswersOneUserAfterTheOther) {
  const Scenario scenario = several_of(kOneMailServer + R"(
    "agents": {"desk": "operations-assistant"},
    "users": {
      "ann": {"agent": "desk", "request": {"input": "Send an email to finance"}, "approve": "all",
              "expect": {"status": "ok", "virtual_ms_max": 30}},
      "bob": {"agent": "desk", "request": {"input": "Send an email to sales"}, "approve": "all",
              "expect": {"status": "ok", "virtual_ms_min": 40}}},
    "expect": {"effects": {"mail/send_email": 2}, "starts": {"mail": 1}})");
  expect_nobody_wronged(run_several(scenario));
}

TEST(SeveralTest, TheApprovalOfOneIsNotThatOfTheOther) {
  // Were Bob's call let through by what Ann has said, the effect would be Bob's and unapproved.
  std::string text = kAnnAndBob;
  text.replace(text.find(R"("bob": {)"), 8, R"("bob": {"begins_ms": 200, )");
  const RunResult result = run_several(several_of(text));
  expect_nobody_wronged(result);
  EXPECT_EQ(result.effects, 1);
}

TEST(SeveralTest, WhatIsNotAsExpectedNamesTheUser) {
  std::string text = kAnnAndBob;
  text.replace(text.find("\"needs_review\""), 14, "\"ok\"");
  const RunResult result = run_several(several_of(text));
  ASSERT_EQ(result.failures.size(), 1U);
  EXPECT_EQ(result.failures.front().check, "expect.status");
  EXPECT_EQ(result.failures.front().message, "bob: \"needs_review\", expected \"ok\"");
}

TEST(SeveralTest, OneDiesAnywhereAndTheOtherIsAnsweredAsEver) {
  const Scenario scenario = several_of(kAnnAndBob);
  std::int64_t died = 0;
  for (const Transport transport : kWaysOfSeveral) {
    for (const CrashPointInfo& info : all_crash_points()) {
      for (const char* const who : {"ann", "bob"}) {
        Weather weather = weather_of(scenario);
        weather.inner.crashes = {{info.point, 1, {}, std::chrono::milliseconds(50), who}};
        const RunResult result = run_several(scenario, transport, &weather);
        expect_nobody_wronged(result);
        const std::string fault = std::string("\"who\":\"") + who + "/orchestrator\"";
        if (result.trace.find(fault) == std::string::npos) continue;
        ++died;
        const std::string& statuses = result.status;
        if (who == std::string("bob")) {
          EXPECT_TRUE(statuses.starts_with("ok, ")) << statuses;
        } else {
          EXPECT_TRUE(statuses.ends_with(", needs_review")) << statuses;
        }
        EXPECT_LE(result.effects, 1);
      }
    }
  }
  EXPECT_GT(died, 20);
}

TEST(SeveralTest, EachOperationMayFail) {
  const FailEach each = fail_each_operation(several_of(kAnnAndBob), RunOptions(), 1'000);
  EXPECT_TRUE(each.complete);
  EXPECT_GT(each.operations, 30);
  EXPECT_FALSE(each.first_failure) << each.first_failure->failures.front().message;
}

TEST(SeveralTest, InEveryOrderItComesToTheSame) {
  Scenario scenario = several_of(kOneMailServer + R"("world": {"transport": "values"}, "users": {
    "ann": {"request": {"input": "Hello"}, "expect": {"status": "any"}},
    "bob": {"request": {"input": "Send an email to finance"}, "approve": "all",
            "expect": {"status": "ok"}}},
    "expect": {"effects": 1})");
  ExploreOptions options;
  options.worlds_max = 3'000;
  const Explored explored = explore_orders(scenario, options);
  EXPECT_FALSE(explored.failure) << explored.failure->failures.front().message;
  EXPECT_TRUE(explored.complete);
  EXPECT_GT(explored.orders, 5U);
}

TEST(SeveralTest, TheSameSeedGivesTheSameTraceUnderDrawnWeather) {
  const Scenario scenario = several_of(kAnnAndBob);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    fakes::Choices choices = weather_choices(scenario, seed);
    const Weather weather = draw_weather(scenario, choices);
    const RunResult first = run_several(scenario, Transport::kAny, &weather);
    const RunResult second = run_several(scenario, Transport::kAny, &weather);
    EXPECT_EQ(first.trace, second.trace) << seed;
    expect_nobody_wronged(first);
  }
}

}  // namespace
}  // namespace plumbline::scenarios
