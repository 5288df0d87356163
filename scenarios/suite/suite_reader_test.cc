#include "scenarios/suite/suite_reader.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/suite/names.h"

namespace plumbline::suite {

namespace {

std::string refusal(const std::string& text) {
  const Result<Suite> suite = read_suite(text, "a.mcptest.json");
  return suite.ok() ? "" : suite.error().message;
}

std::string one_test(const std::string& members) {
  return R"({"mcptest": 1, "servers": {"files": {"command": "node"}}, "tests": [{"name": "a", )" +
         members + "}]}";
}

TEST(SuiteReaderTest, EveryMistakeIsOneLineWithItsPlaceAndWhatWasMeant) {
  const std::pair<std::string, std::string> cases[] = {
      {"{", "a.mcptest.json:1:2: "},
      {"{\"mcptest\": 2, \"tests\": []}",
       "a.mcptest.json:1:2: \"mcptest\" is 2, expected a whole number from 1 to 1"},
      {"{\"mcptest\": 1}", "a.mcptest.json:1:1: a test file has no \"tests\", expected the tests"},
      {"{\"mcptest\": 1, \"tests\": []}",
       "a.mcptest.json:1:16: \"tests\" is empty, expected a test"},
      {one_test(R"("call": "x", "expects": {})"), "did you mean \"expect\"?"},
      {one_test(R"("calls": "x")"),
       "here is nothing that is asked, expected one of \"call\", \"read\", \"prompt\", "
       "\"complete\", \"list\", \"send\"; here is \"calls\", did you mean \"call\"?"},
      {one_test(R"("call": "x", "read": "y")"), "here is more than one thing asked"},
      {one_test(R"("list": "tool")"), "did you mean \"tools\"?"},
      {one_test(R"("call": "x", "expect": {"txt": "a"})"),
       "unknown key \"txt\" in what is expected, did you mean \"text\"?"},
      {one_test(R"("call": "x", "expect": {"text": {"$contain": "a"}})"),
       "unknown matcher \"$contain\", did you mean \"$contains\"?"},
      {one_test(R"("call": "x", "on": ["fils"])"),
       "\"fils\" is not one of the servers, did you mean \"files\"?"},
      {one_test(R"("call": "x", "with": {"id": "{sesion}"})"),
       "{sesion}: nothing before it keeps \"sesion\"; as a text write {{sesion}"},
      {one_test(R"("call": "x", "keep": {"id": "structuredContent"})"),
       "expected a JSON pointer into the result"},
      {one_test(R"("call": "x", "mask": ["tme"])"),
       "\"tme\" is no mask, expected \"time\", \"uuid\" or a JSON pointer"},
      {one_test(R"("call": "x", "since": "2025-01-01")"), "expected one of \"2024-11-05\""},
      {one_test(R"("call": "x", "answers": {"elicitation/creat": {}})"),
       "did you mean \"elicitation/create\"?"},
      {one_test(R"("read": "x", "with": {})"), "\"with\" goes with \"call\""},
      {R"({"mcptest": 1, "servers": {"a": {}}, "tests": [{"name": "a", "call": "b"}]})",
       "server \"a\": expected either \"command\" or \"url\""},
      {R"({"mcptest": 1, "tests": [{"name": "a", "call": "b"}, {"name": "a", "call": "b"}]})",
       "a.mcptest.json:1:55: there are two tests \"a\", expected each name once"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_NE(refusal(text).find(message), std::string::npos) << refusal(text) << "\n" << message;
    EXPECT_EQ(refusal(text).find('\n'), std::string::npos);
    EXPECT_TRUE(refusal(text).starts_with("a.mcptest.json:1:")) << refusal(text);
  }
}

TEST(SuiteReaderTest, AKeptNameIsKnownToWhatComesAfterIt) {
  EXPECT_EQ(refusal(one_test(R"("call": "x", "keep": {"id": "/structuredContent/id"},
                                "then": [{"call": "y", "with": {"id": "{id}"}}])")),
            "");
  EXPECT_EQ(
      refusal(one_test(R"("call": "x", "with": {"a": "{folder} {port} {env:HOME} {{x} {4}"})")),
      "");
}

TEST(NamesTest, TextsWithBracesComeBackAsTheyWere) {
  const Names names = {{"id", "7"}, {"name", "n"}};
  for (const std::string text : {"{id}", "{{id}}", "a {{ b", "{{{name}", "{\"id\":{\"a\":1}}", "{",
                                 "{{", "{{{", "}{id}{", "{env:HOME}"}) {
    EXPECT_EQ(filled_text(quoted_text(text), names), text);
  }
  EXPECT_EQ(filled_text("{id}/{name} {other}", names), "7/n {other}");
}

TEST(NamesTest, AValueThatIsOneNameKeepsItsType) {
  const Names names = {{"n", 7}, {"o", {{"$min", 1}}}};
  EXPECT_EQ(filled(Json("{n}"), names), Json(7));
  EXPECT_EQ(filled(Json("{n}!"), names), Json("7!"));
  EXPECT_EQ(dump_json(filled_expectation(Json("{o}"), names)), R"({"$literal":{"$min":1}})");
}

}  // namespace

}  // namespace plumbline::suite
