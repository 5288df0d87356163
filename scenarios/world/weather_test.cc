#include "scenarios/world/weather.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/fault_verbs.h"
#include "scenarios/format/format.h"
#include "scenarios/format/library_files.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

constexpr std::string_view kOpen = R"({
  "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
  "servers": {"a": {}, "b": {}, "c": {}}, "expect": {"status": "ok"}
})";

Scenario load_weather_file(std::string_view text) {
  Result<Scenario> loaded = load_scenario(text, "s.json");
  EXPECT_TRUE(loaded.ok()) << loaded.error().message << '\n' << text;
  return std::move(loaded).value();
}

Weather draw(const Scenario& scenario, std::uint64_t seed) {
  fakes::Choices choices = weather_choices(scenario, seed);
  return draw_weather(scenario, choices);
}

TEST(WeatherTest, TheSameChoicesDrawTheSame) {
  const Scenario scenario = load_weather_file(kOpen);
  std::set<std::string> different;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    fakes::Choices choices = weather_choices(scenario, seed);
    const Weather first = draw_weather(scenario, choices);
    std::vector<std::uint64_t> values;
    for (const fakes::Choices::Choice& choice : choices.made()) values.push_back(choice.value);
    fakes::Choices again(values);
    EXPECT_EQ(draw_weather(scenario, again), first) << seed;
    EXPECT_EQ(again.made(), choices.made());
    different.insert(dump_json(to_json(first)));
  }
  EXPECT_GT(different.size(), 70U);
}

TEST(WeatherTest, ChoicesThatAreAllNothingAreTheFileItself) {
  for (const char* id : {"link-stalls-and-heals", "list-files-happy-path"}) {
    fakes::Choices none{std::vector<std::uint64_t>{}};
    EXPECT_EQ(draw_weather(find_scenario(id), none), weather_of(find_scenario(id)));
  }
}

TEST(WeatherTest, WithoutTheSpanOfAFaultTheRestIsTheSame) {
  const Scenario scenario = load_weather_file(kOpen);
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    fakes::Choices choices = weather_choices(scenario, seed);
    const Weather whole = draw_weather(scenario, choices);
    if (whole.faults.size() < 3 || whole.faults.size() > 10) continue;
    // Three spans before the faults and three behind; swizzled ones have several, and rare branches
    // one each: only plain lists are compared.
    if (choices.spans().size() != whole.faults.size() + 6) continue;
    const fakes::Choices::Span cut = choices.spans()[3];
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < choices.made().size(); ++i) {
      if (i < cut.first || i >= cut.last) values.push_back(choices.made()[i].value);
    }
    fakes::Choices fewer(values);
    Weather expected = whole;
    expected.faults.erase(expected.faults.begin() + 1);
    EXPECT_EQ(draw_weather(scenario, fewer).faults, expected.faults) << seed;
    ++tried;
  }
  EXPECT_GT(tried, 5);
}

TEST(WeatherTest, EveryKindIsDrawnAndCalmToo) {
  const Scenario scenario = load_weather_file(kOpen);
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Weather weather = draw(scenario, seed);
    std::set<std::string> kinds;
    for (const Fault& fault : weather.faults) {
      kinds.insert(std::string(info_of(fault.verb).name));
      if (fault.after_bytes) kinds.insert("after bytes");
      if (fault.at > std::chrono::seconds(10)) kinds.insert("late");
      if (fault.at < std::chrono::milliseconds(100)) kinds.insert("early");
      EXPECT_LE(fault.at, std::chrono::minutes(1));
    }
    const WorldSpec& world = weather.world;
    if (world.latency_tail_percent > 0) kinds.insert("tail");
    if (world.bytes_per_s > 0) kinds.insert("bandwidth");
    if (world.order == fakes::Order::kPermuted) kinds.insert("permuted");
    if (world.fragments == fakes::Fragments::kOneByte) kinds.insert("one byte");
    if (world.fragments == fakes::Fragments::kRandom) kinds.insert("random cuts");
    kinds.insert("transport " + std::to_string(static_cast<int>(world.transport)));
    if (weather == weather_of(scenario)) kinds = {"calm"};
    for (const std::string& kind : kinds) ++seen[kind];
  }
  for (const VerbInfo& verb : all_verbs()) EXPECT_GT(seen[std::string(verb.name)], 10) << verb.name;
  for (const char* kind :
       {"after bytes", "late", "early", "tail", "bandwidth", "permuted", "one byte", "random cuts",
        "transport 1", "transport 2", "transport 3", "transport 4", "transport 5"}) {
    EXPECT_GT(seen[kind], 3) << kind;
  }
  EXPECT_GT(seen["calm"], 50);
  EXPECT_LT(seen["calm"], 110);
}

