// A client that floods is cut, run no more, and passes nothing; nor is it blamed for what was
// missed by that.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/broken/client/client_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {
namespace {

const ClientDeviation kPinging = {
    .id = "a flood",
    .revision = kNewestStateful,
    .what = "pings without end",
    .from_client =
        [](Interceptor& interceptor, Json message) {
          interceptor.pass(message);
          if (message.value("method", "") != "notifications/initialized") return;
          for (int i = 0; i < 10'000; ++i) {
            interceptor.pass_text(R"({"jsonrpc":"2.0","id":"flood-)" + std::to_string(i) +
                                  R"(","method":"ping"})");
          }
        },
};

TEST(FloodingClient, IsRunNoMoreAndPassesNothing) {
  ClientWorld world(kPinging.transport, &kPinging);
  std::vector<std::string> told;
  ClientJudgeOptions options;
  options.tell = [&told](const std::string& line) { told.push_back(line); };
  const Judgement judgement = world.judge(std::move(options));
  EXPECT_EQ(told, std::vector<std::string>{"judging " + std::string(kNewestStateful)});
  EXPECT_GT(judgement.results.size(), 40U);
  for (const CheckResult& row : judgement.results) {
    EXPECT_NE(row.verdict, Verdict::kPass) << row.id;
    EXPECT_NE(row.verdict, Verdict::kFail) << row.id << ": " << row.message;
    if (row.verdict != Verdict::kInconclusive) continue;
    EXPECT_NE(row.message.find("the client said more than"), std::string::npos) << row.message;
  }
}

}  // namespace
}  // namespace plumbline::conformance
