#include "core/auth/token_manager.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/auth/auth_fixture.h"

namespace plumbline::auth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class TokenManagerTest : public testing::Test, protected AuthWorldFixture {
 protected:
  // begin signs in and gives the token to a manager.
  void begin() {
    Result<Token> token = sign_in();
    ASSERT_TRUE(token.ok()) << token.error().message;
    ASSERT_TRUE(run(tokens_.store(std::move(token).value())).ok());
  }

  std::string get() {
    const Result<std::optional<Token>> token = run(tokens_.get(kResource));
    if (!token.ok()) return "error: " + token.error().message;
    return token.value() ? token.value()->access_token : "";
  }

  bool good() { return issuer.accepts(get(), kResource, ""); }

  TokenManager tokens_{world()};
};

TEST_F(TokenManagerTest, ATokenIsRenewedFiveMinutesBeforeItEnds) {
  begin();
  const std::string first = get();
  wait(minutes(54));
  EXPECT_EQ(get(), first);
  wait(minutes(2));
  EXPECT_NE(get(), first);
  EXPECT_TRUE(good());
  EXPECT_EQ(issuer.asked().refreshes, 1U);
}

TEST_F(TokenManagerTest, ATokenIsNoOlderThanAnHourWhateverItSays) {
  issuer.script().lifetime = hours(100);
  begin();
  wait(minutes(59));
  get();
  EXPECT_EQ(issuer.asked().refreshes, 0U);
  wait(minutes(2));
  get();
  EXPECT_EQ(issuer.asked().refreshes, 1U);
}

