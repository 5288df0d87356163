#include "core/service/page_service.h"

#include <chrono>
#include <memory>

#include <gtest/gtest.h>

#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::service {
namespace {

class PageServiceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto listener = network_.listen({"127.0.0.1", 80}, std::nullopt,
                                    [this](auto pipe) { server_.accept(std::move(pipe)); });
    ASSERT_TRUE(listener.ok());
    listener_ = std::move(listener).value();
  }

  wire::HttpResponse ask(const std::string& target, wire::HttpRequest request) {
    wire::Url url = wire::parse_url("http://127.0.0.1" + target).value();
    Task<Result<wire::HttpResponse>> task =
        net::fetch(client_, std::move(url), std::move(request),
                   after(loop_.now(), std::chrono::seconds(9)), 1U << 20U);
    EXPECT_TRUE(loop_.run_task(task).ok());
    return task.result().ok() ? task.result().value() : wire::HttpResponse{0, {}, ""};
  }

  fakes::SimLoop loop_;
  fakes::SimNetwork network_{loop_, {}, Rng(1)};
  PageService pages_{"default-src 'none'", [](const std::string& target) -> std::optional<Page> {
                       if (!target.starts_with("/a")) return std::nullopt;
                       return Page{"text/plain", target};
                     }};
  net::HttpServer server_{loop_, pages_, net::HttpAccess()};
  std::unique_ptr<net::Listener> listener_;
  net::HttpClient client_{loop_, network_};
};

TEST_F(PageServiceTest, APageIsShownUnderItsPolicy) {
  const wire::HttpResponse shown = ask("/a?b=c", {"GET", "", {}, ""});
  EXPECT_EQ(shown.status, 200);
  EXPECT_EQ(shown.body, "/a?b=c");
  EXPECT_EQ(shown.headers.get("Content-Type"), "text/plain");
  EXPECT_EQ(shown.headers.get("Content-Security-Policy"), "default-src 'none'");
}

TEST_F(PageServiceTest, StrangersAndOtherMethodsAreRefused) {
  const wire::HttpResponse named = ask("/a", {"GET", "", {{"Host", "evil.example"}}, ""});
  EXPECT_EQ(named.status, 403);
  EXPECT_EQ(named.body.find("/a"), std::string::npos);
  EXPECT_EQ(named.headers.get("Content-Security-Policy"), "default-src 'none'");
  EXPECT_EQ(ask("/a", {"GET", "", {{"Origin", "http://evil.example"}}, ""}).status, 403);
  EXPECT_EQ(ask("/a", {"POST", "", {}, ""}).status, 405);
  EXPECT_EQ(ask("/b", {"GET", "", {}, ""}).status, 404);
}

}  // namespace
}  // namespace plumbline::service
