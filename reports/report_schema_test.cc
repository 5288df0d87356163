// docs/report.schema.json describes what write_json writes: every member, and none that differs.

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "core/schema/schema.h"
#include "reports/answers/explanation.h"
#include "reports/answers/judged.h"
#include "reports/beside.h"
#include "reports/sample_report.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

Json as_json(const std::string& text) {
  const Result<Json> json = parse_json(text, {.bytes_max = limits::kFileBytesMax});
  EXPECT_TRUE(json.ok());
  return json.ok() ? json.value() : Json();
}

Json file(const std::string& path) {
  std::ifstream in(std::string(SOURCE_ROOT) + "/" + path, std::ios::binary);
  return as_json({std::istreambuf_iterator<char>(in), {}});
}

class ReportSchemaTest : public testing::Test {
 protected:
  void SetUp() override {
    schema_ = file("docs/report.schema.json");
    Result<schema::Schema> compiled = schema::Schema::compile(schema_);
    ASSERT_TRUE(compiled.ok()) << compiled.error().message;
    compiled_.emplace(std::move(compiled).value());
  }

  // refusal says what is wrong with a report; empty: nothing.
  std::string refusal(const Json& report) const {
    const std::optional<schema::Violation> wrong = compiled_->validate(report);
    return wrong ? wrong->instance_pointer + ": " + wrong->message : "";
  }

  // expect_described expects that every member of `object` stands in the schema at `pointer`.
  void expect_described(const Json& object, const std::string& pointer) const {
    const Json* const properties = at_pointer(schema_, pointer + "/properties");
    ASSERT_NE(properties, nullptr) << pointer;
    for (const auto& [key, value] : object.items()) {
      EXPECT_TRUE(properties->contains(key)) << pointer << " has no " << key;
    }
  }

  void expect_all_described(const Json& report) const {
    EXPECT_EQ(refusal(report), "");
    expect_described(report, "");
    expect_described(report["summary"], "/$defs/summary");
    for (const Json& result : report["results"]) {
      expect_described(result, "/$defs/result");
      for (const Json& line : result["evidence"]) expect_described(line, "/$defs/evidence");
    }
    for (const Json& judged : report.value(kJudged, Json::array())) {
      expect_described(judged, "/$defs/judged");
    }
    for (const Json& sdk : report.value(kBuiltWith, Json::array())) {
      expect_described(sdk, "/$defs/sdk");
    }
  }

  Json schema_;
  std::optional<schema::Schema> compiled_;
};

// whole_report has every member that a report of checks can have.
Report whole_report() {
  Report report = odd_report();
  add_judged(report.target, {"a", "everything", "2.0.0", "Acme", "stdio", {"2025-11-25"}});
  BuiltWith sdk;
  sdk.name = "Acme";
  sdk.revisions = {"2025-11-25"};
  sdk.habits = {{"lifecycle.version-negotiation", "2025-11-25", "stdio", "not in Acme 2"}};
  add_built_with(report.target, sdk);
  add_reasons(report, [](std::string_view) { return std::string_view("Clients end."); });
  for (const char* const beside : kBeside) {
    if (!report.target.contains(beside)) report.target[beside] = Json::object();
  }
  report.target[kShownAt] = "package.json";
  report.results.front().observed = 3;
  report.results.front().because = "jsonrpc.batch-receive";
  report.results.front().server = "a";
  report.results.front().outcome = {{"status", "ok"}};
  return report;
}

TEST_F(ReportSchemaTest, DescribesEveryMember) {
  const Json report = as_json(write_json(whole_report()));
  for (const char* const beside : kBeside) EXPECT_TRUE(report.contains(beside)) << beside;
  expect_all_described(report);
}

TEST_F(ReportSchemaTest, TakesTheReportsOfEarlierVersions) {
  for (const char* const name : {"report.json", "check-report.json"}) {
    expect_all_described(file("tests/contract/0.1.0/" + std::string(name)));
  }
}

TEST_F(ReportSchemaTest, RefusesWhatNoReportIs) {
  const Json good = as_json(write_json(odd_report()));
  Json wrong = good;
  wrong["results"][0]["verdict"] = "maybe";
  EXPECT_NE(refusal(wrong).find("/results/0/verdict"), std::string::npos) << refusal(wrong);
  wrong = good;
  wrong.erase("summary");
  EXPECT_NE(refusal(wrong), "");
  wrong = good;
  wrong["report"] = 2;
  EXPECT_NE(refusal(wrong), "");
}

}  // namespace
}  // namespace plumbline::reports