TEST_F(TokenManagerTest, AnyNumberOfCallsAtTheEndLeadToOneRenewal) {
  begin();
  wait(minutes(56));
  std::size_t had = 0;
  TaskGroup callers;
  for (int i = 0; i < 10'000; ++i) {
    callers.spawn([](TokenManager& tokens, std::size_t& count) -> Task<void> {
      const Result<std::optional<Token>> token = co_await tokens.get(kResource);
      if (token.ok() && token.value()) ++count;
    }(tokens_, had));
  }
  wait(minutes(1));
  EXPECT_EQ(had, 10'000U);
  EXPECT_EQ(issuer.asked().refreshes, 1U);
  EXPECT_EQ(issuer.asked().reuses, 0U);
}

TEST_F(TokenManagerTest, OfManyProcessesOneRenews) {
  begin();
  wait(minutes(56));
  std::vector<std::unique_ptr<TokenManager>> processes;
  std::size_t had = 0;
  TaskGroup callers;
  for (int i = 0; i < 20; ++i) {
    processes.push_back(std::make_unique<TokenManager>(world()));
    callers.spawn(
        [](TokenManager& tokens, AuthWorldFixture& all, std::size_t& count) -> Task<void> {
          const Result<std::optional<Token>> token = co_await tokens.get(kResource);
          if (!token.ok() || !token.value()) co_return;
          if (all.issuer.accepts(token.value()->access_token, kResource, "")) ++count;
        }(*processes.back(), *this, had));
  }
  wait(minutes(1));
  EXPECT_EQ(had, 20U);
  EXPECT_EQ(issuer.asked().refreshes, 1U);
}

TEST_F(TokenManagerTest, ATokenOfALifeShorterThanTheBufferIsNotRenewedForEachCall) {
  issuer.script().lifetime = minutes(4);
  begin();
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(good());
  EXPECT_EQ(issuer.asked().refreshes, 0U);
  wait(minutes(3));
  EXPECT_TRUE(good());
  EXPECT_EQ(issuer.asked().refreshes, 1U);
}

TEST_F(TokenManagerTest, WhileARenewalFailsTheTokenIsUsedUntilItEnds) {
  begin();
  const std::string first = get();
  issuer.script().refuses_refreshes = 1'000;
  wait(minutes(56));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(get(), first);
  EXPECT_EQ(issuer.asked().refreshes, 1U);  // And again after half a minute.
  wait(minutes(5));
  EXPECT_NE(get().find("503"), std::string::npos);
  issuer.script().refuses_refreshes = 0;
  wait(minutes(1));
  EXPECT_TRUE(good());
}

// The server has rotated, and nobody has heard of it: the next renewal shows a token that was used
// before, which ends its family. There is no way back but to sign in, which nobody may hide.
TEST_F(TokenManagerTest, ALostAnswerToARenewalEndsInASignIn) {
  issuer.script().loses_refreshes = 1;
  begin();
  const std::string first = get();
  wait(minutes(56));
  EXPECT_EQ(get(), first);
  wait(minutes(1));
  EXPECT_EQ(get(), first);  // invalid_grant: nothing is left to renew it with.
  wait(minutes(10));
  EXPECT_EQ(get(), "");
  EXPECT_EQ(issuer.asked().refreshes, 2U);
}

struct RenewalRefusal {
  const char* name;
  int status;
  const char* body;
  bool forgets;
};

std::ostream& operator<<(std::ostream& out, const RenewalRefusal& one) { return out << one.name; }

class RenewalRefusalTest : public TokenManagerTest,
                           public testing::WithParamInterface<RenewalRefusal> {};

// The description is free text, and may be anybody's: what a server shows of a request in it.
TEST_P(RenewalRefusalTest, IsReadByItsCodeAlone) {
  begin();
  issuer.script().refusal = wire::HttpResponse{
      GetParam().status, {{"Content-Type", "application/json"}}, GetParam().body};
  wait(minutes(56));
  get();
  const auto kept = run(tokens_.find(kResource));
  ASSERT_TRUE(kept.ok() && kept.value());
  EXPECT_EQ(kept.value()->refresh_token.empty(), GetParam().forgets);
  issuer.script().refusal.reset();
  wait(minutes(10));
  EXPECT_EQ(good(), !GetParam().forgets);  // Renewed, or nothing is left to renew it with.
}

const RenewalRefusal kRenewalRefusals[] = {
    {"InvalidGrant", 400, R"({"error":"invalid_grant","error_description":"try again later"})",
     true},
    {"InvalidGrantWith401", 401, R"({"error":"invalid_grant"})", true},
    {"ServerErrorThatSpeaksOfIt", 400,
     R"({"error":"server_error","error_description":"not an invalid_grant, the store is down"})",
     false},
    {"AnotherCodeThatHoldsIt", 400, R"({"error":"not_invalid_grant"})", false},
    {"InAnotherCase", 400, R"({"error":"INVALID_GRANT"})", false},
    {"NoCode", 400, R"({"error_description":"invalid_grant","message":"invalid_grant"})", false},
    {"ACodeThatIsNoText", 400, R"({"error":{"message":"invalid_grant"}})", false},
    {"AText", 400, "invalid_grant", false},
    {"AServerInTrouble", 503, R"({"error":"invalid_grant"})", false},
    {"TooManyRequests", 429, R"({"error":"slow_down","error_description":"invalid_grant"})", false},
};

INSTANTIATE_TEST_SUITE_P(Each, RenewalRefusalTest, testing::ValuesIn(kRenewalRefusals),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(TokenManagerTest, WithoutRotationALostAnswerCostsNothing) {
  issuer.script().rotates = false;
  issuer.script().loses_refreshes = 1;
  begin();
  wait(minutes(56));
  get();
  wait(minutes(1));
  EXPECT_TRUE(good());
  wait(hours(5));
  EXPECT_TRUE(good());
}

TEST_F(TokenManagerTest, SettingTheClockMakesNoTokenLastLonger) {
  begin();
  const std::string first = get();
  clock.jump(-hours(10));
  wait(minutes(54));
  EXPECT_EQ(get(), first);
  wait(minutes(2));
  EXPECT_NE(get(), first);
  clock.jump(hours(100));
  EXPECT_TRUE(good());
  EXPECT_EQ(issuer.asked().refreshes, 1U);
}

TEST_F(TokenManagerTest, SettingTheClockWhileATokenIsRenewedMakesItNoOlder) {
  begin();
  issuer.on_secret([this](const fakes::Secret& secret) {
    if (secret.renewed) clock.jump(hours(10));
  });
  wait(minutes(56));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(good());
  wait(minutes(50));
  EXPECT_TRUE(good());
  EXPECT_EQ(issuer.asked().refreshes, 1U);
}

TEST_F(TokenManagerTest, AnotherProcessTakesWhatIsStored) {
  begin();
  wait(minutes(30));
  TokenManager later(world());
  const auto token = run(later.get(kResource));
  ASSERT_TRUE(token.ok() && token.value());
  EXPECT_EQ(token.value()->access_token, get());
  wait(minutes(26));
  EXPECT_TRUE(run(later.get(kResource)).ok());
  EXPECT_TRUE(good());  // Renewed by the other one, and read from the store.
  EXPECT_EQ(issuer.asked().refreshes, 1U);
}

TEST_F(TokenManagerTest, ARevokedTokenIsGoneHereAndThere) {
  begin();
  const std::string first = get();
  const Result<bool> revoked = run(tokens_.revoke(kResource));
  ASSERT_TRUE(revoked.ok()) << revoked.error().message;
  EXPECT_TRUE(revoked.value());
  EXPECT_FALSE(issuer.accepts(first, kResource, ""));
  EXPECT_EQ(get(), "");
  EXPECT_EQ(run(tokens_.list()).value().size(), 0U);
  EXPECT_FALSE(run(tokens_.revoke(kResource)).value());
}

TEST_F(TokenManagerTest, AClientWhoseKeyIsNotKeptIsToldSo) {
  Token token = sign_in().value();
  token.client.method = "private_key_jwt";
  ASSERT_TRUE(run(tokens_.store(token)).ok());
  wait(minutes(56));
  EXPECT_EQ(get(), token.access_token);
  wait(minutes(5));
  EXPECT_NE(get().find("login again"), std::string::npos) << get();
  ASSERT_TRUE(run(tokens_.store(token)).ok());
  const Result<bool> revoked = run(tokens_.revoke(kResource));
  ASSERT_FALSE(revoked.ok());
  EXPECT_NE(revoked.error().message.find("not revoked"), std::string::npos);
  EXPECT_EQ(get(), "");
}

TEST_F(TokenManagerTest, TheListShowsNothingThatIsSecret) {
  begin();
  const Result<std::vector<TokenInfo>> list = run(tokens_.list());
  ASSERT_EQ(list.value().size(), 1U);
  EXPECT_EQ(list.value()[0].server, kResource);
  EXPECT_EQ(list.value()[0].issuer, kIssuer);
  EXPECT_TRUE(list.value()[0].renewable);
}

TEST_F(TokenManagerTest, EverySecretIsToldBeforeItIsUsed) {
  std::vector<std::string> told;
  TokenManagerOptions options;
  options.on_secret = [&told](const std::string& secret) { told.push_back(secret); };
  begin();
  wait(minutes(56));
  TokenManager telling(world(), options);
  const auto token = run(telling.get(kResource));
  ASSERT_TRUE(token.ok() && token.value());
  for (const std::string& secret : {token.value()->access_token, token.value()->refresh_token}) {
    EXPECT_NE(std::ranges::find(told, secret), told.end());
  }
}

// Whatever happens to renewals and clocks, and however calls fall, no refresh token is used twice
// unless its first use was lost, a token that is given out is good, and renewals are bounded.
RC_GTEST_PROP(TokenManagerPropTest, NoStormAndNoStaleToken, ()) {
  AuthWorldFixture world;
  world.issuer.script().lifetime = minutes(*rc::gen::inRange(2, 180));
  world.issuer.script().rotates = *rc::gen::arbitrary<bool>();
  Result<Token> token = world.sign_in();
  RC_ASSERT(token.ok());
  TokenManager tokens(world.world());
  RC_ASSERT(world.run(tokens.store(std::move(token).value())).ok());
  const int steps = *rc::gen::inRange(1, 40);
  std::size_t lost = 0;
  Duration passed{};
  for (int step = 0; step < steps; ++step) {
    const int what = *rc::gen::inRange(0, 10);
    if (what == 0) world.clock.jump(minutes(*rc::gen::inRange(-600, 600)));
    if (what == 1) world.issuer.script().refuses_refreshes = 1;
    if (what == 2 && world.issuer.script().loses_refreshes == 0) {
      world.issuer.script().loses_refreshes = 1;
      ++lost;
    }
    const Duration pause = minutes(*rc::gen::inRange(0, 60));
    passed += pause;
    world.wait(pause);
    const auto had = world.run(tokens.get(kResource));
    if (had.ok() && had.value()) {
      RC_ASSERT((lost > 0 || world.issuer.accepts(had.value()->access_token, kResource, "")));
    }
  }
  RC_ASSERT(world.issuer.asked().reuses <= lost);
  const auto each = world.issuer.script().lifetime / 2;
  RC_ASSERT(world.issuer.asked().refreshes <= static_cast<std::size_t>(2 * steps + passed / each));
}

}  // namespace
}  // namespace plumbline::auth
