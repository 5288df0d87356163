// docs/scenario.schema.json is what the tables of the reader print, and says the same as it: what
// it refuses, the reader refuses. With PLUMBLINE_UPDATE_DOCS set, the test writes the file.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/json/json.h"
#include "core/json/locate.h"
#include "core/schema/schema.h"
#include "scenarios/format/format.h"
#include "scenarios/format/format_expect.h"
#include "scenarios/format/format_fleet.h"
#include "scenarios/format/format_weather.h"
#include "scenarios/format/library_files.h"
#include "scenarios/format/scenario_schema.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/world/weather.h"

namespace plumbline::scenarios {

namespace {

Json read(const std::string& path) {
  std::ifstream file(std::string(SOURCE_ROOT) + "/" + path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  JsonLimits rules;
  rules.comments = true;
  const Result<Json> parsed = parse_json(text, rules);
  EXPECT_TRUE(parsed.ok()) << path;
  return parsed.ok() ? parsed.value() : Json();
}

class ScenarioSchemaTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<schema::Schema> compiled = schema::Schema::compile(read("docs/scenario.schema.json"));
    ASSERT_TRUE(compiled.ok()) << compiled.error().message;
    schema_.emplace(std::move(compiled).value());
  }

  // refusal returns why the schema refuses `scenario`, "" when it does not.
  std::string refusal(const Json& scenario) const {
    const std::optional<schema::Violation> wrong = schema_->validate(scenario);
    return wrong ? wrong->instance_pointer + ": " + wrong->message : "";
  }

  std::optional<schema::Schema> schema_;
};

TEST_F(ScenarioSchemaTest, AcceptsTheLibrary) {
  for (const Scenario& scenario : library_scenarios()) {
    EXPECT_EQ(refusal(read(scenario.file)), "") << scenario.file;
  }
}

TEST_F(ScenarioSchemaTest, AcceptsWhateverWeatherIsDrawn) {
  Json file = read("scenarios/library/basics/list-files-happy-path.json");
  const Scenario& scenario = find_scenario("list-files-happy-path");
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    fakes::Choices choices = weather_choices(scenario, seed);
    const Json weather = to_json(draw_weather(scenario, choices));
    file["world"] = weather["world"];
    file["faults"] = weather["faults"];
    EXPECT_EQ(refusal(file), "") << dump_json(weather);
  }
}

