#include "scenarios/shrink/shrink.h"

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"

namespace plumbline::scenarios {
namespace {

// A server that pays twice when it is listed a second time, as after a connection that broke, and
// much beside it that has nothing to do with that.
const char* const kPaysTwice = R"({
  "plumbline": 1, "id": "pays-twice", "title": "A server pays twice once it was started again.",
  "tags": ["planted"],
  "request": {"input": "List the files in the managed project folder.",
    "times": 4, "pause_ms": 400},
  "approve": "all", "policy": {"allow": ["files/*"]},
  "servers": {
    "files": {
      "instructions": "Nothing to see.", "latency_ms": 3,
      "tools": [
        {"name": "list_directory", "description": "List the files of a folder",
         "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
         "does": [{"delay_ms": 30}, {"reply": {"content": [{"type": "text", "text": "a.txt"}]}}]},
        {"name": "read_file", "description": "Read a file", "inputSchema": {"type": "object"}}],
      "on": [{"method": "initialize", "nth": 2, "do": [
        {"delay_ms": 2}, {"effect": {"key": "pay"}}, {"effect": {"key": "pay"}}]}]},
    "weather": {"tools": [{"name": "forecast", "description": "Tell the weather",
                           "inputSchema": {"type": "object"}}],
                "resources": [{"uri": "sky://now", "name": "sky", "text": "blue"}]}},
  "expect": {"status": "ok"}})";

Scenario planted() {
  const Result<Scenario> scenario = load_scenario(kPaysTwice, "pays-twice.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  return scenario.value();
}

// failing_seed returns the `nth` seed under which the planted check breaks.
std::uint64_t failing_seed(int nth) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    ShrinkOptions look;
    look.runs_max = 1;
    const Shrunk shrunk = shrink_failure(planted(), seed, look);
    if (!shrunk.failed || shrunk.failure.check != "invariant.no-effect-twice") continue;
    if (--nth == 0) return seed;
  }
  ADD_FAILURE() << "no seed breaks the planted check";
  return 1;
}

TEST(ShrinkTest, AFailureComesDownToItsCauseAndFailsByItself) {
  const std::uint64_t seed = failing_seed(1);
  const Shrunk shrunk = shrink_failure(planted(), seed);
  ASSERT_TRUE(shrunk.failed);
  EXPECT_TRUE(shrunk.complete);
  EXPECT_EQ(shrunk.failure.check, "invariant.no-effect-twice");
  const std::string text = write_shrunk(planted(), seed, shrunk, "small");
  SCOPED_TRACE(text);
  // What has nothing to do with it is gone.
  EXPECT_EQ(shrunk.document["servers"].size(), 1U);
  EXPECT_FALSE(shrunk.document["servers"]["files"].contains("instructions"));
  EXPECT_EQ(shrunk.document["faults"].size(), 1U);
  EXPECT_EQ(shrunk.document["expect"], Json::object({{"status", "any"}}));
  ASSERT_EQ(shrunk.faults.size(), 1U);
  EXPECT_TRUE(shrunk.faults.front().needed);
  // The file says it all.
  const Result<Scenario> small = load_scenario(text, "small.json");
  ASSERT_TRUE(small.ok()) << small.error().message;
  RunOptions options;
  options.seed = shrunk.run_seed;
  const RunResult again = run_scenario(small.value(), options);
  EXPECT_EQ(
      std::ranges::count(again.failures, RunFailure{"invariant.no-effect-twice", shrunk.message}),
      1);
}

TEST(ShrinkTest, TheEdgesOfAFaultAreWhereItStopsToMatter) {
  for (int nth = 1; nth <= 2; ++nth) {
    const Shrunk shrunk = shrink_failure(planted(), failing_seed(nth));
    ASSERT_EQ(shrunk.faults.size(), 1U);
    const FaultFound& fault = shrunk.faults.front();
    if (fault.unit.empty() || !fault.last) continue;
    const auto fails_at = [&](std::int64_t number) {
      Json document = shrunk.document;
      document["faults"][0][fault.unit] = number;
      const Result<Scenario> scenario = read_scenario(document, "pays-twice.json");
      EXPECT_TRUE(scenario.ok());
      RunOptions options;
      options.seed = shrunk.run_seed;
      const RunResult run = run_scenario(scenario.value(), options);
      return std::ranges::count(run.failures, shrunk.failure.check, &RunFailure::check) > 0;
    };
    EXPECT_TRUE(fails_at(fault.first));
    EXPECT_TRUE(fails_at(*fault.last));
    EXPECT_FALSE(fails_at(*fault.last + 1));
    if (fault.first > 0) {
      EXPECT_FALSE(fails_at(fault.first - 1));
    }
  }
}

TEST(ShrinkTest, TheSameSeedGivesTheSameBytes) {
  const std::uint64_t seed = failing_seed(2);
  EXPECT_EQ(write_shrunk(planted(), seed, shrink_failure(planted(), seed), "small"),
            write_shrunk(planted(), seed, shrink_failure(planted(), seed), "small"));
}

TEST(ShrinkTest, AnExpectationIsKeptWhenItIsWhatFails) {
  std::string text = kPaysTwice;
  text.replace(text.rfind("\"ok\""), 4, "\"failed\"");
  const Result<Scenario> scenario = load_scenario(text, "pays-twice.json");
  ASSERT_TRUE(scenario.ok());
  std::uint64_t seed = 1;
  Shrunk shrunk = shrink_failure(scenario.value(), seed);
  while (seed < 300 && (!shrunk.failed || shrunk.failure.check != "expect.status")) {
    shrunk = shrink_failure(scenario.value(), ++seed);
  }
  EXPECT_EQ(shrunk.document["expect"], Json::object({{"status", "failed"}}));
  // Another status would be another failure: the server that makes it ok is still there.
  EXPECT_EQ(shrunk.message, shrunk.failure.message);
  EXPECT_EQ(shrunk.document["servers"].size(), 1U);
}

