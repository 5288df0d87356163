// Each kind of expectation and invariant that a scenario file can have, in each way of running: a
// run that breaks it fails, or says by name that it was not judged. It never passes.

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

// Kind is one expectation that the run below breaks.
struct Kind {
  const char* name;        // As a verdict calls it.
  const char* broken;      // Members of the file.
  bool over_http = false;  // The world of the file is HTTP.
};

const std::vector<Kind> kKinds = {
    {"expect.status", R"("expect": {"status": "failed"})"},
    {"expect.status", R"("expect": {"status": "needs_review"})"},
    {"expect.status", R"("expect": {"status": "answered_without_mcp"})"},
    {"expect.intent", R"("expect": {"status": "any", "intent": "use_prompt"})"},
    {"expect.route",
     R"("expect": {"status": "any", "route": ["preprocess_request", "generate_final_response"]})"},
    {"expect.route_contains",
     R"("expect": {"status": "any", "route_contains": ["mark_needs_review"]})"},
    {"expect.selected", R"("expect": {"status": "any", "selected": "files/another"})"},
    {"expect.selected", R"("expect": {"status": "any", "selected": null})"},
    {"expect.context", R"("expect": {"status": "any", "context": "records"})"},
    {"expect.arguments", R"("expect": {"status": "any", "arguments": {"path": "elsewhere"}})"},
    {"expect.item_count", R"("expect": {"status": "any", "item_count": 99})"},
    {"expect.errors", R"("expect": {"status": "any", "errors": 9})"},
    {"expect.errors_contain", R"("expect": {"status": "any", "errors_contain": "banana"})"},
    {"expect.fallback_contains", R"("expect": {"status": "any", "fallback_contains": "banana"})"},
    {"expect.response_contains", R"("expect": {"status": "any", "response_contains": ["banana"]})"},
    {"expect.response_lacks", R"("expect": {"status": "any", "response_lacks": ["notes.md"]})"},
    {"expect.effects", R"("expect": {"status": "any", "effects": 0})"},
    {"expect.effects", R"("expect": {"status": "any", "effects": {"files/list_directory": 2}})"},
    {"expect.commands_run", R"("expect": {"status": "any", "commands_run": 7})"},
    {"expect.approvals_asked", R"("expect": {"status": "any", "approvals_asked": 9})"},
    {"expect.requests", R"("expect": {"status": "any", "requests": {"tools/call": 99}})"},
    {"expect.requests",
     R"("expect": {"status": "any", "requests": {"tools/call": {"at_most": 0}}})"},
    {"expect.starts", R"("expect": {"status": "any", "starts": {"files": 9}})"},
    {"expect.exchanges", R"("expect": {"status": "any", "exchanges": {"files POST": 77}})", true},
    {"expect.virtual_ms_max", R"("expect": {"status": "any", "virtual_ms_max": 1})"},
    {"expect.virtual_ms_min", R"("expect": {"status": "any", "virtual_ms_min": 3600000})"},
    {"expect.each", R"("expect": {"status": "any", "each": [{"status": "failed"}]})"},
    {"expect.never", R"("expect": {"status": "any"}, "never": true)"},
    {"property.p", R"("expect": {"status": "any"},
                      "invariants": [{"name": "p", "always": {"status": "failed"}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
                      {"event": "message_sent", "detail": {"method": "tools/call"}}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
                      {"event": "message_received", "detail": {"result": null}}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
                      {"event": "effect", "who": "files"}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
                      {"event": "exchange", "who": "files"}}])",
     true},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
                      {"event": "request_started"}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
                      {"event": "connection"}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
                      {"event": "node_started"}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
                      {"event": "edge_taken"}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "eventually":
                      {"event": "message_sent", "detail": {"method": "resources/read"}}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p",
                      "after": {"event": "message_sent", "detail": {"method": "tools/call"}},
                      "eventually": {"event": "message_sent", "detail": {"method": "ping"}}}])"},
    {"property.p", R"("expect": {"status": "any"}, "invariants": [{"name": "p", "times": 0,
                      "at_most": {"event": "message_sent", "detail": {"method": "tools/call"}}}])"},
};

// What is wrong in these can never be broken, or never be met: a word of each is of nothing.
struct Misspelt {
  const char* members;
  const char* told;  // In the row, in every way of running.
};

