#include "conformance/checks/server/hints.h"

#include <string>

#include <gtest/gtest.h>

#include "conformance/checks/server/callable_tools.h"

namespace plumbline::conformance {
namespace {

Json json(const char* text) { return Json::parse(text); }

std::string refusal(const char* text) {
  const Result<Hints> hints = Hints::read(json(text));
  return hints.ok() ? "" : hints.error().message;
}

TEST(HintsTest, KnowTheFixturesOfTheOfficialSuite) {
  const Hints hints;
  ASSERT_NE(hints.of("test_tool_with_logging"), nullptr);
  EXPECT_TRUE(hints.of("test_tool_with_logging")->shows.contains(Shows::kLogs));
  EXPECT_EQ(hints.of("test_trigger_resource_change")->resource, "test://watched-resource");
  EXPECT_TRUE(hints.disturbs("test_reconnection"));
  EXPECT_FALSE(hints.disturbs("test_tool_with_logging"));
  EXPECT_EQ(hints.of("echo"), nullptr);
}

TEST(HintsTest, AVendorSaysWhatAToolDoesAndWithWhat) {
  const Result<Hints> hints = Hints::read(json(R"({"tools": {
      "wait": {"arguments": {"ms": 500}, "shows": ["time", "progress"], "call": true},
      "wipe": {"call": false},
      "touch": {"shows": ["resource-update"], "resource": "file:///a"}}})"));
  ASSERT_TRUE(hints.ok()) << hints.error().message;
  ProbeOptions options;
  options.hints = hints.value();
  const Json wait = json(R"({"name": "wait", "inputSchema": {"type": "object"}})");
  EXPECT_TRUE(may_call_tool(wait, options));
  Budget budget{Amounts()};
  EXPECT_EQ(call_params(wait, options.hints, budget)["arguments"], json(R"({"ms": 500})"));
  options.allow_writes = true;
  EXPECT_FALSE(may_call_tool(json(R"({"name": "wipe"})"), options));
  EXPECT_TRUE(may_call_tool(json(R"({"name": "other"})"), options));
  EXPECT_EQ(options.hints.of("touch")->resource, "file:///a");
  EXPECT_NE(options.hints.of("test_tool_with_logging"), nullptr);
}

TEST(HintsTest, WhatAVendorSaysOfAFixtureGoesFirst) {
  const Result<Hints> hints =
      Hints::read(json(R"({"tools": {"test_reconnection": {"shows": ["logs"]}}})"));
  ASSERT_TRUE(hints.ok());
  EXPECT_FALSE(hints.value().disturbs("test_reconnection"));
}

TEST(HintsTest, AMistakeIsOneLineThatSaysWhereAndWhat) {
  EXPECT_EQ(refusal("[]"), "the file: expected an object with \"tools\"");
  EXPECT_EQ(refusal(R"({"tool": {}})"), "/tool: expected \"tools\" or \"completions\"");
  EXPECT_EQ(refusal(R"({"tools": {"a": 1}})"), "/tools/a: expected an object");
  EXPECT_EQ(refusal(R"({"tools": {"a": {"call": "yes"}}})"),
            "/tools/a/call: expected true or false");
  EXPECT_EQ(refusal(R"({"tools": {"a": {"arguments": []}}})"),
            "/tools/a/arguments: expected an object");
  EXPECT_EQ(refusal(R"({"tools": {"a": {"slow": true}}})"),
            "/tools/a/slow: expected one of call, arguments, shows, resource");
  EXPECT_TRUE(refusal(R"({"tools": {"a": {"shows": ["speed"]}}})")
                  .starts_with("/tools/a/shows: expected one of time, progress, logs"));
  EXPECT_EQ(refusal(R"({"tools": {"a": {"shows": ["resource-update"]}}})"),
            "/tools/a: expected \"resource\", the URI of what it updates");
  EXPECT_EQ(refusal(R"({"completions": [{"ref": {}, "argument": {}, "private": []}]})"),
            "/completions/0: expected ref, argument and private, an array of values");
}

}  // namespace
}  // namespace plumbline::conformance
