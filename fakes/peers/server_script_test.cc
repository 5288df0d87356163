#include "fakes/peers/server_script.h"

#include <chrono>

#include <gtest/gtest.h>

namespace plumbline::fakes {
namespace {

using std::chrono::milliseconds;

ServerScript accept(std::string_view text) {
  const Result<Json> json = parse_json(text);
  check(json.ok(), "the test's own JSON is broken");
  Result<ServerScript, ScriptError> script = parse_server_script(json.value());
  EXPECT_TRUE(script.ok()) << script.error().pointer << ": " << script.error().message;
  return script.ok() ? std::move(script).value() : ServerScript();
}

TEST(ServerScriptTest, AnEmptyObjectIsAServerWithoutFeatures) {
  const ServerScript script = accept("{}");
  EXPECT_EQ(script.revision, mcp::kLatestStateful);
  EXPECT_EQ(
      dump_json(script.initialize_result),
      R"({"capabilities":{"logging":{}},"serverInfo":{"name":"scripted","version":"1.0.0"}})");
  ASSERT_EQ(script.tool_pages.size(), 1U);
  EXPECT_EQ(dump_json(script.tool_pages[0]), R"({"tools":[]})");
}

TEST(ServerScriptTest, ListsAreCutIntoPagesThatNameTheNext) {
  const ServerScript script =
      accept(R"({"page_size": 2, "tools": [{"name": "a"}, {"name": "b"}, {"name": "c"}]})");
  ASSERT_EQ(script.tool_pages.size(), 2U);
  EXPECT_EQ(script.tool_pages[0]["tools"].size(), 2U);
  EXPECT_EQ(script.tool_pages[0]["nextCursor"], "page:1");
  EXPECT_FALSE(script.tool_pages[1].contains("nextCursor"));
}

TEST(ServerScriptTest, WhatAToolDoesIsNotListed) {
  const ServerScript script = accept(R"({"tools": [{"name": "a", "title": "A",
      "does": [{"hang": true}], "effect": {"idempotent": true}, "auth": false}]})");
  EXPECT_EQ(dump_json(script.tools[0].listed),
            R"({"inputSchema":{"type":"object"},"name":"a","title":"A"})");
  EXPECT_EQ(script.tools[0].does.size(), 1U);
  EXPECT_TRUE(script.tools[0].effect->idempotent);
  EXPECT_FALSE(script.tools[0].authorized);
}

TEST(ServerScriptTest, EveryStepIsRead) {
  const ServerScript script = accept(R"({"on": [{"method": "m", "nth": 2, "name": "n", "do": [
      {"delay_ms": 5}, {"reply": {}}, {"error": {"code": -1, "message": "x", "data": 1}},
      {"tool_error": "t"}, {"effect": {"key": "k"}}, {"notify": {"method": "n", "params": {}}},
      {"progress": [0.5, {"progress": 1, "total": 2, "message": "m"}]},
      {"request": {"method": "roots/list"}}, {"hang": true}, {"garbage": "g"},
      {"garbage_base64": "/wA="}, {"raw": [1]}, {"duplicate": true}, {"late": 7}, {"hold": "h"},
      {"release": "h"}, {"reply_to": null}, {"close": true}, {"reset": true},
      {"crash": {"signal": 9}}, {"stderr": "ab", "repeat": 3}, {"half_line": true}]}]})");
  const Behaviour& steps = script.rules.at(0).steps;
  ASSERT_EQ(steps.size(), 22U);
  EXPECT_EQ(steps[0].wait, milliseconds(5));
  EXPECT_EQ(steps[10].text, std::string("\xff\0", 2));
  EXPECT_EQ(steps[13].wait, milliseconds(7));
  EXPECT_EQ(steps[19].exit.signal, 9);
  EXPECT_EQ(steps[20].text, "ababab");
  EXPECT_EQ(script.rules[0].nth, 2);
  EXPECT_EQ(script.rules[0].name, "n");
}

TEST(ServerScriptTest, CopiesDifferInTheirNumberAndGarbageIsRepeated) {
  const Result<Json> json = parse_json(
      R"({"tools": [{"name": "t", "copies": 2, "does": [{"garbage": "ab", "repeat": 3}]}]})");
  const Result<ServerScript, ScriptError> script = parse_server_script(json.value());
  ASSERT_TRUE(script.ok());
  ASSERT_EQ(script.value().tools.size(), 2U);
  EXPECT_EQ(script.value().tools[0].name, "t_1");
  EXPECT_EQ(script.value().tools[1].listed["name"], "t_2");
  EXPECT_EQ(script.value().tools[1].does.at(0).text, "ababab");
}

struct Refusal {
  std::string_view json;
  std::string_view pointer;
  std::string_view message;  // Its beginning.
};

class ServerScriptRefusalTest : public testing::TestWithParam<Refusal> {};

TEST_P(ServerScriptRefusalTest, NamesThePlaceAndWhatWasExpected) {
  const Result<Json> json = parse_json(GetParam().json);
  ASSERT_TRUE(json.ok());
  const Result<ServerScript, ScriptError> script = parse_server_script(json.value());
  ASSERT_FALSE(script.ok());
  EXPECT_EQ(script.error().pointer, GetParam().pointer);
  EXPECT_EQ(script.error().message.substr(0, GetParam().message.size()), GetParam().message);
}

