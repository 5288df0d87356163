#include "conformance/catalogue/causes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/records.h"
#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {
namespace {

CheckResult failing(std::string id, std::string revision) {
  CheckResult row;
  row.id = std::move(id);
  row.revision = std::move(revision);
  row.verdict = Verdict::kFail;
  return row;
}

TEST(CausesTest, AFailureNamesTheOneThatBringsIt) {
  std::vector<CheckResult> rows = {failing("stdio.batch-lines-accepted", "2025-03-26"),
                                   failing("jsonrpc.batch-receive", "2025-03-26")};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "jsonrpc.batch-receive");
  EXPECT_EQ(rows[1].because, "");
}

TEST(CausesTest, AFailureStandsForItselfWhereItsCauseHolds) {
  std::vector<CheckResult> rows = {failing("http.origin-invalid-403", "2025-11-25"),
                                   failing("http.origin-validated", "2026-07-28")};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "");
}

// about adds the message that a row is about.
CheckResult about(CheckResult row, const char* message) {
  row.evidence.push_back({1, "<-", parse_json(message).value(), true});
  return row;
}

TEST(CausesTest, TheShapeOfAMessageIsLeftToTheRuleThatIsAboutIt) {
  const char* const log = R"({"method": "notifications/message", "params": {"level": "warn"}})";
  const std::string revision = "2025-11-25";
  std::vector<CheckResult> rows = {about(failing("schema.messages-validate", revision), log),
                                   about(failing("logging.level-values", revision), log)};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "logging.level-values");
  EXPECT_EQ(rows[1].because, "");

  const char* const other = R"({"method": "notifications/message", "params": {}})";
  rows = {about(failing("schema.messages-validate", revision), other),
          about(failing("logging.level-values", revision), log)};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "") << "of another message";
}

// misfit returns what the rule about every message says of an answer to tools/list.
CheckResult misfit(std::string member) {
  CheckResult row = failing("schema.messages-validate", "2025-11-25");
  row.member = std::move(member);
  row.evidence.push_back({1, "->", parse_json(R"({"id": 1, "method": "tools/list"})").value()});
  return about(std::move(row), R"({"id": 1, "result": {"tools": [{}, {}]}})");
}

CheckResult about_tools(std::string what) {
  CheckResult row = failing("tools.input-schema-valid", "2025-11-25");
  row.message = std::move(what);
  row.evidence.push_back({7, "->", parse_json(R"({"id": 7, "method": "tools/list"})").value()});
  return about(std::move(row), R"({"id": 7, "result": {"tools": [{}]}})");
}

TEST(CausesTest, TheShapeOfAnAnswerIsLeftToTheRuleThatIsAboutTheSameMember) {
  const std::string missing = "inputSchema";
  std::vector<CheckResult> rows = {misfit(missing),
                                   about_tools("the tool \"today\" has no inputSchema")};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "tools.input-schema-valid");

  rows = {misfit(missing), about_tools("the tool \"today\" has no inputSchemas")};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "") << "another member";

  rows = {misfit(missing), about_tools("the tool \"today\" has no inputSchema")};
  rows[0].kinds = {"no inputSchema", "no name"};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "") << "one of two mistakes is nobody else's";

  rows = {misfit(missing), about_tools("the tool \"today\" has no inputSchema")};
  rows[1].evidence[0].message["method"] = "prompts/list";
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "") << "of another method";
}

TEST(CausesTest, AFailureNamesTheFirstCauseOfAll) {
  const std::string revision = "2026-07-28";
  std::vector<CheckResult> rows = {failing("lifecycle.unadvertised-method-not-found", revision),
                                   failing("tools.capability-declared", revision),
                                   failing("lifecycle.discover-mandatory", revision)};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "lifecycle.discover-mandatory");
  EXPECT_EQ(rows[1].because, "lifecycle.discover-mandatory");
  rows[2].verdict = Verdict::kWarn;
  for (CheckResult& row : rows) row.because.clear();
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "tools.capability-declared");
  EXPECT_EQ(rows[1].because, "") << "a warning brings no failure";
  rows[1].verdict = Verdict::kWarn;
  name_causes(rows);
  EXPECT_EQ(rows[1].because, "lifecycle.discover-mandatory");
}

// A list that a server declares and has not is missing in every revision that it accepts.
TEST(CausesTest, WhatIsMissingInOneRevisionIsNoMatterOfAnother) {
  const auto about = [](const char* id, const char* revision, const char* method) {
    CheckResult row = failing(id, revision);
    row.evidence = {{0, "->", {{"id", 1}, {"method", method}}, false},
                    {1, "<-", {{"id", 1}, {"error", {{"code", -32601}}}}, true}};
    return row;
  };
  std::vector<CheckResult> rows = {
      about("versioning.accepted-is-served", "2025-06-18", "resources/list"),
      about("resources.capability-declared", "2025-11-25", "resources/list")};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "resources.capability-declared");
  rows[0] = about("versioning.accepted-is-served", "2025-06-18", "tools/list");
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "") << "another method";
}