TEST_F(ScenarioSchemaTest, RefusesWhatTheReaderRefuses) {
  const Json good = read("scenarios/library/basics/link-stalls-and-heals.json");
  const auto reader_refuses = [](const Json& file) {
    return !load_scenario(dump_json(file), "link-stalls-and-heals.json").ok();
  };
  ASSERT_EQ(refusal(good), "");
  ASSERT_FALSE(reader_refuses(good));
  const std::pair<const char*, const char*> wrong[] = {
      {"/plumbline", "2"},
      {"/id", "7"},
      {"/title", R"("")"},
      {"/extra", "1"},
      {"/source", R"([1])"},
      {"/source", R"("")"},
      {"/approve", R"("some")"},
      {"/request/times", "0"},
      {"/request/extra", "1"},
      {"/policy", R"({"allow": [1]})"},
      {"/servers/files/extra", "1"},
      {"/servers/files/joins_ms", "-1"},
      {"/servers/files/transport", R"("stdio")"},
      {"/servers/files/tools", R"([{"name": 7}])"},
      {"/servers/files/http", R"({"replicas": 0})"},
      {"/servers/files/http", R"({"rules": [{}]})"},
      {"/servers/files/http", R"({"rules": [{"do": {"status": 99}}]})"},
      {"/servers/files/http", R"({"rules": [{"do": {"cut": {"how": "gently"}}}]})"},
      {"/servers/files/http", R"({"rules": [{"do": {"buffer": false}}]})"},
      {"/servers/files/on", R"([{"method": "ping", "do": [{"dance": true}]}])"},
      {"/world/fragments", R"("small")"},
      {"/world/latency_ms", "-1"},
      {"/faults/0/for_ms", R"("long")"},
      {"/faults/0/do", R"("dance")"},
      {"/faults/0/nth", "1"},
      {"/expect/status", R"("fine")"},
      {"/expect/route/0", R"("dream")"},
      {"/expect/effects", "-1"},
      {"/expect/extra", "1"},
      {"/expect/each", R"([{"requests": {}}])"},
      {"/users", R"({"ann": {"request": {"input": "A"}, "expect": {"status": "ok"}}})"},
      {"/agents", R"({"desk": "operations-assistant"})"},
      {"/expect/requests", R"({"tools/call": {"at_least": 1}})"},
      {"/secrets", R"(["abc"])"},
      {"/servers/files/revision", R"("2026-07-29")"},
      {"/clients", R"({"eve": {"does": []}})"},
      {"/answers", R"({"approve": true})"},
      {"/expect/kept", R"({"sessions": 0})"},
      {"/servers/files/authorization", R"({"refresh": "sometimes"})"},
      {"/servers/files/authorization", R"({"lifetime_ms": 999})"},
      {"/servers/files/authorization", R"({"scopes": {"list_directory": 1}})"},
      {"/sign_in", R"({"person": ["sleeps"]})"},
      {"/sign_in", R"({"stored": {"files": {"old": true}}})"},
      {"/sign_in", R"({"clock": [{"at_ms": 1}]})"},
  };
  for (const auto& [pointer, value] : wrong) {
    Json file = good;
    file[Json::json_pointer(pointer)] = parse_json(value).value();
    EXPECT_NE(refusal(file), "") << pointer;
    EXPECT_TRUE(reader_refuses(file)) << pointer;
  }
}

// places adds a pointer to each value within `json`.
void places(const Json& json, const std::string& pointer, std::vector<std::string>& all) {
  for (const auto& [key, value] : json.items()) {
    const std::string at = pointer + '/' + pointer_token(key);
    all.push_back(at);
    if (value.is_structured()) places(value, at, all);
  }
}

