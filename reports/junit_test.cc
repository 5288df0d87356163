// What readers of JUnit's XML make of a report, as another library reads it. That it is well formed
// contract_test.cc holds, more strictly than this library does.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <pugixml.hpp>

#include "reports/sample_report.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

using Names = std::vector<std::string>;

class JUnitReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    const pugi::xml_parse_result parsed = document_.load_string(write_junit(odd_report()).c_str());
    ASSERT_TRUE(parsed) << parsed.description();
  }

  pugi::xml_node root() const { return document_.child("testsuites"); }
  pugi::xml_node suite(const char* name) const {
    return root().find_child_by_attribute("testsuite", "name", name);
  }
  static pugi::xml_node test_case(pugi::xml_node suite, const char* name) {
    return suite.find_child_by_attribute("testcase", "name", name);
  }

  pugi::xml_document document_;
};

Names attributes_of(pugi::xml_node node) {
  Names out;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    out.push_back(std::string(attribute.name()) + "=" + attribute.value());
  }
  return out;
}

Names names_of(pugi::xml_node parent, const char* kind) {
  Names out;
  for (const pugi::xml_node child : parent.children(kind)) {
    out.emplace_back(child.attribute("name").value());
  }
  return out;
}

TEST_F(JUnitReaderTest, CountsAreJUnits) {
  EXPECT_EQ(attributes_of(root()), (Names{"name=plumbline check server", "tests=6", "failures=1",
                                          "errors=1", "time=61.81225"}));
  EXPECT_EQ(attributes_of(suite("lifecycle")),
            (Names{"name=lifecycle", "tests=3", "failures=1", "errors=0", "skipped=1",
                   "time=2.46925", "timestamp=2026-01-02T03:04:05Z"}));
}

TEST_F(JUnitReaderTest, ASuiteIsAnAreaAndACaseACheck) {
  EXPECT_EQ(names_of(root(), "testsuite"), (Names{"lifecycle", "tools & friends", "general"}));
  EXPECT_EQ(names_of(suite("lifecycle"), "testcase"),
            (Names{"lifecycle.initialize-first [2025-11-25 stdio]",
                   "lifecycle.version-negotiation [2025-11-25 stdio]",
                   "lifecycle.known_bug [2025-11-25]"}));
  for (const pugi::xml_node one : suite("tools & friends").children("testcase")) {
    EXPECT_STREQ(one.attribute("classname").value(), "tools & friends");
  }
  const pugi::xml_node seed = suite("general").child("properties").child("property");
  EXPECT_EQ(attributes_of(seed), (Names{"name=seed", "value=18446744073709551615"}));
}

TEST_F(JUnitReaderTest, EachVerdictHasItsElement) {
  const pugi::xml_node lifecycle = suite("lifecycle");
  EXPECT_FALSE(test_case(lifecycle, "lifecycle.initialize-first [2025-11-25 stdio]").first_child());
  EXPECT_STREQ(test_case(lifecycle, "lifecycle.known_bug [2025-11-25]")
                   .child("skipped")
                   .attribute("message")
                   .value(),
               "expected failure: accepted in the baseline");
  const pugi::xml_node tools = suite("tools & friends");
  EXPECT_TRUE(test_case(tools, "tools.list_changed").child("system-out"));
  EXPECT_TRUE(test_case(tools, "tools.pagination").child("skipped"));
  const pugi::xml_node died = suite("general").child("testcase").child("error");
  EXPECT_EQ(attributes_of(died), (Names{"message=the server died", "type=inconclusive"}));
}

// Quotes, brackets, line ends and all: a reader gets the text that was written.
TEST_F(JUnitReaderTest, AFailureReadsBackAsItWasSaid) {
  const CheckResult fail = odd_fail();
  const pugi::xml_node failure =
      test_case(suite("lifecycle"), "lifecycle.version-negotiation [2025-11-25 stdio]")
          .child("failure");
  EXPECT_EQ(failure.attribute("message").value(), printable(fail.message));
  EXPECT_STREQ(failure.attribute("type").value(), "MUST");
  const std::string body = failure.text().get();
  EXPECT_TRUE(body.starts_with(printable(fail.message) + "\nspec: MUST basic/lifecycle#"));
  EXPECT_TRUE(body.ends_with("\nreproduce: " + fail.reproduce));
}

}  // namespace
}  // namespace plumbline::reports