// all_causes_of returns those of `id`, whatever its message says.
std::vector<std::string_view> all_causes_of(std::string_view id) {
  std::string words;
  for (const WhenSaid& cause : find_record(id)->causes) words += std::string(cause.words) + "\n";
  return causes_of(id, words);
}

TEST(CausesTest, ACodeThatIsNoNumberIsOneMistakeHoweverManyCodesAreExpected) {
  std::vector<CheckResult> rows = {failing("jsonrpc.error-code-integer", "2025-11-25"),
                                   failing("jsonrpc.invalid-params-code", "2025-11-25")};
  rows[1].message = "tools/call without params got error \"INVALID\" (x), expected error -32602";
  name_causes(rows);
  EXPECT_EQ(rows[1].because, "jsonrpc.error-code-integer");
  rows[1].because.clear();
  rows[1].message = "tools/call without params got error -32099 (x), expected error -32602";
  name_causes(rows);
  EXPECT_EQ(rows[1].because, "") << "another number is another mistake";
}

TEST(CausesTest, OfSeveralKindsOfMistakesEachHasACauseOrNoneIsNamed) {
  std::vector<CheckResult> rows = {failing("jsonrpc.error-code-integer", "2025-11-25"),
                                   failing("schema.messages-validate", "2025-11-25"),
                                   failing("tools.result-content-required", "2025-11-25")};
  rows[1].kinds = {"the error: /code: \"code\" is \"A\"", "the result: /content/0: odd"};
  name_causes(rows);
  EXPECT_EQ(rows[1].because, "jsonrpc.error-code-integer");
  rows.pop_back();
  rows[1].because.clear();
  name_causes(rows);
  EXPECT_EQ(rows[1].because, "") << "nobody else tells of the content";
}

TEST(CausesTest, AnAnswerThatCannotBeReadIsOneMistakeHoweverManyWaitForIt) {
  std::vector<CheckResult> rows = {failing("stdio.stdout-only-mcp", "2025-11-25"),
                                   failing("jsonrpc.method-not-found-code", "2025-11-25")};
  rows[0].message = R"(a line on stdout is no JSON: {"jsonrpc":"2.0","id":15,"error":{ (36 times))";
  rows[1].message = "got nothing within 3064 ms, expected error -32601";
  name_causes(rows);
  EXPECT_EQ(rows[1].because, "stdio.stdout-only-mcp");
  rows[1].because.clear();
  rows[1].message = "got error -32603, expected error -32601";
  name_causes(rows);
  EXPECT_EQ(rows[1].because, "") << "an answer came";
  rows[0].message = "a line on stdout is no JSON: listening (2 times)";
  rows[1].message = "got nothing within 3064 ms, expected error -32601";
  name_causes(rows);
  EXPECT_EQ(rows[1].because, "") << "what was printed is no answer";
}

TEST(CausesTest, WhoKnowsNoPingIsToldSoOnceHoweverManyChecksAskByOne) {
  std::vector<CheckResult> rows = {failing("base.core-and-lifecycle-supported", "2025-11-25"),
                                   failing("http.header-names-case-insensitive", "2025-11-25")};
  const auto asks = [&](const char* method) {
    rows[1].because.clear();
    rows[1].message = "with header names in lower case it answered error -32601 (Unknown)";
    rows[1].evidence = {{0, "->", {{"id", 1}, {"method", method}}, false},
                        {1, "<-", {{"id", 1}, {"error", {{"code", -32601}}}}, true}};
    name_causes(rows);
    return rows[1].because;
  };
  EXPECT_EQ(asks("ping"), "base.core-and-lifecycle-supported");
  EXPECT_EQ(asks("tools/list"), "");
}

// reaches returns whether `id` is among what brings `from`, by however many others.
bool reaches(std::string_view from, std::string_view id, int steps_max = 20) {
  if (steps_max == 0) return true;
  const std::vector<std::string_view> causes = all_causes_of(from);
  return std::ranges::any_of(causes, [&](std::string_view cause) {
    return cause == id || reaches(cause, id, steps_max - 1);
  });
}

TEST(CausesTest, NoRuleBringsItselfAndAllCausesAreRules) {
  int causes = 0;
  for (const Requirement& rule : requirements()) {
    EXPECT_FALSE(reaches(rule.id, rule.id)) << rule.id;
    for (const std::string_view cause : all_causes_of(rule.id)) {
      EXPECT_NE(find_record(cause), nullptr) << rule.id << ": " << cause;
      ++causes;
    }
  }
  EXPECT_GT(causes, 60);
}

}  // namespace
}  // namespace plumbline::conformance
