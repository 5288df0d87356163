// What a file may say and hardly means is told by name.

#include "scenarios/format/warnings.h"

#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/format/library_files.h"
#include "scenarios/sweep/seed_runs.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

Scenario load_one(std::string_view text) {
  Result<Scenario> scenario = load_scenario(text, "s.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  return std::move(scenario).value();
}

std::string told(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& line : all) out += line + '\n';
  return out;
}

TEST(WarningsTest, NamesOfNothingAreTold) {
  const Scenario scenario = load_one(R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
    "approve": ["send_mial", "files/list_files"],
    "servers": {"files": {
      "tools": [{"name": "list_files"}, {"name": "send_mail", "copies": 2}],
      "on": [{"method": "tool/call", "do": []}, {"method": "startup", "do": []}],
      "http": {"rules": [{"http_method": "PSOT", "method": "tools/lost", "do": {}}]}}},
    "world": {"transport": "http"},
    "expect": {"status": "ok", "effects": {"files/list_flies": 0, "files/prompts/get": 0},
               "requests": {"tools/calls": 1}, "exchanges": {"files GTE": 1}}
  })");
  EXPECT_EQ(told(scenario.warnings),
            "s.json:6:15: \"tool/call\" is no method that a client sends, expected something like "
            "\"tools/call\"\n"
            "s.json:7:50: \"tools/lost\" is no method that a client sends, expected something like "
            "\"tools/list\"\n"
            "s.json:7:27: \"PSOT\" is no HTTP method that MCP uses, expected something like "
            "\"POST\"\n"
            "s.json:3:17: no server has a tool \"send_mial\", expected something like "
            "\"send_mail_1\"\n"
            "s.json:9:44: no server has a tool \"files/list_flies\", expected something like "
            "\"files/list_files\"\n"
            "s.json:10:29: \"tools/calls\" is no method that a client sends, expected something "
            "like \"tools/call\"\n"
            "s.json:10:62: \"GTE\" is no HTTP method that MCP uses, expected something like "
            "\"GET\"\n");
}