const std::vector<Misspelt> kMisspelt = {
    {R"("expect": {"status": "any", "requests": {"tool/call": 0}})", "\"tool/call\" is no method"},
    {R"("expect": {"status": "any", "effects": {"files/lst_directory": 0}})",
     "no server has a tool \"files/lst_directory\""},
    {R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
        {"event": "message_sent", "detail": {"methd": "tools/call"}}}])",
     "an event \"message_sent\" has no \"methd\", expected something like \"method\""},
    {R"("expect": {"status": "any"}, "invariants": [{"name": "p", "never":
        {"event": "message_sent", "who": "nobody"}}])",
     "there are no events of \"nobody\""},
    {R"("expect": {"status": "any"}, "invariants": [{"name": "p", "at_most":
        {"event": "request_started", "detail": {"method": "tools/cal"}}, "times": 0}])",
     "\"tools/cal\" is no method"},
    {R"("expect": {"status": "any"}, "invariants": [{"name": "p",
        "eventually": {"event": "message_sent", "detail": {"method": "ping"}},
        "after": {"event": "effect", "who": "file"}}])",
     "there are no events of \"file\", expected something like \"files\""},
    {R"("expect": {"status": "any"}, "invariants": [{"name": "p", "sometimes":
        {"event": "effect"}}])",
     "property.p is not judged: `plumbline sweep`"},
};

struct Way {
  const char* name;
  std::vector<std::string> words;
  bool client = false;
};

const std::vector<Way> kWays = {
    {"simulated", {}},
    {"all-orders", {"--all-orders"}},
    {"fail-each", {"--fail-each-operation"}},
    {"real stdio", {"--real"}},
    {"real http", {"--real", "--transport", "http"}},
    {"real sse", {"--real", "--transport", "sse"}},
    {"real ws", {"--real", "--transport", "ws"}},
    {"client stdio", {"--client", "--transport", "stdio"}, true},
    {"client http", {"--client", "--transport", "http"}, true},
    {"client sse", {"--client", "--transport", "sse"}, true},
};

class ExpectationsOfFilesTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    fs::create_directories(folder_ / "broken");
    fs::create_directories(folder_ / "misspelt");
    for (std::size_t i = 0; i < kKinds.size(); ++i) write_file("broken", i, kKinds[i]);
    for (std::size_t i = 0; i < kMisspelt.size(); ++i) {
      write_file("misspelt", i, {"", kMisspelt[i].members});
    }
  }

  static std::string id_of(std::size_t i) { return "kind-" + std::to_string(i); }

  // One request, which one call of the tool answers. The call is an effect, and takes 20 ms.
  void write_file(const std::string& folder, std::size_t i, const Kind& kind) {
    std::string members = kind.broken;
    std::string server;
    const std::size_t never = members.find(", \"never\": true");
    if (never != std::string::npos) {
      members.resize(never);
      server = R"("on": [{"method": "tools/call", "never": true,
                 "do": [{"reply": {"content": [{"type": "text", "text": "notes.md"}]}}]}],)";
    }
    if (kind.over_http) {
      server += R"("http": {},)";
      members += R"(, "world": {"transport": "http"})";
    }
    write(folder + "/" + id_of(i) + ".json", R"({"plumbline": 1, "id": ")" + id_of(i) +
                                                 R"(", "title": "T.",
             "request": {"input": "List the files of the folder"},
             "policy": {"allow": ["files/*"]},
             "servers": {"files": {)" + server +
                                                 R"(
               "tools": [{"name": "list_directory", "description": "List the files of a folder",
                 "inputSchema": {"type": "object",
                                 "properties": {"path": {"type": "string", "default": "."}}},
                 "effect": {},
                 "does": [{"delay_ms": 20},
                          {"reply": {"content": [{"type": "text", "text": "notes.md"}]}}]}]}},
             )" + members + "}");
  }

  // rows returns the rows of all files, by id.
  std::map<std::string, Json> rows(const Way& way, std::vector<std::string> more = {},
                                   const std::string& folder = "broken") {
    std::vector<std::string> words = {"run", folder, "--report", "json=r.json", "--quiet"};
    words.insert(words.end(), way.words.begin(), way.words.end());
    words.insert(words.end(), more.begin(), more.end());
    if (way.client) {
      for (const char* const word : {"-j", "4", "--", PLUMBLINE_PROGRAM, "ask", "{request}",
                                     "--config", "{config}", "--approve", "all"}) {
        words.emplace_back(word);
      }
    }
    const Outcome outcome = run(words);
    std::map<std::string, Json> found;
    const Result<Json> report = parse_json(read("r.json"));
    EXPECT_TRUE(report.ok()) << outcome.out << outcome.err;
    if (!report.ok()) return found;
    for (const Json& row : report.value()["results"]) found[string_or(row, "id", "")] = row;
    return found;
  }
};

