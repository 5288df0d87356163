#include "core/auth/loopback_user_agent.h"

#include <chrono>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/auth/auth_fixture.h"

namespace plumbline::auth {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* kAddress = "https://as.example/authorize?state=ours";

class LoopbackTest : public testing::Test, protected AuthWorldFixture {
 protected:
  // browse is what a browser gets that goes to `target` of the redirect address; 0: nobody is
  // there.
  int browse(const std::string& target) {
    net::HttpClient browser(loop, network);
    wire::HttpRequest request;
    request.method = "GET";
    wire::Url to = wire::parse_url(place_).value();
    to.target = target;
    const Instant deadline = loop.now() + seconds(5);
    const auto answer =
        run(net::fetch(browser, std::move(to), std::move(request), deadline, 10'000));
    return answer.ok() ? answer.value().status : 0;
  }

  Task<Result<std::string>> begin() {
    place_ = agent_.redirect_uri("").value();
    Task<Result<std::string>> visit = agent_.visit(kAddress);
    visit.start();
    return visit;
  }

  std::string shown_;
  LoopbackUserAgent agent_{
      loop, network, {0, "", minutes(5), [this](const std::string& url) { shown_ = url; }}};
  std::string place_;
};

TEST_F(LoopbackTest, TheBrowserComesBackOnce) {
  Task<Result<std::string>> visit = begin();
  EXPECT_EQ(shown_, kAddress);
  EXPECT_TRUE(place_.starts_with("http://127.0.0.1:")) << place_;
  EXPECT_EQ(browse("/callback?code=c&state=ours"), 200);
  wait(seconds(1));
  ASSERT_TRUE(visit.done());
  EXPECT_EQ(visit.result().value(), place_ + "?code=c&state=ours");
  EXPECT_EQ(browse("/callback?code=d&state=ours"), 0);
}

TEST_F(LoopbackTest, WhatAnyPageCanSendIsNoAnswer) {
  Task<Result<std::string>> visit = begin();
  EXPECT_EQ(browse("/callback?code=c&state=theirs"), 400);
  EXPECT_EQ(browse("/callback?error=access_denied"), 400);
  EXPECT_EQ(browse("/favicon.ico"), 404);
  EXPECT_FALSE(visit.done());
  EXPECT_EQ(browse("/callback?error=access_denied&state=ours"), 200);
  wait(seconds(1));
  EXPECT_TRUE(visit.done());
}

TEST_F(LoopbackTest, NobodyIsWaitedForLongerThanFiveMinutes) {
  Task<Result<std::string>> visit = begin();
  wait(minutes(4));
  EXPECT_FALSE(visit.done());
  wait(minutes(2));
  ASSERT_TRUE(visit.done());
  EXPECT_EQ(visit.result().error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(browse("/callback?code=c&state=ours"), 0);
}

TEST_F(LoopbackTest, ThePlaceOfTheLastTimeIsTakenAgainWhereItIsFree) {
  const std::string before = agent_.redirect_uri("").value();
  LoopbackUserAgent second(loop, network, {});
  EXPECT_NE(second.redirect_uri(before).value(), before);
  LoopbackUserAgent third(loop, network, {});
  EXPECT_EQ(third.redirect_uri("http://127.0.0.1:5123/callback").value(),
            "http://127.0.0.1:5123/callback");
  LoopbackUserAgent fourth(loop, network, {});
  EXPECT_NE(fourth.redirect_uri("https://evil.example/callback").value(),
            "https://evil.example/callback");
}

}  // namespace
}  // namespace plumbline::auth
