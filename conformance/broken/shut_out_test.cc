// Who wants a token and gets none is judged by how it refuses, and by nothing else.

#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/door_keeper.h"

namespace plumbline::conformance {
namespace {

Judgement judged_without_token(OwnResponse (*keep)(wire::HttpRequest&), std::string revision) {
  Deviation door;
  door.transport = Transport::kHttp;
  door.request = keep;
  DeviantWorld world(Transport::kHttp, &door);
  JudgeOptions options;
  options.revision = std::move(revision);
  return world.judge(std::move(options));
}

class ShutOut : public testing::TestWithParam<const char*> {};

TEST_P(ShutOut, IsJudgedByItsRefusal) {
  const Judgement judgement = judged_without_token(keep_door, GetParam());
  EXPECT_NE(judgement.unreachable.message.find("plumbline login"), std::string::npos)
      << judgement.unreachable.message;
  int passed = 0;
  for (const CheckResult& row : judgement.results) {
    EXPECT_TRUE(row.verdict == Verdict::kPass || row.verdict == Verdict::kSkip)
        << row.id << ": " << row.message;
    passed += row.id.starts_with("auth.") && row.verdict == Verdict::kPass ? 1 : 0;
  }
  EXPECT_GE(passed, 7);
}

TEST_P(ShutOut, IsBlamedForWhatItsRefusalLacks) {
  const Judgement judgement = judged_without_token(
      [](wire::HttpRequest& request) -> OwnResponse {
        if (request.target.starts_with("/.well-known/")) return wire::HttpResponse{404, {}, ""};
        return wire::HttpResponse{401, {{"WWW-Authenticate", "Bearer"}}, ""};
      },
      GetParam());
  int failed = 0;
  for (const CheckResult& row : judgement.results) {
    failed += row.id.starts_with("auth.prm") && row.verdict == Verdict::kFail ? 1 : 0;
  }
  EXPECT_EQ(failed, 2);
}

// MCP's authorization is optional.
TEST_P(ShutOut, IsNotBlamedForAKeyOfItsOwn) {
  const Judgement judgement = judged_without_token(
      [](wire::HttpRequest& request) -> OwnResponse {
        if (request.target.starts_with("/.well-known/")) return wire::HttpResponse{404, {}, ""};
        return wire::HttpResponse{401, {}, "no key"};
      },
      GetParam());
  for (const CheckResult& row : judgement.results) {
    EXPECT_NE(row.verdict, Verdict::kFail) << row.id << ": " << row.message;
  }
}

// It is expired, or was meant for somebody else: nothing shows that it is good.
TEST_P(ShutOut, IsNotBlamedForATokenThatIsNoGood) {
  for (const int status : {400, 401, 403}) {
    static int refusal = 0;
    refusal = status;
    Deviation door;
    door.transport = Transport::kHttp;
    door.credentials = bearer("expired");
    door.request = [](wire::HttpRequest& request) -> OwnResponse {
      const bool shows = shown_token(request) == "expired";
      OwnResponse answer = keep_door(request);
      if (answer && shows) answer->status = refusal;
      return answer;
    };
    DeviantWorld world(Transport::kHttp, &door);
    JudgeOptions options;
    options.revision = GetParam();
    const Judgement judgement = world.judge(std::move(options));
    EXPECT_FALSE(judgement.unreachable.message.empty());
    for (const CheckResult& row : judgement.results) {
      EXPECT_NE(row.verdict, Verdict::kFail) << status << row.id << ": " << row.message;
    }
  }
}

// Some let everybody see what there is, and guard what is done with it.
TEST(GuardsCallsAlone, IsNotBlamed) {
  Deviation door;
  door.transport = Transport::kHttp;
  door.credentials = bearer(kRightToken);
  door.request = [](wire::HttpRequest& request) -> OwnResponse {
    const bool opens = request.body.find("\"initialize\"") != std::string::npos ||
                       request.body.find("/list\"") != std::string::npos;
    return opens ? std::nullopt : keep_door(request);
  };
  DeviantWorld world(Transport::kHttp, &door);
  JudgeOptions options;
  options.revision = kJudgedStateful;
  const Judgement judgement = world.judge(std::move(options));
  EXPECT_GT(judgement.results.size(), 40U);
  for (const CheckResult& row : judgement.results) {
    const bool own = row.id.starts_with("security.") || row.id == "http.authenticate-connections" ||
                     row.id.starts_with("auth.");
    EXPECT_FALSE(own && row.verdict == Verdict::kFail) << row.id << ": " << row.message;
  }
}

INSTANTIATE_TEST_SUITE_P(BothEras, ShutOut, testing::Values("auto", "2025-11-25", "2026-07-28"));

}  // namespace
}  // namespace plumbline::conformance
