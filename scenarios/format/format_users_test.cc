#include "scenarios/format/format_users.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"

namespace plumbline::scenarios {
namespace {

Result<Scenario> load_users(const std::string& rest) {
  return load_scenario(R"({"plumbline": 1, "id": "s", "title": "T.",
    "servers": {"mail": {"tools": [{"name": "send_email", "description": "Send an email"}]}},)" +
                           rest + '}',
                       "s.json");
}

std::string refusal_of_users(const std::string& rest) {
  const Result<Scenario> loaded = load_users(rest);
  return loaded.ok() ? "it is read" : loaded.error().message;
}

const std::string kOnlyAnn =
    R"("ann": {"request": {"input": "Hello"}, "expect": {"status": "any"}})";

TEST(FormatUsersTest, UsersShareTheAgentsThatTheyName) {
  const Result<Scenario> loaded = load_users(R"(
    "agents": {"desk": "operations-assistant", "night": "operations-assistant"},
    "users": {
      "ann": {"agent": "night", "begins_ms": 5, "request": {"input": "A", "times": 2},
              "approve": ["send_email"],
              "expect": {"status": "ok", "approvals_asked": 1, "each": [{"status": "ok"}]}},
      "bob": {"agent": "desk", "request": {"input": "B"}, "expect": {"status": "any"}}},
    "expect": {"effects": {"mail/send_email": 2}, "virtual_ms_max": 10})");
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  const Scenario& scenario = loaded.value();
  EXPECT_TRUE(scenario.names_users());
  ASSERT_EQ(scenario.agents.size(), 2U);
  ASSERT_EQ(scenario.users.size(), 2U);
  const UserSpec& ann = scenario.users[0];
  EXPECT_EQ(scenario.agents[ann.agent].name, "night");
  EXPECT_EQ(ann.begins, std::chrono::milliseconds(5));
  EXPECT_EQ(ann.times, 2);
  EXPECT_EQ(ann.approve.names.size(), 1U);
  EXPECT_EQ(scenario.expect_of(ann).status, "ok");
  EXPECT_EQ(scenario.expect_of(ann).each.size(), 1U);
  EXPECT_EQ(scenario.agents[scenario.users[1].agent].name, "desk");
  EXPECT_EQ(scenario.expect.effects, 2);
}

TEST(FormatUsersTest, WithoutAgentsEachUserHasOneOfTheirOwn) {
  const Result<Scenario> loaded = load_users(
      R"("users": {"ann": {"agent": "operations-assistant", "request": {"input": "A"},
                            "expect": {"status": "any"}},
                   "bob": {"request": {"input": "B"}, "expect": {"status": "any"}}})");
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  ASSERT_EQ(loaded.value().agents.size(), 2U);
  EXPECT_EQ(loaded.value().agents[1].name, "bob");
  EXPECT_EQ(loaded.value().users[1].agent, 1U);
}

TEST(FormatUsersTest, WhatDoesNotFitIsRefusedWithItsPlace) {
  EXPECT_NE(
      refusal_of_users("\"users\": {}").find("\"users\" is wrong, expected an object of 1 to 20"),
      std::string::npos);
  EXPECT_NE(refusal_of_users("\"users\": {" + kOnlyAnn + R"(}, "request": {"input": "B"})")
                .find("\"request\" stands beside \"users\", expected it in each"),
            std::string::npos);
  EXPECT_NE(
      refusal_of_users(R"("agents": {"desk": "operations-assistant"}, "users": {)" + kOnlyAnn + '}')
          .find("has no \"agent\", expected the name of one of \"agents\""),
      std::string::npos)
      << refusal_of_users(R"("agents": {"desk": "operations-assistant"}, "users": {)" + kOnlyAnn +
                          '}');
  EXPECT_NE(refusal_of_users(R"("agents": {"desk": "nobody"}, "users": {)" + kOnlyAnn + '}')
                .find("there is no agent \"nobody\", expected one of: operations-assistant"),
            std::string::npos);
  EXPECT_NE(refusal_of_users("\"users\": {" + kOnlyAnn + R"(}, "expect": {"status": "ok"})")
                .find("status"),
            std::string::npos);
  EXPECT_NE(
      refusal_of_users(R"("users": {"ann": {"request": {"input": "A"}, "expect": {"effects": 1}}})")
          .find("status"),
      std::string::npos);
}

TEST(FormatUsersTest, ACrashSaysWhoseItIs) {
  const std::string two = "\"users\": {" + kOnlyAnn +
                          R"(, "bob": {"request": {"input": "B"}, "expect": {"status": "any"}}})";
  const auto faults = [&two](const std::string& agent) {
    return two + R"(, "faults": [{"do": "crash_orchestrator", "at_ms": 1)" + agent + "}]";
  };
  EXPECT_EQ(refusal_of_users(faults(R"(, "agent": "bob")")), "it is read");
  EXPECT_NE(refusal_of_users(faults("")).find("a crash does not say whose it is"),
            std::string::npos);
  EXPECT_NE(
      refusal_of_users(faults(R"(, "agent": "eve")")).find("there is no agent \"eve\" to crash"),
      std::string::npos);
}

}  // namespace
}  // namespace plumbline::scenarios