TEST(WeatherTest, SwizzledServersClogOneAfterTheOther) {
  const Scenario scenario = load_weather_file(kOpen);
  int swizzles = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const std::vector<Fault> faults = draw(scenario, seed).faults;
    for (std::size_t i = 0; i + 2 < faults.size(); ++i) {
      const bool three = faults[i].server == "a" && faults[i + 1].server == "b" &&
                         faults[i + 2].server == "c" && faults[i].verb == Fault::Verb::kClog &&
                         faults[i + 1].verb == Fault::Verb::kClog &&
                         faults[i + 2].verb == Fault::Verb::kClog;
      if (three && faults[i].at < faults[i + 1].at) ++swizzles;
    }
  }
  EXPECT_GT(swizzles, 5);
}

TEST(WeatherTest, WhatAFileSaysStays) {
  const Scenario scenario = load_weather_file(R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
    "servers": {"a": {}}, "expect": {"status": "ok"},
    "world": {"transport": "values", "latency_ms": 3, "request_timeout_ms": 5},
    "faults": [{"server": "a", "do": "stall", "at_ms": 1, "for_ms": 2}]
  })");
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Weather weather = draw(scenario, seed);
    EXPECT_EQ(weather.world.transport, Transport::kValues);
    EXPECT_EQ(weather.world.fragments, fakes::Fragments::kWhole);
    EXPECT_EQ(weather.world.latency_max, std::chrono::milliseconds(3));
    EXPECT_EQ(weather.world.request_timeout, std::chrono::milliseconds(5));
    ASSERT_FALSE(weather.faults.empty());
    EXPECT_EQ(weather.faults.front(), scenario.faults.front());
    for (const Fault& fault : weather.faults) EXPECT_FALSE(needs_bytes(fault));
  }
}

TEST(WeatherTest, AWorldWithoutServersHasNoFaults) {
  const Scenario scenario = load_weather_file(R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "Hello"},
    "expect": {"status": "answered_without_mcp"}
  })");
  for (std::uint64_t seed = 1; seed <= 50; ++seed) EXPECT_TRUE(draw(scenario, seed).faults.empty());
}

TEST(WeatherTest, WhatWasDrawnCanStandInAFile) {
  const Scenario scenario = load_weather_file(kOpen);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Weather weather = draw(scenario, seed);
    Json file = parse_json(kOpen).value();
    const Json written = to_json(weather);
    file["world"] = written["world"];
    file["faults"] = written["faults"];
    if (written.contains("rare")) file["rare"] = written["rare"];
    EXPECT_EQ(weather_of(load_weather_file(dump_json(file))), weather) << dump_json(file);
  }
}

TEST(WeatherTest, NoWeatherBreaksAnInvariantOfTheLibrary) {
  const std::vector<Scenario> library = sampled_scenarios();
  for (std::uint64_t seed = 1; seed <= library.size(); ++seed) {
    const Scenario& scenario = library[seed % library.size()];
    const Weather weather = draw(scenario, seed);
    RunOptions options;
    options.seed = seed;
    options.weather = &weather;
    for (const RunFailure& failure : run_scenario(scenario, options).failures) {
      ADD_FAILURE() << scenario.file << ", seed " << seed << ": " << failure.check << ": "
                    << failure.message << '\n'
                    << dump_json(to_json(weather));
    }
  }
}

TEST(WeatherTest, OnlyWhatChangesNothingKeepsTheOutcome) {
  const Scenario scenario = load_weather_file(kOpen);
  Weather weather = weather_of(scenario);
  EXPECT_TRUE(keeps_outcome(scenario, weather));
  weather.world.fragments = fakes::Fragments::kRandom;
  weather.world.transport = Transport::kBytes;
  EXPECT_TRUE(keeps_outcome(scenario, weather));
  weather.world.bytes_per_s = 1;
  EXPECT_FALSE(keeps_outcome(scenario, weather));
  weather = weather_of(scenario);
  weather.faults.emplace_back();
  EXPECT_FALSE(keeps_outcome(scenario, weather));
}

}  // namespace
}  // namespace plumbline::scenarios
