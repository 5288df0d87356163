// `plumbline run`: what it shows of a run that passes, and what it says of a file that hardly means
// what it says.

#include "tests/programs/program_fixture.h"

namespace plumbline::cli {

namespace {

constexpr std::string_view kListing = R"({
  "plumbline": 1, "id": "listing", "title": "A folder is listed.",
  "request": {"input": "List the files"},
  "servers": {"files": {
    "tools": [{"name": "list_files", "description": "List the files",
               "does": [{"reply": {"content": [{"type": "text", "text": "notes.md"}]}}]}],
    "on": [
      {"method": "tools/call", "nth": 2, "do": [{"hang": true}]},
      {"method": "tools/list", "do": []}]}},
  "expect": {"status": "ok"}
})";

TEST_F(ProgramTest, WhatCameOfAPassingRunIsShown) {
  std::string text(kListing);
  text.replace(text.find("\"nth\": 2"), 8, "\"nth\": 1");
  text.replace(text.find("{\"hang\": true}"), 14, "");
  write("listing.json", text);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--show", "outcome"}, {"--verbose"}}) {
    std::vector<std::string> all = {"run", "listing.json"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("listing came to\n"
                               "  response         files/list_files returned:\n"
                               "                   list_files is done\n"
                               "  status           ok\n"
                               "  approvals_asked  0\n"
                               "  effects          none\n"),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("  requests         initialize 1, tools/call 1, tools/list 1\n"),
              std::string::npos)
        << outcome.out;
  }
  EXPECT_EQ(run({"run", "listing.json"}).out.find("came to"), std::string::npos);
  const Outcome outcome = run({"run", "listing.json", "--report", "json=-"});
  const Result<Json> report = parse_json(outcome.out);
  ASSERT_TRUE(report.ok()) << outcome.out;
  EXPECT_EQ(report.value()["results"][0]["outcome"]["requests"]["tools/call"], 1);
}

TEST_F(ProgramTest, AnIdleRuleIsAWarningAndAFailureWhenStrict) {
  write("listing.json", std::string(kListing));
  Outcome outcome = run({"run", "listing.json", "--seeds", "1..3"});
  EXPECT_EQ(outcome.code, 0);
  const std::string idle = "listing.json:8:7: rule 1 of \"files\" (tools/call) never did anything";
  EXPECT_NE(outcome.out.find(idle), std::string::npos) << outcome.out;
  outcome = run({"run", "listing.json", "--seeds", "1..3", "--strict"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find(idle), std::string::npos) << outcome.out;
}

TEST_F(ProgramTest, AMethodThatThereIsNotIsAWarningAndRefusedWhenStrict) {
  std::string text(kListing);
  text.replace(text.find("\"tools/list\""), 12, "\"tool/list\"");
  write("listing.json", text);
  const std::string line =
      "listing.json:9:8: \"tool/list\" is no method that a client sends, expected something like "
      "\"tools/list\"";
  Outcome outcome = run({"run", "listing.json", "--report", "json=-"});
  EXPECT_EQ(outcome.code, 0);
  const Result<Json> report = parse_json(outcome.out);
  ASSERT_TRUE(report.ok()) << outcome.out;
  const Json& row = report.value()["results"][0];
  EXPECT_EQ(row["verdict"], "warn");
  EXPECT_TRUE(string_or(row, "message", "").starts_with(line + "\n")) << row["message"];
  outcome = run({"run", "listing.json", "--strict"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "plumbline: " + line + " [file.where]\n");
}

}  // namespace
}  // namespace plumbline::cli
