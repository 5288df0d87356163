// The run of a thread, drawn over the graph of its agent.

#include <gtest/gtest.h>

#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class ThreadGraphTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    scripted("email", kEmail);
    config_ =
        config("email", {"sh", "-c", "exec \"$0\" serve server.json --stdio", PLUMBLINE_PROGRAM});
  }

  Outcome draw(const char* thread, const char* format) {
    return run({"graph", "operations-assistant", "--thread", thread, "--store", kThreads,
                "--format", format});
  }

  static constexpr const char* kThreads = "sqlite:t.db";
  std::string config_;
};

TEST_F(ThreadGraphTest, WhereItWaitsIsDrawnAndThatItHasEnded) {
  const Outcome asked = run({"ask", "Email the report to finance", "--config", config_, "--thread",
                             "t1", "--store", kThreads});
  EXPECT_EQ(asked.code, 4) << asked.err;
  const Outcome waiting = draw("t1", "mermaid");
  EXPECT_EQ(waiting.code, 0) << waiting.err;
  EXPECT_NE(waiting.out.find(" visited\n"), std::string::npos) << waiting.out;
  EXPECT_NE(waiting.out.find(" here\n"), std::string::npos) << waiting.out;
  run({"thread", "resume", "t1", "--answer", R"({"approve":true})", "--store", kThreads});
  const Outcome ended = draw("t1", "dot");
  EXPECT_NE(ended.out.find("#d7f2d7"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("#fff0b3"), std::string::npos) << "it stands nowhere any more";
  EXPECT_EQ(draw("gone", "dot").code, 2);
}

}  // namespace
}  // namespace plumbline::cli
