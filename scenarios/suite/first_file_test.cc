#include "scenarios/suite/first_file.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/suite/learn.h"
#include "scenarios/suite/names.h"
#include "scenarios/suite/suite_reader.h"

namespace plumbline::suite {

namespace {

Json read(const std::string& text) {
  const Result<Json> parsed = parse_json(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? parsed.value() : Json();
}

Json response(const std::string& result) {
  Json whole = Json::object();
  whole["result"] = read(result);
  return whole;
}

Json text_response(const std::string& text) {
  Json whole = Json::object();
  whole["result"]["content"] = {{{"type", "text"}, {"text", text}}};
  return whole;
}

Draft call(const std::string& tool) {
  Draft draft;
  draft.test.name = tool;
  Step step;
  step.what = tool;
  draft.test.steps.push_back(step);
  return draft;
}

// passes returns what the file that was made says of an answer; "": it passes.
std::string told(FirstFile& file, std::size_t test, const Json& answer) {
  const Result<Suite> suite = read_suite(file.text, "a.mcptest.json");
  EXPECT_TRUE(suite.ok()) << file.text;
  if (!suite.ok()) return suite.error().message;
  const Test& one = suite.value().tests.at(test);
  match::Masks masks = suite.value().masks;
  masks.add_all(one.masks);
  const Held held{masks, file.snapshots, one.name};
  Answered answered;
  answered.response = answer;
  std::string all;
  for (const match::Mismatch& mismatch :
       hold(filled_expectation(one.steps.front().expect, {}), answered, held)) {
    all += mismatch.path + ": expected " + mismatch.expected + ", got " + mismatch.got + "\n";
  }
  return all;
}

TEST(FirstFileTest, APlayThatDiffersOnlyInWhatDiffersAnywayPassesAndAnotherFails) {
  const struct {
    Json one;
    Json two;
    Json passes;
    Json fails;
  } cases[] = {
      {text_response("at 2026-01-01T00:00:00Z"), text_response("at 2026-01-02T00:00:00Z"),
       text_response("at 2027-01-02T00:00:00Z"), text_response("now")},
      {text_response("up for 12 seconds, pid 71"), text_response("up for 13 seconds, pid 80"),
       text_response("up for 99 seconds, pid 1"), text_response("up for 99 minutes, pid 1")},
      {text_response(R"({"id": "k1", "n": 1})"), text_response(R"({"id": "k-2", "n": 1})"),
       text_response(R"({"n": 1, "id": "k 3"})"), text_response(R"({"id": "k1", "n": 2})")},
      {response(R"({"structuredContent": {"a": [1, {"b": 3}]}, "content": []})"),
       response(R"({"structuredContent": {"a": [1, {"b": 4}]}, "content": []})"),
       response(R"({"structuredContent": {"a": [1, {"b": 5}]}, "content": []})"),
       response(R"({"structuredContent": {"a": [2, {"b": 3}]}, "content": []})")},
      {response(R"({"structuredContent": {"a": 1, "b": 1}, "content": []})"),
       response(R"({"structuredContent": {"a": 1}, "content": []})"),
       response(R"({"structuredContent": {"a": 1, "c": 1}, "content": []})"),
       response(R"({"structuredContent": {"a": 2}, "content": []})")},
  };
  for (const auto& one : cases) {
    FirstFile file = first_file({}, {call("a")}, {{one.one}, {one.two}}, "a.mcptest.json");
    EXPECT_EQ(file.unsteady.size(), 0U) << file.text;
    for (const Json& answer : {one.one, one.two, one.passes}) {
      EXPECT_EQ(told(file, 0, answer), "") << file.text;
    }
    EXPECT_NE(told(file, 0, one.fails), "") << file.text;
  }
}

TEST(FirstFileTest, ARefusalIsExpectedAsOne) {
  const Json refused =
      response(R"({"content": [{"type": "text", "text": "no such file"}], "isError": true})");
  const Json error = read(R"({"error": {"code": -32602, "message": "bad {path}"}})");
  FirstFile file = first_file({}, {call("a"), call("b")}, {{refused, error}, {refused, error}},
                              "a.mcptest.json");
  EXPECT_EQ(file.refusals, 2U);
  EXPECT_EQ(told(file, 0, refused), "");
  EXPECT_EQ(told(file, 1, error), "");
  EXPECT_NE(told(file, 0, text_response("no such file")), "");
  EXPECT_NE(told(file, 1, text_response("bad")), "");
}

TEST(FirstFileTest, WhatIsLongIsASnapshotBesideTheFile) {
  std::string text = "a";
  for (int i = 0; i < 400; ++i) text += " word" + std::to_string(i);
  FirstFile file =
      first_file({}, {call("a")}, {{text_response(text)}, {text_response(text)}}, "a.mcptest.json");
  EXPECT_NE(file.text.find("$snapshot"), std::string::npos) << file.text;
  EXPECT_EQ(told(file, 0, text_response(text)), "");
  EXPECT_NE(told(file, 0, text_response(text + "!")), "");
}

// Of one that is an answer once and an error then nothing can be expected.
TEST(FirstFileTest, ATestThatIsNotSteadyExpectsNoMoreAndIsNamed) {
  const Json error = read(R"({"error": {"code": 1, "message": "x"}})");
  const FirstFile file =
      first_file({}, {call("a")}, {{text_response("x")}, {error}}, "a.mcptest.json");
  EXPECT_EQ(file.unsteady, std::vector<std::string>{"a"});
}

TEST(DraftTest, WhatAnEarlierAnswerBroughtIsKeptAndNamed) {
  std::string text = R"({"recording": 1, "transport": "stdio", "command": "x"})";
  for (const char* const line :
       {R"("to": "server", "message": {"id": 1, "method": "initialize", "params": {}})",
        R"("to": "client", "message": {"id": 1, "result": {"capabilities": {}}})",
        R"("to": "server", "message": {"id": 2, "method": "tools/call",
            "params": {"name": "start", "arguments": {"q": "{id}"}}})",
        R"("to": "client", "message": {"id": 2, "result":
            {"content": [{"type": "text", "text": "{\"sessionId\": \"s-71\"}"}]}})",
        R"("to": "server", "message": {"id": 3, "method": "tools/call",
            "params": {"name": "more", "arguments": {"session": "s-71"}}})",
        R"("to": "client", "message": {"id": 3, "result": {"content": []}})"}) {
    std::string event = line;
    std::erase(event, '\n');
    text += "\n{\"ns\": 1, " + event + "}";
  }
  const Result<scenarios::Recording> recording = scenarios::read_recording(text + "\n");
  ASSERT_TRUE(recording.ok()) << recording.error().message;
  const std::vector<Draft> drafts = drafts_of(recording.value());
  ASSERT_EQ(drafts.size(), 2U);
  const Step& first = drafts[0].test.steps.front();
  EXPECT_EQ(first.keep.at("sessionId"), "/content/0/text/sessionId");
  EXPECT_EQ(dump_json(first.with), R"({"q":"{{id}"})");
  EXPECT_EQ(dump_json(drafts[1].test.steps.front().with), R"({"session":"{sessionId}"})");
}

}  // namespace

}  // namespace plumbline::suite
