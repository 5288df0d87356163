#include "reports/effort.h"

#include <string>

#include <gtest/gtest.h>

#include "reports/merge.h"
#include "reports/read_report.h"
#include "reports/sample_report.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

Report timed(const std::string& revision) {
  Report report = odd_report();
  report.results = {odd_pass()};
  report.results[0].revision = revision;
  report.target = Json::object({{"servers", Json::array()}});
  report.target[kEffort] = parse_json(R"({"starts": 3, "answers": {"times": 40, "ms": 1500},
                                          "silences": {"times": 0, "ms": 0}})")
                               .value();
  return report;
}

TEST(EffortTest, IsOneLineOfAVerboseConsole) {
  const std::string line = "waited, much of it side by side: started 3 times, 40 answers 1.5 s";
  EXPECT_EQ(effort_text(timed("2025-11-25")), line);
  EXPECT_NE(write_console(timed("2025-11-25"), {.verbose = true}).find(line), std::string::npos);
  EXPECT_EQ(write_console(timed("2025-11-25"), {}).find("waited"), std::string::npos);
  EXPECT_EQ(effort_text(odd_report()), "");
}

TEST(EffortTest, StandsBesideTheTargetInJsonAndComesBack) {
  const std::string text = write_json(timed("2025-11-25"));
  const Json json = parse_json(text).value();
  EXPECT_EQ(json["effort"]["starts"], 3);
  EXPECT_FALSE(json["target"].contains("effort"));
  EXPECT_EQ(write_json(read_report(text).value()), text);
}

TEST(EffortTest, PartsAddUp) {
  const Result<Report> merged =
      merge_reports({{"one", timed("2025-11-25")}, {"two", timed("2026-07-28")}});
  ASSERT_TRUE(merged.ok()) << merged.error().message;
  EXPECT_EQ(effort_text(merged.value()),
            "waited, much of it side by side: started 6 times, 80 answers 3 s");
  EXPECT_FALSE(merged.value().target.contains("merged")) << "it is one server";
}

}  // namespace
}  // namespace plumbline::reports
