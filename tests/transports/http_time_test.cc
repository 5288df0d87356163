// HTTP and time: what waits is given up, and what is slow is not.

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/net/http_router.h"
#include "tests/transports/http_fixture.h"

namespace plumbline::transports_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class HttpTimeTest : public HttpTest<WholeSimWorld> {};

TEST_F(HttpTimeTest, AnIdleConnectionIsClosedInTime) {
  ASSERT_TRUE(fetch(request("GET")).ok());
  world_.run_for(limits::kHttpIdleMax / 2);
  EXPECT_EQ(server_->connections(), 1U);
  world_.run_for(limits::kHttpIdleMax / 2 - milliseconds(10));
  EXPECT_EQ(server_->connections(), 1U);
  world_.run_for(milliseconds(20));
  EXPECT_EQ(server_->connections(), 0U);
}

TEST_F(HttpTimeTest, ARequestThatTakesForEverToArriveIsGivenUp) {
  const std::unique_ptr<net::Pipe> pipe = dial();
  fakes::PipeLog log;
  pipe->start(log);
  for (int i = 0; i < 100 && !log.ended; ++i) {
    pipe->write(i == 0 ? "GET / HTTP/1.1\r\n" : "X: y\r\n");
    world_.run_for(seconds(1));
  }
  EXPECT_TRUE(log.ended);
  EXPECT_EQ(handler_.requests, 0);
}

TEST_F(HttpTimeTest, AnAnswerMayTakeLongerThanThat) {
  net::HttpReply open;
  handler_.act = [&](HttpRequest, net::HttpReply reply) { open = std::move(reply); };
  AnswerLog log;
  const auto exchange = client_->start(url(), request("GET"), log, kNever);
  world_.run_for(limits::kHttpIdleMax * 3);
  ASSERT_TRUE(open.open());
  open.respond(HttpResponse{200, {}, "late"});
  world_.settle();
  EXPECT_EQ(log.body, "late");
}

TEST_F(HttpTimeTest, AConnectionThatWasIdleForLongIsNotUsedAgain) {
  ASSERT_TRUE(fetch(request("GET")).ok());
  world_.run_for(limits::kHttpReuseMax - milliseconds(10));
  ASSERT_TRUE(fetch(request("GET")).ok());
  EXPECT_EQ(world_.network.dials().size(), 1U);
  world_.run_for(limits::kHttpReuseMax + milliseconds(10));
  ASSERT_TRUE(fetch(request("GET")).ok());
  EXPECT_EQ(world_.network.dials().size(), 2U);
}

TEST_F(HttpTimeTest, AHostThatIsSwitchedOffIsGivenUp) {
  world_.network.hang_dials(true);
  AnswerLog log;
  const auto exchange = client_->start(url(), request("GET"), log, kNever);
  world_.run_for(limits::kConnectTimeout - milliseconds(10));
  EXPECT_FALSE(log.over);
  world_.run_for(milliseconds(20));
  ASSERT_TRUE(log.over);
  EXPECT_EQ(log.error->code, ErrorCode::kDeadlineExceeded);
  EXPECT_FALSE(log.connected);
}

TEST_F(HttpTimeTest, ASlowReaderLosesItsConnection) {
  net::HttpReply stream;
  bool gone = false;
  handler_.act = [&](HttpRequest, net::HttpReply reply) {
    stream = std::move(reply);
    stream.on_gone([&gone] { gone = true; });
    stream.open_stream(200, {});
  };
  const std::unique_ptr<net::Pipe> pipe = dial();
  fakes::PipeLog log;
  pipe->start(log);
  pipe->write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  world_.settle();
  static_cast<fakes::SimPipe&>(*pipe).stall_until(kNever);
  const std::string megabyte(1U << 20U, 'x');
  for (int i = 0; i < 40 && !gone; ++i) {
    stream.write(megabyte);
    world_.settle();
  }
  EXPECT_TRUE(gone);
  EXPECT_FALSE(stream.open());
}

TEST_F(HttpTimeTest, ARouterTellsPathsApart) {
  net::HttpRouter router;
  router.add("/here", handler_);
  server_ = std::make_unique<net::HttpServer>(world_.loop, router, net::HttpAccess::anybody());
  EXPECT_EQ(fetch(request("GET"), "/here?x=1").value().status, 200);
  EXPECT_EQ(fetch(request("GET"), "/there").value().status, 404);
}

}  // namespace
}  // namespace plumbline::transports_test
