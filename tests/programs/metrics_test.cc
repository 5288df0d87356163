// What a command tells a collector of OpenTelemetry of itself.

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
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

  // stop ends it and returns what came to `target`; empty: anything.
  std::vector<wire::HttpRequest> stop(const std::string& target = "") {
    over_ = true;
    if (thread_.joinable()) thread_.join();
    std::vector<wire::HttpRequest> found;
    std::ranges::copy_if(got_, std::back_inserter(found), [&](const wire::HttpRequest& request) {
      return target.empty() || request.target == target;
    });
    return found;
  }

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    const bool known = request.target == "/v1/metrics" || request.target == "/v1/traces";
    got_.push_back(std::move(request));
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
  Outcome ask(const std::vector<std::string>& options, std::map<std::string, std::string> env) {
    const std::string file = config(
        "tickets",
        {PLUMBLINE_PROGRAM, "serve",
         std::string(SOURCE_ROOT) + "/scenarios/library/basics/search-tickets-with-filters.json",
         "--stdio"});
    std::vector<std::string> words = {"ask", "Summarize the open high-priority support tickets.",
                                      "--config", file};
    words.insert(words.end(), options.begin(), options.end());
    env["OTEL_EXPORTER_OTLP_HEADERS"] = "X-Api-Key=collector-key-1";
    env["OTEL_SERVICE_NAME"] = "desk";
    return run(words, std::move(env));
  }
};

TEST_F(MetricsTest, AskTellsTheCollectorThatItsLineNames) {
  CollectingServer collector;
  const Outcome outcome = ask({"--otlp", collector.url()}, {});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(collector.stop("/v1/traces").size(), 1U);
  const std::vector<wire::HttpRequest> got = collector.stop("/v1/metrics");
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

TEST_F(MetricsTest, VariablesAloneSendNothing) {
  CollectingServer collector;
  const std::string url = collector.url();
  const Outcome outcome = ask({}, {{"OTEL_EXPORTER_OTLP_ENDPOINT", url},
                                   {"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", url + "/v1/metrics"},
                                   {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", url + "/v1/traces"},
                                   {"OTEL_TRACES_EXPORTER", "otlp"},
                                   {"OTEL_METRICS_EXPORTER", "otlp"}});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(collector.stop().size(), 0U);
}

TEST_F(MetricsTest, KeysForAnotherCollectorAreNotShown) {
  CollectingServer collector;
  const Outcome outcome = ask({"--otlp", collector.url()},
                              {{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.invalid"}});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const std::vector<wire::HttpRequest> got = collector.stop();
  EXPECT_EQ(got.size(), 2U);
  for (const wire::HttpRequest& request : got) {
    EXPECT_FALSE(request.headers.get("X-Api-Key").has_value()) << request.target;
  }
}

TEST_F(MetricsTest, ACollectorOfTracesAloneGetsNoMetrics) {
  CollectingServer collector;
  const Outcome outcome = ask({"--otlp", collector.url() + "/v1/traces"}, {});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(collector.stop("/v1/traces").size(), 1U);
  EXPECT_EQ(collector.stop("/v1/metrics").size(), 0U);
}

TEST_F(MetricsTest, ACollectorThatCannotBeHadCostsALineAndNothingElse) {
  CollectingServer collector;
  const Outcome outcome = ask({"--otlp", collector.url() + "/elsewhere"}, {});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("note: metrics cannot be sent: the collector answers with status 404"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("collector-key-1"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::cli
