// How the program writes its reports, and what of it reaches a terminal or the log of a pipeline.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

// scenario passes when the assistant's answer is `status`.
std::string scenario(const std::string& status) {
  return R"({"plumbline":1,"id":"s","title":"t","request":{"input":"List the files"},"servers":{},
             "expect":{"status":")" +
         status + "\"}}";
}

class PublishTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("s.json", scenario("answered_without_mcp"));
  }
};

TEST_F(PublishTest, APlaceThatCannotBeWrittenIsToldBeforeTheRun) {
  const Outcome judged =
      run({"run", "s.json", "--report", "tap=out.tap", "--report", "json=no/such/folder"});
  EXPECT_EQ(judged.code, 2);
  EXPECT_EQ(judged.err,
            "plumbline: --report json=no/such/folder: cannot write no/such/folder: No such file or "
            "directory [cli.report-unwritable]\n");
  EXPECT_EQ(judged.out, "");
}

TEST_F(PublishTest, WhatCannotBeWrittenIsSaidAndCostsNothingElse) {
  const Outcome judged =
      run({"run", "s.json", "--report", "json=/dev/full", "--report", "tap=out.tap"});
  EXPECT_EQ(judged.code, 3) << judged.err;
  EXPECT_EQ(judged.err,
            "plumbline: cannot write /dev/full: No space left on device [file.cannot-write]\n");
  EXPECT_NE(judged.out.find("1 pass"), std::string::npos) << judged.out;
  EXPECT_TRUE(read("out.tap").starts_with("TAP version 14"));
}

TEST_F(PublishTest, AFullStandardOutputIsNoSuccess) {
  for (const std::string words :
       {"run s.json --report json=-", "run s.json", "list checks", "--version"}) {
    const Outcome full = shell("\"$1\" " + words + " > /dev/full");
    EXPECT_EQ(full.code, 3) << words;
    EXPECT_NE(full.err.find("cannot write to standard output: No space left on device "
                            "[cli.stdout-lost]\n"),
              std::string::npos)
        << full.err;
  }
}

TEST_F(PublishTest, AFailureIsWorseThanAReportThatCannotBeWritten) {
  write("s.json", scenario("failed"));
  EXPECT_EQ(run({"run", "s.json", "--report", "json=/dev/full"}).code, 1);
}

TEST_F(PublishTest, AFileThatStandardOutputIsIsNotReplaced) {
  const Outcome both =
      shell("echo before > out; \"$1\" run s.json --report json=/dev/fd/1 --quiet >> out");
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_TRUE(read("out").starts_with("before\n{\n  \"plumbline\"")) << read("out");
  EXPECT_NE(read("out").find("1 pass"), std::string::npos);
  EXPECT_EQ(shell("\"$1\" run s.json --report json=/dev/stdout > only").code, 0);
  EXPECT_TRUE(parse_json(read("only")).ok()) << read("only");
}

TEST_F(PublishTest, ABaselineThatCannotBeWrittenDoesNotHideTheVerdicts) {
  const Outcome judged = run({"run", "s.json", "--baseline", "no/known.json", "--update-baseline"});
  EXPECT_EQ(judged.code, 2);
  EXPECT_NE(judged.out.find("1 pass"), std::string::npos) << judged.out;
}

// What a tool says may set a title, write a clipboard, or speak to the runner of a pipeline.
TEST_F(PublishTest, AToolsWordsNeitherSteerATerminalNorAPipeline) {
  const std::string said =
      R"(\u001b]52;c;eA==\u0007\u009b2J\u202e\r::stop-commands::x\n ::error::y\n##[error]z)";
  const std::string file =
      scripted("files",
               R"({"tools":[{"name":"list_directory","description":"Lists the files of a folder.",
          "inputSchema":{"type":"object"},
          "does":[{"reply":{"content":[{"type":"text","text":")" +
                   said + R"("}]}}]}]})");
  for (const bool json : {false, true}) {
    std::vector<std::string> words = {"ask", "List the files", "--config", file, "--verbose"};
    if (json) words.emplace_back("--json");
    const Outcome asked = run(words);
    EXPECT_EQ(asked.code, 0) << asked.err;
    EXPECT_NE(asked.out.find("stop-commands"), std::string::npos) << asked.out;
    for (const std::string& text : {asked.out, asked.err}) {
      for (const std::string raw : {"\x1b", "\x07", "\r", "\xc2\x9b", "\xe2\x80\xae", "##["}) {
        EXPECT_EQ(text.find(raw), std::string::npos) << text;
      }
      EXPECT_EQ(text.find("\n::"), std::string::npos) << text;
      EXPECT_EQ(text.find("\n ::"), std::string::npos) << text;
    }
  }
}

TEST_F(PublishTest, WhereNoRevisionIsAnsweredNothingIsSaidToPass) {
  const Outcome judged =
      run({"check", "server", "--report", "tap=out.tap", "--stdio", "--", "false"});
  EXPECT_EQ(judged.code, 3);
  EXPECT_EQ(judged.out.find("pass"), std::string::npos) << judged.out;
  EXPECT_NE(judged.out.find("inconclusive  Nothing ran, so nothing is known"), std::string::npos)
      << judged.out;
}

}  // namespace
}  // namespace plumbline::cli
