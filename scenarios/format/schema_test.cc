// docs/scenario.schema.json says the same as the reader: what it refuses, the reader refuses.

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/schema/schema.h"
#include "scenarios/format/format.h"
#include "scenarios/format/format_faults.h"
#include "scenarios/format/library_files.h"
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

TEST(ScenarioSchemaListsTest, NameEveryTransportAndRevision) {
  const Json schema = read("docs/scenario.schema.json");
  Json preferred = Json::array();
  Json spoken = Json::array();
  for (const mcp::Revision revision : mcp::all_revisions()) {
    spoken.push_back(mcp::name_of(revision));
    if (revision >= mcp::kLatestStateful) preferred.push_back(mcp::name_of(revision));
  }
  Json served = Json::array();
  for (const mcp::Transport transport : mcp::all_transports()) {
    if (transport != mcp::Transport::kStdio) served.push_back(mcp::name_of(transport));
  }
  const Json& world = schema["properties"]["world"]["properties"];
  EXPECT_EQ(world["transport"]["enum"], Json(kTransportNames));
  EXPECT_EQ(world["revision"]["enum"], preferred);
  const Json& server = schema["$defs"]["server"]["properties"];
  EXPECT_EQ(server["transport"]["enum"], served);
  EXPECT_EQ(server["revision"]["enum"], spoken);
}

}  // namespace
}  // namespace plumbline::scenarios