constexpr std::string_view kWithInvariants = R"({
  "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
  "servers": {"files": {"tools": [{"name": "list_files"}]}}, "expect": {"status": "ok"},
  "invariants": [{"name": "a", )";

std::string told_of(const std::string& invariant) {
  return told(load_one(std::string(kWithInvariants) + invariant + "}]}").warnings);
}

// What is misspelt there never comes, so that what is never to come would hold for ever.
TEST(WarningsTest, InvariantsOfNothingAreTold) {
  EXPECT_EQ(told_of(R"("never": {"event": "message_sent", "detail": {"methd": "ping"}})"),
            "s.json:4:78: an event \"message_sent\" has no \"methd\", expected something like "
            "\"method\"\n");
  EXPECT_EQ(told_of(R"("never": {"event": "effect", "who": "flies"})"),
            "s.json:4:61: there are no events of \"flies\", expected something like \"files\"\n");
  EXPECT_EQ(told_of(R"("never": {"event": "request_started", "detail": {"method": "tools/cal"}})"),
            "s.json:4:81: \"tools/cal\" is no method that a client sends, expected something like "
            "\"tools/call\"\n");
  EXPECT_EQ(
      told_of(R"("eventually": {"event": "effect"}, "after": {"event": "state", "who": "fil"})"),
      "s.json:4:95: there are no events of \"fil\", expected something like \"files\"\n");
  for (const char* const right :
       {R"("never": {"event": "message_received", "who": "fil*", "detail": {"method": "no*/*"}})",
        R"("never": {"event": "node_started", "who": "preprocess_request"})",
        R"("never": {"event": "note", "who": "browser", "detail": {"text": "*"}})"}) {
    EXPECT_EQ(told_of(right), "") << right;
  }
}

// pattern_of returns what fits an event of a trace: its kind, of whom, and what its detail has.
Json pattern_of(const Json& event) {
  Json detail = Json::object();
  if (event["detail"].is_object()) {  // Else it is a batch.
    for (const auto& [key, value] : event["detail"].items()) detail[key] = nullptr;
  }
  Json pattern = {{"event", event["kind"]}, {"detail", std::move(detail)}};
  if (!string_or(event, "who", "").empty()) pattern["who"] = event["who"];
  return pattern;
}

TEST(WarningsTest, OfWhateverATraceShowsAnInvariantMaySpeak) {
  std::size_t patterns = 0;
  for (const Scenario& scenario : library_scenarios()) {
    const bool several_kinds = scenario.folder == "several" || scenario.folder == "clients" ||
                               scenario.folder == "authorization" || scenario.folder == "basics";
    if (!several_kinds) continue;
    RunOptions options;
    options.want.trace = true;
    std::istringstream lines(run_scenario(scenario, options).trace);
    std::set<std::string> all;
    for (std::string line; std::getline(lines, line);) {
      const Json event = parse_json(line).value();
      if (event.contains("kind")) all.insert(dump_json(pattern_of(event)));
    }
    Json document = scenario.document;
    document["invariants"] = Json::array();
    for (const std::string& pattern : all) {
      document["invariants"].push_back(
          {{"name", "a" + std::to_string(++patterns)}, {"never", parse_json(pattern).value()}});
    }
    const Result<Scenario> read = read_scenario(document, scenario.file);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(told(read.value().warnings), "") << scenario.id;
  }
  EXPECT_GT(patterns, 500U);
}

// The second rule waits for a third call, and there are two.
constexpr std::string_view kRules = R"({
  "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files", "times": 2},
  "servers": {"files": {
    "tools": [{"name": "list_files", "description": "List the files"}],
    "on": [
      {"method": "tools/call", "nth": 1, "do": [{"delay_ms": 1}]},
      {"method": "tools/call", "nth": 3, "do": [{"delay_ms": 1}]},
      {"method": "tools/call", "do": [{"delay_ms": 1}]}]}},
  "expect": {"status": "ok"}
})";

TEST(WarningsTest, ARuleThatNeverDidAnythingIsToldByItsNumber) {
  const Scenario scenario = load_one(kRules);
  SeedRunsOptions options;
  options.seeds = {1, 20};
  const SeedRuns runs = run_seeds({&scenario, 1}, options).front();
  const CheckResult lax = to_check_result(scenario, runs);
  EXPECT_EQ(lax.verdict, Verdict::kWarn);
  EXPECT_EQ(lax.message, "s.json:7:7: rule 2 of \"files\" (tools/call) never did anything");
  const CheckResult strict = to_check_result(scenario, runs, true);
  EXPECT_EQ(strict.verdict, Verdict::kFail);
  EXPECT_EQ(strict.message, lax.message);
  EXPECT_EQ(strict.reproduce, "plumbline run s.json --seeds 1..20 --strict");
}

TEST(WarningsTest, ATrapMustNotBeMet) {
  std::string text(kRules);
  const std::size_t second = text.find("\"nth\": 3");
  text.replace(second, 8, "\"nth\": 3, \"never\": true");
  SeedRunsOptions options;
  const auto verdict = [&] {
    const Scenario scenario = load_one(text);
    return to_check_result(scenario, run_seeds({&scenario, 1}, options).front(), true);
  };
  EXPECT_EQ(verdict().verdict, Verdict::kPass);
  text.replace(second, 8, "\"nth\": 2");
  const std::string met =
      "expect.never: rule 2 of \"files\" (tools/call) did something, expected it never";
  EXPECT_EQ(verdict().verdict, Verdict::kFail);
  EXPECT_TRUE(verdict().message.starts_with(met)) << verdict().message;
}

TEST(WarningsTest, ARuleThatDidSomethingUnderOneSeedIsNone) {
  const Scenario scenario = load_one(kRules);
  std::vector<bool> used = {true, true, true};
  EXPECT_TRUE(idle_rules(scenario, used).empty());
  used[0] = false;
  EXPECT_EQ(idle_rules(scenario, used).size(), 1U);

  SeedRuns runs;
  runs.seeds = {1, 20};
  runs.runs = 7;  // Stopped: the seeds that are left might have used them.
  EXPECT_EQ(to_check_result(scenario, runs, true).verdict, Verdict::kInconclusive);
}

}  // namespace
}  // namespace plumbline::scenarios
