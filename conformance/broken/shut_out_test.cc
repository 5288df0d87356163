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

INSTANTIATE_TEST_SUITE_P(BothEras, ShutOut, testing::Values("auto", "2025-11-25", "2026-07-28"));

}  // namespace
}  // namespace plumbline::conformance
