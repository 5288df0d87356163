// --baseline and --update-baseline as a user meets them, by a scenario that expects the wrong end.

#include <string>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class BaselineFileTest : public ProgramTest {
 protected:
  // expects writes the scenario "greeting", which ends as "answered_without_mcp" in truth.
  void expects(const std::string& status) {
    write("greeting.json",
          "{\"plumbline\":1,\"id\":\"greeting\",\"title\":\"A greeting.\","
          "\"request\":{\"input\":\"hello\"},\"servers\":{},"
          "\"expect\":{\"status\":\"" +
              status + "\"}}");
  }

  Outcome judge(std::vector<std::string> options) {
    options.insert(options.begin(), {"run", "greeting.json"});
    return run(std::move(options));
  }
};

TEST_F(BaselineFileTest, WhatIsRecordedNoLongerFailsAndWhatIsFixedIsStale) {
  expects("ok");
  EXPECT_EQ(judge({}).code, 1);
  const Outcome recorded = judge({"--baseline", "known.json", "--update-baseline"});
  EXPECT_EQ(recorded.code, 0) << recorded.err;
  EXPECT_NE(recorded.err.find("known.json: 1 added, 0 dropped, 1 in all"), std::string::npos);
  EXPECT_NE(read("known.json").find("recorded by --update-baseline"), std::string::npos);

  const Outcome known = judge({"--baseline", "known.json", "--report", "json=out.json"});
  EXPECT_EQ(known.code, 0) << known.err;
  const Result<Json> report = parse_json(read("out.json"));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.value()["summary"]["xfail"], 1);

  expects("answered_without_mcp");
  const Outcome stale = judge({"--baseline", "known.json"});
  EXPECT_EQ(stale.code, 1);
  EXPECT_NE(stale.err.find("known.json: greeting passes now"), std::string::npos) << stale.err;

  EXPECT_EQ(judge({"--baseline", "known.json", "--update-baseline"}).code, 0);
  EXPECT_EQ(read("known.json"), "{\n  \"entries\": []\n}\n");
}

TEST_F(BaselineFileTest, AReasonSomebodyWroteIsKept) {
  expects("ok");
  const std::string text =
      "{\n  \"entries\": [\n    {\"id\": \"greeting\", \"reason\": \"too shy\", \"link\": "
      "\"https://example.com/7\"}\n  ]\n}\n";
  write("known.json", text);
  EXPECT_EQ(judge({"--baseline", "known.json", "--update-baseline"}).code, 0);
  EXPECT_EQ(read("known.json"), text);
}

TEST_F(BaselineFileTest, ABadFileIsToldBeforeAnythingRuns) {
  expects("ok");
  write("known.json", "{\"entries\": [\n  {\"id\": \"greeting\"}]}");
  const Outcome bad = judge({"--baseline", "known.json", "--report", "json=out.json"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.err,
            "plumbline: known.json:2:3: an entry has no \"reason\", expected why greeting may fail "
            "[file.where]\n");
  EXPECT_FALSE(fs::exists(folder_ / "out.json"));
  EXPECT_EQ(judge({"--baseline", "missing.json"}).code, 2);
  EXPECT_EQ(judge({"--update-baseline"}).code, 2);
}

}  // namespace
}  // namespace plumbline::cli