// Nothing is as small as a property that holds nowhere, or a world in which nothing comes about.
TEST(ShrinkTest, APropertyIsHeldAsItStandsAndIsMetInCalmWeather) {
  const char* const properties = R"("invariants": [
      {"name": "opened-once", "times": 1, "at_most": {
        "event": "message_sent", "who": "files", "detail": {"method": "initialize"}}},
      {"name": "called-at-last", "eventually": {"event": "request_started",
        "detail": {"method": "tools/call"}}}], "expect")";
  std::string text = kPaysTwice;
  text.replace(text.find("\"nth\": 2"), 8, "\"nth\": 90");
  text.replace(text.rfind("\"expect\""), 8, properties);
  const Result<Scenario> scenario = load_scenario(text, "pays-twice.json");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  std::map<std::string, int> shrunk_of;
  for (std::uint64_t seed = 1; seed < 300 && shrunk_of.size() < 2; ++seed) {
    const Shrunk shrunk = shrink_failure(scenario.value(), seed);
    if (!shrunk.failed || shrunk.document.is_null()) continue;
    const std::string& check = shrunk.failure.check;
    if (!check.starts_with("property.") || ++shrunk_of[check] > 1) continue;
    SCOPED_TRACE(write_shrunk(scenario.value(), seed, shrunk, "small"));
    const std::size_t held = check == "property.opened-once" ? 0 : 1;
    ASSERT_EQ(shrunk.document["invariants"].size(), 1U);
    EXPECT_EQ(shrunk.document["invariants"][0], scenario.value().document["invariants"][held]);
    EXPECT_TRUE(shrunk.document.contains("rare") || !shrunk.faults.empty());
  }
  EXPECT_EQ(shrunk_of.size(), 2U);
}

TEST(ShrinkTest, WhatPassesIsNotShrunk) {
  std::string text = kPaysTwice;
  const std::size_t rule = text.find("\"nth\": 2");
  text.replace(rule, 8, "\"nth\": 90");
  const Result<Scenario> scenario = load_scenario(text, "pays-twice.json");
  ASSERT_TRUE(scenario.ok());
  EXPECT_FALSE(shrink_failure(scenario.value(), 1).failed);
}

// Ann, Bob and Cid ask an agent each; only Ann's request sends mail.
Scenario three_users(const std::string& more) {
  const std::string text = R"({
  "plumbline": 1, "id": "three-users", "title": "Three users ask three agents.",
  "agents": {"desk": "operations-assistant", "night": "operations-assistant",
             "spare": "operations-assistant"},
  "users": {
    "ann": {"agent": "desk", "request": {"input": "Email the report to finance."},
            "approve": "all", "expect": {"status": "ok"}},
    "bob": {"agent": "night", "request": {"input": "List the files."}, "expect": {"status": "ok"}},
    "cid": {"agent": "spare", "request": {"input": "List the files."},
            "expect": {"status": "ok"}}},
  "servers": {
    "files": {"tools": [{"name": "list_directory", "description": "List the files of a folder",
      "inputSchema": {"type": "object"},
      "does": [{"reply": {"content": [{"type": "text", "text": "a.txt"}]}}]}]},
    "mail": {"tools": [{"name": "send_email", "description": "Send an email to a recipient",
      "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}}, "effect": {},
      "does": [{"reply": {"content": [{"type": "text", "text": "sent"}]}}]}]}})" +
                           more + "}";
  const Result<Scenario> scenario = load_scenario(text, "three-users.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  return scenario.value();
}

std::string names_in(const Json& document, const char* key) {
  std::string names;
  for (const auto& [name, unused] : document.at(key).items()) names += name + ' ';
  return names;
}

TEST(ShrinkTest, UsersAndAgentsThatTheFailureDoesNotNeedGo) {
  const Scenario mails = three_users(
      R"(, "invariants": [{"name": "no-mail", "never": {"event": "effect", "who": "mail"}}])");
  const Shrunk shrunk = shrink_failure(mails, 2);
  ASSERT_TRUE(shrunk.failed);
  EXPECT_EQ(shrunk.failure.check, "property.no-mail");
  ASSERT_TRUE(shrunk.document.is_object()) << "it can be written as a file";
  EXPECT_EQ(names_in(shrunk.document, "users"), "ann ");
  EXPECT_EQ(names_in(shrunk.document, "agents"), "desk ");
  EXPECT_EQ(names_in(shrunk.document, "servers"), "mail ");
}

TEST(ShrinkTest, WhatOneOfSeveralUsersExpectedIsHeld) {
  Json document = three_users("").document;
  document["users"]["bob"]["expect"]["status"] = "failed";
  const Result<Scenario> wrong = read_scenario(document, "three-users.json");
  ASSERT_TRUE(wrong.ok()) << wrong.error().message;
  Shrunk shrunk;
  for (std::uint64_t seed = 1; seed < 50 && shrunk.failure.check != "expect.status"; ++seed) {
    shrunk = shrink_failure(wrong.value(), seed);
  }
  ASSERT_EQ(shrunk.failure.check, "expect.status");
  EXPECT_EQ(names_in(shrunk.document, "users"), "bob ");
  EXPECT_EQ(names_in(shrunk.document, "agents"), "night ");
  EXPECT_EQ(shrunk.document["users"]["bob"]["expect"]["status"], "failed");
}

}  // namespace
}  // namespace plumbline::scenarios
