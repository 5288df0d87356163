// `plumbline report compare` as a user runs it.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class ReportCompareTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    report("good.json", "check server", "pass");
    report("bad.json", "check server", "fail");
  }

  void report(const std::string& name, const std::string& command, const std::string& verdict) {
    write(name, R"({"plumbline": "1", "command": ")" + command +
                    R"(", "results": [{"id": "a.b", "verdict": ")" + verdict +
                    R"(", "message": "::error::<b>"}]})");
  }
};

TEST_F(ReportCompareTest, TellsWhatIsWorseAndFailsThen) {
  const Outcome worse = run({"report", "compare", "good.json", "bad.json"});
  EXPECT_EQ(worse.code, 1);
  EXPECT_EQ(worse.err, "");
  EXPECT_EQ(worse.out.find("worse   pass -> fail  a.b\n"), 0U) << worse.out;
  EXPECT_NE(worse.out.find("\n1 worse\n"), std::string::npos) << worse.out;
  EXPECT_EQ(worse.out.find("\n        ::error"), std::string::npos) << "a command to a runner";
  EXPECT_EQ(run({"report", "compare", "bad.json", "good.json"}).code, 0);
  EXPECT_EQ(run({"report", "compare", "bad.json", "bad.json"}).out, "1 same\n");
}

TEST_F(ReportCompareTest, WritesAPageOfBoth) {
  const Outcome outcome =
      run({"report", "compare", "bad.json", "good.json", "--html", "both.html"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(read("both.html").find(R"("change":"better")"), std::string::npos);
  EXPECT_EQ(read("both.html").find("<b>"), std::string::npos);
  const Outcome nowhere =
      run({"report", "compare", "bad.json", "good.json", "--html", "no/x.html"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_NE(nowhere.err.find("no/x.html"), std::string::npos) << nowhere.err;
}

TEST_F(ReportCompareTest, RefusesWhatCannotBeCompared) {
  report("run.json", "run", "pass");
  const std::vector<std::vector<std::string>> lines = {
      {"report", "compare", "good.json", "run.json"},
      {"report", "compare", "good.json", "missing.json"},
      {"report", "view", "good.json", "--before", "run.json"},
      {"report", "view", "good.json", "--before", "missing.json"}};
  for (const std::vector<std::string>& words : lines) {
    const Outcome refused = run(words);
    EXPECT_EQ(refused.code, 2) << refused.out;
    EXPECT_EQ(refused.out, "");
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  }
}

}  // namespace
}  // namespace plumbline::cli