constexpr Refusal kRefusals[] = {
    {"[]", "", "expected an object, got an array"},
    {R"({"nam": "x"})", "/nam", "unknown key \"nam\", expected one of capabilities deviations"},
    {R"({"a/b": 1})", "/a~1b", "unknown key"},
    {R"({"revision": "2026-01-01"})", "/revision", "expected one of 2024-11-05"},
    {R"({"name": 1})", "/name", "expected a string, got a number"},
    {R"({"tools": {}})", "/tools", "expected an array, got an object"},
    {R"({"tools": [1]})", "/tools/0", "expected an object, got a number"},
    {R"({"tools": [{}]})", "/tools/0", "\"name\" is missing, expected a string"},
    {R"({"tools": [{"name": ""}]})", "/tools/0/name", "expected a string that is not empty"},
    {R"({"tools": [{"name": "a"}, {"name": "a"}]})", "/tools/1", "\"a\" is declared twice"},
    {R"({"tools": [{"name": "a", "inputSchema": []}]})", "/tools/0/inputSchema",
     "expected an object, got an array"},
    {R"({"tools": [{"name": "a", "inputschema": {}}]})", "/tools/0/inputschema", "unknown key"},
    {R"({"tools": [{"name": "a", "effect": {"once": true}}]})", "/tools/0/effect/once",
     "unknown key \"once\", expected one of idempotent key"},
    {R"({"tools": [{"name": "a", "auth": 0}]})", "/tools/0/auth",
     "expected true or false, got a number"},
    {R"({"resources": [{"uri": "u", "name": "n", "text": "", "blob": ""}]})", "/resources/0",
     "expected either \"text\" or \"blob\""},
    {R"({"prompts": [{"name": "p", "arguments": [{"name": "a", "required": 1}]}]})",
     "/prompts/0/arguments/0/required", "expected true or false"},
    {R"({"page_size": 0})", "/page_size", "expected a whole number from 1 to 10000, got 0"},
    {R"({"latency_ms": 1.5})", "/latency_ms", "expected a whole number from 0 to 86400000"},
    {R"({"latency_ms": "1"})", "/latency_ms",
     "expected a whole number from 0 to 86400000, got a string"},
    {R"({"on": [{"method": "m"}]})", "/on/0", "\"do\" is missing, expected an array of steps"},
    {R"({"on": [{"method": "m", "nth": 0, "do": []}]})", "/on/0/nth", "expected a whole number"},
    {R"({"on": [{"method": "m", "do": [{}]}]})", "/on/0/do/0",
     "expected a step with exactly one of delay_ms reply"},
    {R"({"on": [{"method": "m", "do": [{"hang": true, "reset": true}]}]})", "/on/0/do/0",
     "expected a step with exactly one of"},
    {R"({"on": [{"method": "m", "do": [{"hang": false}]}]})", "/on/0/do/0/hang", "expected true"},
    {R"({"on": [{"method": "m", "do": [{"reply": []}]}]})", "/on/0/do/0/reply",
     "expected an object, got an array"},
    {R"({"on": [{"method": "m", "do": [{"error": {"code": "x", "message": ""}}]}]})",
     "/on/0/do/0/error/code", "expected a whole number from"},
    {R"({"on": [{"method": "m", "do": [{"error": {"code": 1}}]}]})", "/on/0/do/0/error",
     "\"message\" is missing"},
    {R"({"on": [{"method": "m", "do": [{"notify": {}}]}]})", "/on/0/do/0/notify",
     "\"method\" is missing"},
    {R"({"on": [{"method": "m", "do": [{"progress": ["x"]}]}]})", "/on/0/do/0/progress/0",
     "expected a number or an object, got a string"},
    {R"({"on": [{"method": "m", "do": [{"garbage_base64": "x"}]}]})", "/on/0/do/0/garbage_base64",
     "expected base64"},
    {R"({"on": [{"method": "m", "do": [{"crash": {}}]}]})", "/on/0/do/0/crash",
     "expected either \"signal\" or \"exit\""},
    {R"({"on": [{"method": "m", "do": [{"reply_to": {}}]}]})", "/on/0/do/0/reply_to",
     "expected a string, a number or null, got an object"},
    {R"({"on": [{"method": "m", "do": [{"delay_ms": 1, "repeat": 2}]}]})", "/on/0/do/0/repeat",
     "unknown key \"repeat\""},
    {R"({"on": [{"method": "m", "do": [{"garbage": "12345", "repeat": 1000000}]}]})",
     "/on/0/do/0/repeat", "expected at most 4194304 bytes of garbage"},
    {R"({"on": [{"method": "m", "do": [{"request": {"method": "m", "id": []}}]}]})",
     "/on/0/do/0/request/id", "expected a string, a number or null, got an array"},
    {R"({"tools": [{"name": "a", "copies": 0}]})", "/tools/0/copies",
     "expected a whole number from 1 to 1000"},
    {R"({"deviations": ["wrong_id"]})", "/deviations/0", "there is no deviation \"wrong_id\""},
    {R"({"deviations": [1]})", "/deviations/0", "expected the name of a deviation, got a number"},
};
INSTANTIATE_TEST_SUITE_P(All, ServerScriptRefusalTest, testing::ValuesIn(kRefusals));

}  // namespace
}  // namespace plumbline::fakes
