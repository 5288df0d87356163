// What a command tells a collector of OpenTelemetry of itself.

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/net/http_server.h"
#include "core/os/net/real_network.h"
#include "core/os/real_loop.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

// CollectingServer runs in a thread of its own while it lives.
class CollectingServer final : public net::HttpHandler {
 public:
  CollectingServer() {
    thread_ = std::thread([this] { serve(); });
    while (port_ == 0) std::this_thread::yield();
  }
  ~CollectingServer() { stop(); }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  // stop ends it and returns what came.
  std::vector<wire::HttpRequest> stop() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
    return got_;
  }

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    const bool known = request.target == "/v1/metrics" || request.target == "/v1/traces";
    if (request.target == "/v1/metrics") got_.push_back(std::move(request));
    reply.respond(wire::HttpResponse{known ? 200 : 404, {}, "{}"});
  }

 private:
  void serve() {
    os::RealLoop loop;
    os::RealNetwork network(loop);
    net::HttpServer server(loop, *this, net::HttpAccess());
    const auto listener =
        network.listen({"127.0.0.1", 0}, std::nullopt,
                       [&](std::unique_ptr<net::Pipe> pipe) { server.accept(std::move(pipe)); });
    port_ = listener.value()->port();
    Alarm look([&] { loop.arm(look, loop.now() + std::chrono::milliseconds(10)); });
    loop.arm(look, loop.now());
    loop.run_until([&] { return over_.load(); });
  }

  std::atomic<int> port_ = 0;
  std::atomic<bool> over_ = false;
  std::vector<wire::HttpRequest> got_;
  std::thread thread_;
};

class MetricsTest : public ProgramTest {
 protected:
  Outcome ask(const std::string& endpoint) {
    const std::string file = config(
        "tickets",
        {PLUMBLINE_PROGRAM, "serve",
         std::string(SOURCE_ROOT) + "/scenarios/library/basics/search-tickets-with-filters.json",
         "--stdio"});
    return run({"ask", "Summarize the open high-priority support tickets.", "--config", file},
               {{"OTEL_EXPORTER_OTLP_ENDPOINT", endpoint},
                {"OTEL_EXPORTER_OTLP_HEADERS", "X-Api-Key=collector-key-1"},
                {"OTEL_SERVICE_NAME", "desk"}});
  }
};

TEST_F(MetricsTest, AskTellsTheCollectorThatTheVariablesName) {
  CollectingServer collector;
  const Outcome outcome = ask(collector.url());
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const std::vector<wire::HttpRequest> got = collector.stop();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got.front().headers.get("X-Api-Key"), "collector-key-1");
  const Json body = parse_json(got.front().body).value();
  const Json& of = body["resourceMetrics"][0];
  EXPECT_NE(dump_json(of["resource"]).find("desk"), std::string::npos);
  std::vector<std::string> names;
  for (const Json& metric : of["scopeMetrics"][0]["metrics"]) names.push_back(metric["name"]);
  for (const char* const name :
       {"mcp.client.operation.duration", "plumbline.connector.connections",
        "plumbline.connector.health", "plumbline.connector.state.changes"}) {
    EXPECT_EQ(std::ranges::count(names, name), 1) << name << ' ' << got.front().body;
  }
}

TEST_F(MetricsTest, ACollectorThatCannotBeHadCostsALineAndNothingElse) {
  CollectingServer collector;
  const Outcome outcome = ask(collector.url() + "/elsewhere");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("note: metrics cannot be sent: the collector answers with status 404"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("collector-key-1"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::cli
