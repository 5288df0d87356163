// Every format against the bytes in golden/. After a wanted change, look at the file that the
// failing test names and copy it over the old one.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

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

TEST(GoldenTest, ConsoleIsAlignedAndGroupedByArea) {
  expect_golden("console.txt", write_console(odd_report(), {}));
}

TEST(GoldenTest, ConsoleInColour) {
  expect_golden("console_color.txt", write_console(odd_report(), {.color = true}));
}

TEST(GoldenTest, QuietConsoleShowsOnlyWhatNeedsALook) {
  expect_golden("console_quiet.txt", write_console(odd_report(), {.quiet = true}));
}

TEST(GoldenTest, ConsoleOfFiftyScenarios) {
  expect_golden("console_fifty.txt", write_console(long_report(50), {}));
}

TEST(GoldenTest, Json) { expect_golden("report.json", write_json(odd_report())); }

TEST(GoldenTest, JUnit) { expect_golden("junit.xml", write_junit(odd_report())); }

TEST(GoldenTest, Markdown) { expect_golden("report.md", write_markdown(odd_report())); }

}  // namespace
}  // namespace plumbline::reports
