#include "fakes/peers/server_script.h"

#include <chrono>

#include <gtest/gtest.h>

namespace plumbline::fakes {
namespace {

using std::chrono::milliseconds;

ServerScript accept(std::string_view text) {
  const Result<Json> json = parse_json(text);
  check(json.ok(), "the test's own JSON is broken");
  Result<ServerScript, Problem> script = parse_server_script(json.value());
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
  const Result<ServerScript, Problem> script = parse_server_script(json.value());
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
  const Result<ServerScript, Problem> script = parse_server_script(json.value());
  ASSERT_FALSE(script.ok());
  EXPECT_EQ(script.error().pointer, GetParam().pointer);
  EXPECT_EQ(script.error().message.substr(0, GetParam().message.size()), GetParam().message);
}

constexpr Refusal kRefusals[] = {
    {"[]", "", "a server is an array, expected an object"},
    {R"({"nam": "x"})", "/nam",
     "unknown key \"nam\" in a server, expected one of \"revision\", \"name\""},
    {R"({"a/b": 1})", "/a~1b", "unknown key"},
    {R"({"revision": "2026-01-01"})", "/revision", "expected one of 2024-11-05"},
    {R"({"name": 1})", "/name", "\"name\" is a number, expected a string"},
    {R"({"tools": {}})", "/tools", "\"tools\" is an object, expected an array"},
    {R"({"tools": [1]})", "/tools/0", "a tool is a number, expected an object"},
    {R"({"tools": [{}]})", "/tools/0", "a tool has no \"name\", expected a string"},
    {R"({"tools": [{"name": ""}]})", "/tools/0/name", "\"name\" is empty, expected some text"},
    {R"({"tools": [{"name": "a"}, {"name": "a"}]})", "/tools/1", "\"a\" is declared twice"},
    {R"({"tools": [{"name": "a", "inputSchema": []}]})", "/tools/0/inputSchema",
     "\"inputSchema\" is an array, expected an object"},
    {R"({"tools": [{"name": "a", "inputschema": {}}]})", "/tools/0/inputschema", "unknown key"},
    {R"({"tools": [{"name": "a", "effect": {"once": true}}]})", "/tools/0/effect/once",
     "unknown key \"once\" in an effect, expected one of \"key\", \"idempotent\""},
    {R"({"tools": [{"name": "a", "auth": 0}]})", "/tools/0/auth",
     "\"auth\" is a number, expected true or false"},
    {R"({"resources": [{"uri": "u", "name": "n", "text": "", "blob": ""}]})", "/resources/0",
     "expected either \"text\" or \"blob\""},
    {R"({"prompts": [{"name": "p", "arguments": [{"name": "a", "required": 1}]}]})",
     "/prompts/0/arguments/0/required", "\"required\" is a number, expected true or false"},
    {R"({"page_size": 0})", "/page_size",
     "\"page_size\" is 0, expected a whole number from 1 to 10000"},
    {R"({"latency_ms": -1})", "/latency_ms", "\"latency_ms\" is wrong, expected milliseconds"},
    {R"({"latency_ms": "1"})", "/latency_ms", "\"latency_ms\" is wrong, expected milliseconds"},
    {R"({"on": [{"method": "m"}]})", "/on/0", "a rule has no \"do\", expected an array of steps"},
    {R"({"on": [{"method": "m", "nth": 0, "do": []}]})", "/on/0/nth",
     "\"nth\" is 0, expected a whole number"},
    {R"({"on": [{"method": "m", "do": [{}]}]})", "/on/0/do/0",
     "expected a step with exactly one of delay_ms reply"},
    {R"({"on": [{"method": "m", "do": [{"hang": true, "reset": true}]}]})", "/on/0/do/0",
     "expected a step with exactly one of"},
    {R"({"on": [{"method": "m", "do": [{"hang": false}]}]})", "/on/0/do/0/hang", "expected true"},
    {R"({"on": [{"method": "m", "do": [{"reply": []}]}]})", "/on/0/do/0/reply",
     "\"reply\" is an array, expected an object"},
    {R"({"on": [{"method": "m", "do": [{"error": {"code": "x", "message": ""}}]}]})",
     "/on/0/do/0/error/code", "\"code\" is a string, expected a whole number from"},
    {R"({"on": [{"method": "m", "do": [{"error": {"code": 1}}]}]})", "/on/0/do/0/error",
     "an error has no \"message\""},
    {R"({"on": [{"method": "m", "do": [{"notify": {}}]}]})", "/on/0/do/0/notify",
     "a notification has no \"method\""},
    {R"({"on": [{"method": "m", "do": [{"progress": ["x"]}]}]})", "/on/0/do/0/progress/0",
     "here is a string, expected a number or an object"},
    {R"({"on": [{"method": "m", "do": [{"garbage_base64": "x"}]}]})", "/on/0/do/0/garbage_base64",
     "expected base64"},
    {R"({"on": [{"method": "m", "do": [{"crash": {}}]}]})", "/on/0/do/0/crash",
     "expected either \"signal\" or \"exit\""},
    {R"({"on": [{"method": "m", "do": [{"reply_to": {}}]}]})", "/on/0/do/0/reply_to",
     "here is an object, expected a string, a number or null"},
    {R"({"on": [{"method": "m", "do": [{"delay_ms": 1, "repeat": 2}]}]})", "/on/0/do/0/repeat",
     "unknown key \"repeat\""},
    {R"({"on": [{"method": "m", "do": [{"garbage": "1234567890123456789012345678901234567890",
                                        "repeat": 110000}]}]})",
     "/on/0/do/0/repeat", "expected at most 4194304 bytes of garbage"},
    {R"({"on": [{"method": "m", "do": [{"request": {"method": "m", "id": []}}]}]})",
     "/on/0/do/0/request/id", "here is an array, expected a string, a number or null"},
    {R"({"on": [{"method": "m", "do": [{"notify": {"method": "n", "times": 10000,
                                                   "params": {"text": "{{text:9999}}"}}}]}]})",
     "/on/0/do/0/notify/times",
     "\"times\" makes 100809918 bytes, and what a file repeats may come to 33554432 in all"},
    {R"({"on": [{"method": "m", "do": [{"reply": {"a": "{{text:30000000}}"}},
                                       {"raw": "{{base64:30000000}}"}]}]})",
     "/on/0/do/1/raw", "{{text:N}} makes 30000000 bytes"},
    {R"({"tools": [{"name": "a", "copies": 1000, "description": "{{text:40000}}"}]})",
     "/tools/0/copies", "\"copies\" makes "},
    {R"({"tools": [{"name": "a", "copies": 0}]})", "/tools/0/copies",
     "\"copies\" is 0, expected a whole number from 1 to 1000"},
    {R"({"deviations": ["wrong_id"]})", "/deviations/0", "there is no deviation \"wrong_id\""},
    {R"({"deviations": [1]})", "/deviations/0",
     "here is a number, expected the name of a deviation"},
};
INSTANTIATE_TEST_SUITE_P(All, ServerScriptRefusalTest, testing::ValuesIn(kRefusals));

}  // namespace
}  // namespace plumbline::fakes