// Goal: the schema refuses nothing that the reader takes, and no wrong value ends the program.
// Method: in each file of the library values are replaced, one at a time, by ones of other types
// and ranges, or taken away.
TEST_F(ScenarioSchemaTest, RefusesNothingThatTheReaderTakes) {
  constexpr std::size_t kTimesEach = 8;
  const Json odd = parse_json(R"([0, -1, 1, 1.5, 1e12, "", "x", "none", true, false, null, [], {},
                                  [1], {"a": 1}, ["a", "b"], [0, 1], [1, 0], 99999])")
                       .value();
  Rng rng(1);
  std::size_t refused = 0;
  for (const Scenario& scenario : library_scenarios()) {
    const Json good = read(scenario.file);
    std::vector<std::string> all;
    places(good, "", all);
    for (std::size_t i = 0; i < kTimesEach; ++i) {
      Json file = good;
      const Json::json_pointer at(all[rng.below(all.size())]);
      const std::size_t which = rng.below(odd.size() + 1);
      if (which < odd.size()) {
        file[at] = odd[which];
      } else if (file[at.parent_pointer()].is_object()) {
        file[at.parent_pointer()].erase(at.back());
      }
      const bool taken = read_scenario(file, scenario.file).ok();
      const std::string why = refusal(file);
      EXPECT_FALSE(taken && !why.empty()) << scenario.file << ' ' << at.to_string() << ": " << why;
      refused += taken ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 1'000U);
}

bool writes_docs() { return std::getenv("PLUMBLINE_UPDATE_DOCS") != nullptr; }

std::string doc(const std::string& name) {
  std::ifstream file(std::string(SOURCE_ROOT) + "/docs/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_doc(const std::string& name, const std::string& printed) {
  const std::string path = std::string(SOURCE_ROOT) + "/docs/" + name;
  if (writes_docs()) std::ofstream(path, std::ios::binary) << printed;
  EXPECT_EQ(doc(name), printed) << path
                                << " is not what is read; PLUMBLINE_UPDATE_DOCS=1 writes it";
}

TEST(PrintedSchemaTest, IsTheFileOfTheDocs) {
  expect_doc("scenario.schema.json", pretty_json(scenario_schema()) + '\n');
}

// table_of prints a line for each member of `shape`.
std::string table_of(const Json& shape, const std::string& head) {
  std::string out = "| " + head + " | |\n|---|---|\n";
  for (const auto& [key, member] : shape["properties"].items()) {
    out += "| `" + key + "` | " + string_or(member, "description", "") + " |\n";
  }
  return out;
}

std::string table_of_invariants() {
  std::string out = "| id | what holds in every run |\n|---|---|\n";
  for (const InvariantInfo& one : all_invariants()) {
    out += "| `" + std::string(one.id) + "` | " + std::string(one.what) + " |\n";
  }
  return out;
}

// table_of_faults prints a line for each thing that a fault of the network may be.
std::string table_of_faults() {
  std::string out = "| `do` | takes | what happens |\n|---|---|---|\n";
  const Json faults = faults_shape();
  for (const Json& one : faults["items"]["oneOf"]) {
    const Json* const verb = at_pointer(one, "/properties/do/const");
    if (!one["properties"].contains("server")) continue;  // Of the assistant itself.
    std::string takes;
    for (const auto& [key, shape] : one["properties"].items()) {
      if (key == "do" || key == "server") continue;
      const Json& needed = one["required"];
      const bool must = std::ranges::find(needed, Json(key)) != needed.end();
      takes += (takes.empty() ? "`" : ", `") + key + (must ? "`" : "`?");
    }
    out += "| `" + verb->get<std::string>() + "` | " + takes + " | " +
           string_or(one, "description", "") + " |\n";
  }
  return out;
}

std::string table_of_crash_points() {
  std::string out = "| `at` | when |\n|---|---|\n";
  for (const CrashPointInfo& one : all_crash_points()) {
    out += "| `" + std::string(one.name) + "` | " + std::string(one.what) + " |\n";
  }
  return out;
}

// Goal: what docs/scenario-format.md says of each key is what the table of the reader says. Method:
// each table between "<!-- printed: NAME -->" and "<!-- end -->" is printed again.
TEST(PrintedSchemaTest, HasTheTablesOfTheDocs) {
  const Json schema = scenario_schema();
  const Json& defs = schema["$defs"];
  Json match = defs["http"]["properties"]["rules"]["items"];
  match["properties"].erase("do");
  const std::map<std::string, std::string> tables = {
      {"match", table_of(match, "match")},
      {"do", table_of(defs["http_action"], "in `do`")},
      {"authorization", table_of(defs["authorization"], "in `authorization`")},
      {"sign_in", table_of(schema["properties"]["sign_in"], "in `sign_in`")},
      {"command", table_of(defs["shell_commands"]["additionalProperties"], "key of a command")},
      {"expect of a fleet", table_of(fleet_expect_shape(), "in `expect`")},
      {"world", table_of(world_shape(), "key")},
      {"expect", table_of(expect_shape(), "key")},
      {"invariants", table_of_invariants()},
      {"faults", table_of_faults()},
      {"crash points", table_of_crash_points()},
  };
  std::string page = doc("scenario-format.md");
  for (const auto& [name, table] : tables) {
    const std::string begin = "<!-- printed: " + name + " -->\n";
    const std::size_t from = page.find(begin);
    ASSERT_NE(from, std::string::npos) << name;
    const std::size_t to = page.find("<!-- end -->", from);
    page.replace(from + begin.size(), to - from - begin.size(), table);
  }
  expect_doc("scenario-format.md", page);
}

}  // namespace
}  // namespace plumbline::scenarios
