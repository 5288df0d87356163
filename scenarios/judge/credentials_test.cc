#include "scenarios/judge/credentials.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::scenarios {
namespace {

using std::chrono::seconds;

const net::Authority kServer{"notes", 443};
const net::Authority kIssuer{"auth.notes", 443};
constexpr const char* kAccess = "access-token-of-this-world-1";
constexpr const char* kRefresh = "refresh-token-of-this-world-2";

class CredentialsTest : public testing::Test {
 protected:
  CredentialsTest() {
    give(fakes::SecretKind::kAccess, kAccess, at(0), at(600));
    give(fakes::SecretKind::kRefresh, kRefresh, at(0), kNever);
  }

  static Instant at(int second) { return after(Instant{}, seconds(second)); }

  void give(fakes::SecretKind kind, const std::string& text, Instant now, Instant ends,
            bool renewed = false) {
    judge_.given({"notes", "auth.notes"}, {kind, text, "https://notes/mcp", renewed, ends}, now);
  }

  void asks(const std::string& token, int second, const net::Authority& to = kServer,
            const std::string& target = "/mcp") {
    wire::HttpRequest request;
    request.method = "POST";
    request.target = target;
    if (!token.empty()) request.headers.set("Authorization", "Bearer " + token);
    judge_.sent(0, at(second), to, request);
  }

  void renews(int second, const net::Authority& to = kIssuer) {
    wire::HttpRequest request;
    request.method = "POST";
    request.target = "/token";
    request.body = std::string("grant_type=refresh_token&refresh_token=") + kRefresh;
    judge_.sent(0, at(second), to, request);
  }

  std::string failed() const {
    return judge_.failures().empty() ? "" : judge_.failures().front().check;
  }

  Credentials judge_;
};

TEST_F(CredentialsTest, WhatIsInOrderIsNoFailure) {
  asks("", 0);
  asks(kAccess, 1);
  renews(301);
  EXPECT_EQ(failed(), "");
}

TEST_F(CredentialsTest, AnAccessTokenGoesToNoOtherHost) {
  asks(kAccess, 1, {"elsewhere", 443});
  EXPECT_EQ(failed(), "invariant.tokens-stay-home");
}

TEST_F(CredentialsTest, AnAccessTokenGoesToNoOtherPort) {
  asks(kAccess, 1, {"notes", 80});
  EXPECT_EQ(failed(), "invariant.tokens-stay-home");
}

TEST_F(CredentialsTest, AnAccessTokenStandsInNoAddress) {
  asks(kAccess, 1, kServer, std::string("/mcp?access_token=") + kAccess);
  EXPECT_EQ(failed(), "invariant.tokens-stay-home");
}

TEST_F(CredentialsTest, ARefreshTokenGoesToNoServer) {
  renews(301, kServer);
  EXPECT_EQ(failed(), "invariant.tokens-stay-home");
}

TEST_F(CredentialsTest, ATokenThatIsGoodIsNotRenewedAgain) {
  renews(1);
  EXPECT_EQ(failed(), "");
  renews(29);
  EXPECT_EQ(failed(), "invariant.no-refresh-storm");
}

TEST_F(CredentialsTest, ARenewalThatCameToNothingIsTriedAgainLater) {
  renews(1);
  renews(31);
  EXPECT_EQ(failed(), "");
}

TEST_F(CredentialsTest, ATokenLivesFromWhenItWasAskedFor) {
  renews(1);
  give(fakes::SecretKind::kAccess, "access-token-of-this-world-3", at(11), at(31), true);
  renews(11);
  EXPECT_EQ(failed(), "");
  renews(12);
  EXPECT_EQ(failed(), "invariant.no-refresh-storm");
}

// Seed 2026317425 of store-forgets-in-a-crash: half a second passed before there was a connection.
TEST_F(CredentialsTest, ARenewalMayHaveWaitedForAConnection) {
  renews(1);
  give(fakes::SecretKind::kAccess, "access-token-of-this-world-3", at(1), at(61), true);
  renews(17);
  EXPECT_EQ(failed(), "");
  renews(18);
  EXPECT_EQ(failed(), "invariant.no-refresh-storm");
}

TEST_F(CredentialsTest, ATokenThatIsRefusedIsRenewed) {
  renews(1);
  judge_.shown(kAccess, true);
  judge_.shown(kAccess, false);
  renews(2);
  EXPECT_EQ(failed(), "");
}

TEST_F(CredentialsTest, ARenewedTokenThatIsRefusedIsNoReasonToRenew) {
  give(fakes::SecretKind::kAccess, "access-token-of-this-world-3", at(1), at(601), true);
  renews(1);
  judge_.shown("access-token-of-this-world-3", false);
  renews(2);
  EXPECT_EQ(failed(), "invariant.no-refresh-storm");
}

TEST_F(CredentialsTest, WhoHasShownATokenShowsItAgain) {
  asks(kAccess, 1);
  asks("", 2);
  EXPECT_EQ(failed(), "invariant.shows-its-token");
}

TEST_F(CredentialsTest, ATokenThatIsRefusedOrOverNeedNotBeShown) {
  asks(kAccess, 1);
  asks("", 590);
  asks("", 1, kServer, "/.well-known/oauth-protected-resource/mcp");
  judge_.shown(kAccess, false);
  asks("", 2);
  EXPECT_EQ(failed(), "");
}

TEST_F(CredentialsTest, ATokenIsToldToNobody) {
  const Json detail = {{"text", std::string("it said ") + kAccess}};
  judge_.on_event(TraceEvent{at(1), EventKind::kNote, "notes", detail});
  EXPECT_EQ(failed(), "invariant.no-secret");
}

}  // namespace
}  // namespace plumbline::scenarios
