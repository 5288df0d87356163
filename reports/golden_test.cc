// Every format against the bytes in golden/. After a wanted change, look at the file that the
// failing test names and copy it over the old one.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "reports/answers/explanation.h"
#include "reports/beside.h"
#include "reports/sample_report.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string golden = std::string(SOURCE_ROOT) + "/reports/golden/" + name;
  std::ostringstream expected;
  expected << std::ifstream(golden, std::ios::binary).rdbuf();
  if (expected.str() == actual) return;
  const std::filesystem::path folder = std::filesystem::path(BINARY_ROOT) / "golden";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name, std::ios::binary) << actual;
  ADD_FAILURE() << "differs; if it is right: cp " << (folder / name).string() << " " << golden;
}

// scenarios_report is odd_report() as a run of scenarios gives it.
Report scenarios_report() {
  Report report = odd_report();
  report.command = "run";
  report.target = nullptr;
  return report;
}

TEST(GoldenTest, ConsoleIsAlignedAndGroupedByArea) {
  expect_golden("console.txt", write_console(scenarios_report(), {}));
}

TEST(GoldenTest, ConsoleInColour) {
  expect_golden("console_color.txt", write_console(scenarios_report(), {.color = true}));
}

TEST(GoldenTest, QuietConsoleShowsOnlyWhatNeedsALook) {
  expect_golden("console_quiet.txt", write_console(scenarios_report(), {.quiet = true}));
}

TEST(GoldenTest, ConsoleOfFiftyScenarios) {
  expect_golden("console_fifty.txt", write_console(long_report(50), {}));
}

// checks_report has a check that fails alike in two variants, and failures after warnings.
Report checks_report() {
  Report report = odd_report();
  CheckResult again = odd_fail();
  again.transport = "http";
  add_reasons(report, [](std::string_view) {
    return std::string_view("Clients that know other versions end the connection.");
  });
  CheckResult late = odd_fail();
  late.id = "tools.call_unknown";
  late.area = "tools & friends";
  late.message = "the error code is -32603, expected -32602";
  late.revision = "2026-07-28";
  report.results.push_back(again);
  report.results.push_back(late);
  return report;
}

TEST(GoldenTest, ConsoleOfChecks) {
  expect_golden("console_checks.txt", write_console(checks_report(), {}));
}

TEST(GoldenTest, VerboseConsoleOfChecks) {
  expect_golden("console_checks_verbose.txt", write_console(checks_report(), {.verbose = true}));
}

// explained_report is odd_report() of a server whose SDK was recognised, with a reason for whatever
// fails.
Report explained_report() {
  Report report = odd_report();
  BuiltWith sdk;
  sdk.name = "Acme <SDK> & *Sons*";
  sdk.revisions = {"2025-11-25"};
  sdk.seen = "1.2.3";
  sdk.signs = {"an error of its own"};
  sdk.habits = {
      {"lifecycle.version-negotiation", "2025-11-25", "stdio", "not in Acme 2 | \"new\""}};
  add_built_with(report.target, sdk);
  add_reasons(report, [](std::string_view) {
    return std::string_view("Clients of <other> versions end; `they` cannot know & see: 100 %.");
  });
  return report;
}

TEST(GoldenTest, Json) { expect_golden("report.json", write_json(explained_report())); }

TEST(GoldenTest, JUnit) { expect_golden("junit.xml", write_junit(explained_report())); }

TEST(GoldenTest, Markdown) { expect_golden("report.md", write_markdown(explained_report())); }

TEST(GoldenTest, Sarif) { expect_golden("report.sarif", write_sarif(explained_report())); }

TEST(GoldenTest, Tap) { expect_golden("report.tap", write_tap(explained_report())); }

TEST(GoldenTest, Github) { expect_golden("github.txt", write_github(explained_report())); }

TEST(GoldenTest, Badge) { expect_golden("badge.json", write_badge(odd_report())); }

TEST(GoldenTest, Attestation) {
  Report report = explained_report();
  report.target[kAttested] = {
      {"by", {{"name", "plumbline"}, {"version", "0.1.0"}, {"sha256", std::string(64, 'a')}}},
      {"rules", {{"count", 3}, {"sha256", std::string(64, 'b')}}},
      {"subjects",
       {{{"name", "dist/server.js"},
         {"sha256", std::string(64, 'c')},
         {"digest_of", "the file that was started"},
         {"package", "pkg:npm/@acme/server@1.2.3"}}}}};
  expect_golden("attestation.json", write_attestation(report));
}

// What the page is made of stands in html/; golden is what the report puts into it.
TEST(GoldenTest, HtmlData) {
  const std::string page = write_html(explained_report());
  const std::size_t title = page.find("<title>");
  const std::size_t data = page.find("<script type=");
  expect_golden("page_data.html", page.substr(title, page.find("<style>") - title) +
                                      page.substr(data, page.find("\n<script>") - data) + "\n");
}

}  // namespace
}  // namespace plumbline::reports
