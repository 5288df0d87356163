#include "core/service/sessions/codap_tools.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/rng.h"

namespace plumbline::service {

namespace {

constexpr std::int64_t kRecordsMax = 1'000;

constexpr auto kNames = std::to_array<const char*>(
    {"Ada",   "Ben",   "Chloe", "Diego", "Emma", "Farid",  "Grace", "Hana",  "Ivan",
     "Jamal", "Kira",  "Liam",  "Maya",  "Noah", "Olga",   "Priya", "Quinn", "Rosa",
     "Sam",   "Tariq", "Uma",   "Vera",  "Wei",  "Ximena", "Yara",  "Zoe"});

Json attribute(const std::string& name, const char* type) {
  return {{"name", name}, {"type", type}};
}

// hundredths returns a number from `low` to `high` with two digits behind the point.
double hundredths(Rng& rng, std::int64_t low, std::int64_t high) {
  return static_cast<double>(rng.between(low * 100, high * 100)) / 100.0;
}

// rounded returns a number with at most two digits behind the point.
double rounded(double value) { return std::round(value * 100) / 100; }

Json random_numbers(std::int64_t count, Rng rng) {
  Json records = Json::array();
  for (std::int64_t i = 1; i <= count; ++i) {
    const double x = hundredths(rng, 0, 100);
    // y leans on x, so that a scatter plot has something to show.
    const double y = rounded(std::clamp(x / 2 + hundredths(rng, 0, 50), 0.0, 100.0));
    records.push_back({{"id", i}, {"x", x}, {"y", y}});
  }
  return {{"attributes",
           {attribute("id", "numeric"), attribute("x", "numeric"), attribute("y", "numeric")}},
          {"records", std::move(records)}};
}

Json sample_students(std::int64_t count, Rng rng) {
  Json records = Json::array();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t grade = rng.between(6, 12);
    const std::int64_t age = grade + 5 + rng.between(0, 1);
    const std::int64_t height = 100 + age * 4 + rng.between(-10, 10);
    records.push_back({{"name", kNames[static_cast<std::size_t>(rng.below(kNames.size()))]},
                       {"age", age},
                       {"grade", grade},
                       {"heightCm", height},
                       {"score", std::clamp<std::int64_t>(rng.between(50, 100), 0, 100)}});
  }
  return {{"attributes",
           {attribute("name", "categorical"), attribute("age", "numeric"),
            attribute("grade", "categorical"), attribute("heightCm", "numeric"),
            attribute("score", "numeric")}},
          {"records", std::move(records)}};
}

Json time_series(std::int64_t count, Rng rng) {
  Json records = Json::array();
  double value = hundredths(rng, 40, 60);
  Duration day = std::chrono::days(20'454);  // 2026-01-01
  for (std::int64_t i = 0; i < count; ++i, day += std::chrono::days(1)) {
    value = std::clamp(value + hundredths(rng, -3, 3), 0.0, 100.0);
    const double shown = static_cast<double>(static_cast<std::int64_t>(value * 100)) / 100.0;
    records.push_back({{"date", rfc3339(day).substr(0, 10)}, {"day", i + 1}, {"value", shown}});
  }
  return {{"attributes",
           {attribute("date", "date"), attribute("day", "numeric"), attribute("value", "numeric")}},
          {"records", std::move(records)}};
}

// columns_of returns every column that one of the records has, in the order in which they come. One
// is numeric where every value in it is a number.
Json columns_of(const Json& records) {
  std::map<std::string, std::size_t> known;
  std::vector<std::pair<std::string, bool>> columns;
  for (const Json& record : records) {
    for (const auto& [name, value] : record.items()) {
      const auto [at, fresh] = known.try_emplace(name, columns.size());
      if (fresh) columns.emplace_back(name, true);
      bool& numeric = columns[at->second].second;
      numeric = numeric && (value.is_number() || value.is_null());
    }
  }
  Json out = Json::array();
  for (const auto& [name, numeric] : columns) {
    out.push_back(attribute(name, numeric ? "numeric" : "categorical"));
  }
  return out;
}

// custom is what the caller brings: records as they are, or numbers for the attributes that are
// named. recordCount bounds the first and says how many of the second.
Json custom(const Json& arguments, std::int64_t count, Rng rng) {
  const Json* const given = find(arguments, "records");
  const Json* const names = find(arguments, "attributes");
  Json records = Json::array();
  Json attributes = Json::array();
  if (names != nullptr) {
    for (const Json& name : *names) {
      attributes.push_back(attribute(name.get_ref<const std::string&>(), "numeric"));
    }
  }
  if (given != nullptr) {
    for (const Json& record : *given) {
      if (static_cast<std::int64_t>(records.size()) < count) records.push_back(record);
    }
    if (attributes.empty()) attributes = columns_of(records);
  } else {
    if (attributes.empty()) attributes.push_back(attribute("value", "numeric"));
    for (std::int64_t i = 0; i < count; ++i) {
      Json record = Json::object();
      for (const Json& each : attributes) {
        record[string_or(each, "name", "")] = hundredths(rng, 0, 100);
      }
      records.push_back(std::move(record));
    }
  }
  return {{"attributes", std::move(attributes)}, {"records", std::move(records)}};
}

Json text_property(const char* what) {
  return {{"type", "string"}, {"description", what}, {"minLength", 1}, {"maxLength", 256}};
}

Json choice_property(const char* what, std::initializer_list<const char*> choices) {
  return {{"type", "string"}, {"description", what}, {"enum", choices}};
}

Json dataset_tool() {
  const Json record_count = {{"type", "number"},
                             {"multipleOf", 1},
                             {"minimum", 1},
                             {"maximum", kRecordsMax},
                             {"description", "Number of records to generate"}};
  const Json attributes = {
      {"type", "array"},
      {"maxItems", 50},
      {"items", {{"type", "string"}, {"minLength", 1}, {"maxLength", 64}}},
      {"description", "Of dataType custom: the attributes, filled with numbers without records"}};
  const Json records = {{"type", "array"},
                        {"maxItems", kRecordsMax},
                        {"items", {{"type", "object"}}},
                        {"description", "Of dataType custom: the data"}};
  const Json seed = {{"type", "integer"}, {"description", "Other data for every number"}};
  return {{"name", kCreateDataset},
          {"title", "Create a dataset"},
          {"description", "Create a new dataset in CODAP with specified data"},
          {"inputSchema",
           {{"type", "object"},
            {"properties",
             {{"datasetName", text_property("Name for the dataset in CODAP")},
              {"dataType",
               choice_property("Type of data to generate",
                               {"random_numbers", "sample_students", "time_series", "custom"})},
              {"recordCount", record_count},
              {"attributes", attributes},
              {"records", records},
              {"seed", seed}}},
            {"required", {"datasetName", "dataType", "recordCount"}}}}};
}

Json graph_tool() {
  return {
      {"name", kCreateGraph},
      {"title", "Create a graph"},
      {"description", "Create a graph/visualization in CODAP"},
      {"inputSchema",
       {{"type", "object"},
        {"properties",
         {{"datasetName", text_property("Name of the dataset to visualize")},
          {"graphType", choice_property("Type of graph to create",
                                        {"scatterplot", "histogram", "bar_chart", "line_graph"})},
          {"xAttribute", text_property("Attribute for X-axis")},
          {"yAttribute", text_property("Attribute for Y-axis (optional for some graph types)")},
          {"title", text_property("Title for the graph")}}},
        {"required", {"datasetName", "graphType", "xAttribute"}}}}};
}

}  // namespace

ToolSet codap_tools() {
  Result<ToolSet> tools = ToolSet::read(Json::array({dataset_tool(), graph_tool()}));
  check(tools.ok(), "a tool of our own breaks our rules");
  return std::move(tools).value();
}

Json make_dataset(const Json& arguments) {
  const std::string name = string_or(arguments, "datasetName", "");
  const std::string type = string_or(arguments, "dataType", "");
  const std::int64_t count =
      std::clamp<std::int64_t>(int_or(arguments, "recordCount", 1), 1, kRecordsMax);
  const auto seed = static_cast<std::uint64_t>(int_or(arguments, "seed", 0));
  const Rng rng = Rng(seed).fork(type + "/" + name);
  Json made;
  if (type == "random_numbers") made = random_numbers(count, rng);
  if (type == "sample_students") made = sample_students(count, rng);
  if (type == "time_series") made = time_series(count, rng);
  if (type == "custom") made = custom(arguments, count, rng);
  made["name"] = name;
  return made;
}

}  // namespace plumbline::service
