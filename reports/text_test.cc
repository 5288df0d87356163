#include "reports/text.h"
#include "reports/report_text.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::reports {
namespace {

TEST(TextTest, ControlCharactersBecomePictures) {
  EXPECT_EQ(printable("a\x1b[0m\a\r\n\tb\x7f"), "a␛[0m␇␍\n b␡");
  EXPECT_EQ(printable(std::string(1, '\0')), "␀");
  EXPECT_EQ(printable("\xc2\x9b"), "\xef\xbf\xbd");      // C1: a CSI of one character.
  EXPECT_EQ(printable("\u202e\u2066"), "\ufffd\ufffd");  // Bidirectional override, isolate.
}

TEST(TextTest, WhatIsNotUtf8IsReplacedByteByByte) {
  EXPECT_EQ(printable("a\xff\x62"), "a\ufffdb");
  EXPECT_EQ(printable("\xc0\xaf"), "\ufffd\ufffd");                          // Overlong.
  EXPECT_EQ(printable("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");                // Surrogate.
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\ufffd\ufffd\ufffd\ufffd");      // Above U+10FFFF.
  EXPECT_EQ(printable("\xe2\x82"), "\ufffd\ufffd");                          // Cut short.
  EXPECT_EQ(printable("\xef\xbf\xbf\xef\xb7\x90"), "\ufffd\ufffd");          // Noncharacters.
  EXPECT_EQ(printable("é€\U0001F600\U0010FFFD"), "é€\U0001F600\U0010FFFD");  // Kept.
}

TEST(TextTest, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(width_of("abc"), 3U);
  EXPECT_EQ(width_of("é"), 1U);
  EXPECT_EQ(width_of("e\u0301"), 1U);
  EXPECT_EQ(width_of("工具"), 4U);
  EXPECT_EQ(width_of("\U0001F600"), 2U);
}

TEST(TextTest, ClipNeverExceedsAndPadAlwaysFills) {
  EXPECT_EQ(clip("abcdef", 6), "abcdef");
  EXPECT_EQ(clip("abcdef", 5), "abcd…");
  EXPECT_EQ(clip("工具工具", 4), "工…");
  EXPECT_EQ(pad("工具工具", 4), "工… ");
  EXPECT_EQ(pad("ab", 4), "ab  ");
  EXPECT_EQ(clip("ab", 1), "…");
}

TEST(TextTest, WrapBreaksAtSpacesAndSplitsOnlyWhatIsTooLong) {
  const auto lines = [](const auto&... line) { return std::vector<std::string>{line...}; };
  EXPECT_EQ(wrap("one two three", 7), lines("one two", "three"));
  EXPECT_EQ(wrap("one two three", 6), lines("one", "two", "three"));
  EXPECT_EQ(wrap("abcdefgh ij", 3), lines("abcdefgh", "ij"));
  EXPECT_EQ(wrap("a bcdefgh ij", 3), lines("a", "bcdefgh", "ij"));
  EXPECT_EQ(wrap("    bcdefgh ij", 3), lines("    bcdefgh", "ij"));
  EXPECT_EQ(wrap("a\n\nb", 5), lines("a", "", "b"));
  EXPECT_EQ(wrap("", 5), lines(""));
  EXPECT_EQ(wrap("工具 工", 4), lines("工具", "工"));
  EXPECT_EQ(wrap("工具工", 3), lines("工具工"));
}

TEST(TextTest, NumbersHaveNoTrailingZerosAndNoExponent) {
  EXPECT_EQ(decimal(812, 3), "812");
  EXPECT_EQ(decimal(0.25, 3), "0.25");
  EXPECT_EQ(decimal(0.0001, 3), "0");
  EXPECT_EQ(decimal(-0.0001, 3), "0");
  EXPECT_EQ(decimal(1e21, 3), "1000000000000000000000");
  EXPECT_EQ(decimal(1e308, 3).size(), 309U);
  EXPECT_EQ(decimal(0.0 / 0.0, 3), "0");
  EXPECT_EQ(decimal(100, 0), "100");
}

TEST(TextTest, DurationsReadAsPeopleSayThem) {
  EXPECT_EQ(duration_text(0), "0 ms");
  EXPECT_EQ(duration_text(0.26), "0.3 ms");
  EXPECT_EQ(duration_text(9.96), "10 ms");
  EXPECT_EQ(duration_text(999.4), "999 ms");
  EXPECT_EQ(duration_text(999.6), "1 s");
  EXPECT_EQ(duration_text(1'234), "1.2 s");
  EXPECT_EQ(duration_text(59'960), "1 min 0 s");
  EXPECT_EQ(duration_text(125'000), "2 min 5 s");
}

TEST(TextTest, AreasKeepTheOrderOfTheReport) {
  Report report;
  for (const char* area : {"b", "a", "b", ""}) report.results.emplace_back().area = area;
  const std::vector<Area> areas = by_area(report);
  ASSERT_EQ(areas.size(), 3U);
  EXPECT_EQ(areas[0].name, "b");
  EXPECT_EQ(areas[0].results.size(), 2U);
  EXPECT_EQ(areas[1].name, "a");
  EXPECT_EQ(areas[2].name, "general");
}

TEST(TextTest, SummaryNamesPassAndFailAlways) {
  EXPECT_EQ(summary_text({}), "0 pass, 0 fail");
  EXPECT_EQ(
      summary_text(
          {.pass = 1, .fail = 2, .warn = 3, .skip = 4, .inconclusive = 5, .expected_fail = 6}),
      "1 pass, 2 fail, 3 warn, 4 skip, 5 inconclusive, 6 xfail");
}

}  // namespace
}  // namespace plumbline::reports