TEST_F(ExpectationsOfFilesTest, NoWayOfRunningPassesWhatARunBreaks) {
  std::string table = "\n";
  for (const Way& way : kWays) {
    std::map<std::string, Json> all = rows(way);
    ASSERT_EQ(all.size(), kKinds.size()) << way.name;
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      const std::string verdict = string_or(all[id_of(i)], "verdict", "");
      const std::string told = string_or(all[id_of(i)], "message", "");
      const std::string name = kKinds[i].name;
      table += std::string(way.name) + " | " + name + " | " + kKinds[i].broken + " | " + verdict +
               " | " + told.substr(0, 160) + "\n";
      // What each request comes to is told by the key that it breaks.
      const std::string key = name == "expect.each" ? "expect.status" : name;
      const auto tells = [&told](const std::string& part) {
        return told.find(part) != std::string::npos;
      };
      const bool right = (verdict == "fail" && tells(key + ": ")) ||
                         (verdict == "inconclusive" && tells(name + " is not judged: ")) ||
                         (verdict == "skip" && !told.empty());
      EXPECT_TRUE(right) << way.name << " " << name << " " << kKinds[i].broken << ": " << verdict
                         << " " << told;
    }
  }
  if (std::getenv("PLUMBLINE_SHOW_TABLE") != nullptr) std::cout << table;
}

TEST_F(ExpectationsOfFilesTest, NoWayOfRunningPassesInSilenceWhatIsMisspelt) {
  for (const Way& way : kWays) {
    std::map<std::string, Json> all = rows(way, {}, "misspelt");
    ASSERT_EQ(all.size(), kMisspelt.size()) << way.name;
    for (std::size_t i = 0; i < kMisspelt.size(); ++i) {
      const std::string told = string_or(all[id_of(i)], "message", "");
      EXPECT_NE(told.find(kMisspelt[i].told), std::string::npos)
          << way.name << " " << kMisspelt[i].members << ": " << told;
      const bool sometimes = std::string(kMisspelt[i].told).starts_with("property.p is");
      EXPECT_TRUE(sometimes || string_or(all[id_of(i)], "verdict", "") != "pass") << told;
    }
  }
}

// What the user asks to leave out is left out by name.
TEST_F(ExpectationsOfFilesTest, ByTheRulesAloneNothingOfTheFileIsJudgedAndAllIsNamed) {
  std::map<std::string, Json> all = rows(kWays[7], {"--rules-only"});
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const std::string name = kKinds[i].name;
    const Json& row = all[id_of(i)];
    if (kKinds[i].over_http) continue;  // Skipped.
    EXPECT_EQ(string_or(row, "verdict", ""), "pass") << dump_json(row);
    if (name == "expect.never") continue;
    EXPECT_NE(dump_json(row["outcome"]["not_judged"]).find(name), std::string::npos) << name;
  }
}

// The table above has every key that the schema of a scenario file with an agent knows.
TEST_F(ExpectationsOfFilesTest, EveryKeyOfTheSchemaHasARow) {
  std::ifstream file(SOURCE_ROOT "/docs/scenario.schema.json", std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const Result<Json> schema = parse_json(text);
  ASSERT_TRUE(schema.ok());
  std::string rows;
  for (const Kind& kind : kKinds) rows += std::string(kind.name) + " " + kind.broken;
  // Those of clients of a server of ours, and of fleets, are of the simulation alone.
  const std::set<std::string> elsewhere = {"kept",
                                           "answered_percent_min",
                                           "recovers_ms_max",
                                           "recovery_percent_max",
                                           "connections_percent_max",
                                           "unfair_percent_max"};
  const Json& expect = *at_pointer(schema.value(), "/properties/expect/properties");
  for (const auto& [key, unused] : expect.items()) {
    if (elsewhere.contains(key)) continue;
    EXPECT_NE(rows.find("expect." + key), std::string::npos) << key;
  }
  const Json& verbs = *at_pointer(schema.value(), "/properties/invariants/items/properties");
  for (const auto& [key, unused] : verbs.items()) {
    if (key == "sometimes" || key == "calm") continue;  // Of a sweep's worlds.
    EXPECT_NE(rows.find('"' + key + '"'), std::string::npos) << key;
  }
}

TEST_F(ExpectationsOfFilesTest, AnExpectationThatThereIsNotIsRefused) {
  write("typo.json", R"({"plumbline": 1, "id": "typo", "title": "T.", "request": {"input": "x"},
    "servers": {"files": {}}, "expect": {"status": "ok", "respons_contains": ["banana"]}})");
  for (const Way& way : kWays) {
    std::vector<std::string> words = {"run", "typo.json"};
    words.insert(words.end(), way.words.begin(), way.words.end());
    if (way.client) words.insert(words.end(), {"--", "/bin/cat"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << way.name;
    EXPECT_NE(outcome.err.find("respons_contains"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace plumbline::cli
