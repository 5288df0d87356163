#include "core/metrics/metrics.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/metrics/otlp_metrics.h"
#include "core/metrics/prometheus_text.h"
#include "core/net/http_server.h"
#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::metrics {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const About kCalls{"mcp.calls", "Calls, by \\ and\nmethod", "{call}"};
const About kTook{"mcp.client.operation.duration", "How long", "s"};
const About kOpen{"mcp.connections", "Open now", "{connection}"};

constexpr std::array kBounds = {0.1, 1.0};

void fill(Metrics& metrics) {
  metrics.counter(kCalls, {{"mcp.method", "tools/call"}, {"who", "\"a\"\n\\"}}).add(3);
  metrics.gauge(kOpen).set(2.5);
  Histogram& took = metrics.histogram(kTook, {}, kBounds);
  for (const double value : {0.1, 0.5, 0.5, 7.0}) took.record(value);
}

TEST(MetricsTest, TheTextIsWhatPrometheusReads) {
  Metrics metrics;
  fill(metrics);
  EXPECT_EQ(prometheus_text(metrics),
            "# HELP mcp_calls_total Calls, by \\\\ and\\nmethod\n"
            "# TYPE mcp_calls_total counter\n"
            "mcp_calls_total{mcp_method=\"tools/call\",who=\"\\\"a\\\"\\n\\\\\"} 3\n"
            "# HELP mcp_client_operation_duration_seconds How long\n"
            "# TYPE mcp_client_operation_duration_seconds histogram\n"
            "mcp_client_operation_duration_seconds_bucket{le=\"0.1\"} 1\n"
            "mcp_client_operation_duration_seconds_bucket{le=\"1\"} 3\n"
            "mcp_client_operation_duration_seconds_bucket{le=\"+Inf\"} 4\n"
            "mcp_client_operation_duration_seconds_sum 8.1\n"
            "mcp_client_operation_duration_seconds_count 4\n"
            "# HELP mcp_connections Open now\n"
            "# TYPE mcp_connections gauge\n"
            "mcp_connections 2.5\n");
}

TEST(MetricsTest, LabelsThatBecomeTheSameAreJoined) {
  Metrics metrics;
  metrics.gauge({"g", "", ""}, {{"a.b", "1"}, {"a_b", "2"}, {"1st", "x"}}).set(0);
  EXPECT_NE(prometheus_text(metrics).find("g{_1st=\"x\",a_b=\"1;2\"} 0\n"), std::string::npos);
}

TEST(MetricsTest, ManySeriesAreCountedTogetherPastTheBound) {
  Metrics metrics;
  for (std::size_t i = 0; i < kSeriesMax + 50; ++i) {
    metrics.counter(kCalls, {{"server", std::to_string(i)}}).add();
  }
  const auto& series = metrics.families().at(kCalls.name).counters;
  EXPECT_EQ(series.size(), kSeriesMax + 1);
  EXPECT_EQ(series.at({{kOverflow, "true"}}).value(), 50);
  metrics.counter(kCalls, {{"server", "3"}}).add();
  EXPECT_EQ(series.at({{"server", "3"}}).value(), 2);
}

TEST(MetricsTest, WhatIsCheaperToAskForIsAskedBeforeEachWriting) {
  Metrics metrics;
  int asked = 0;
  metrics.before_writing([&] { metrics.gauge(kOpen).set(++asked); });
  prometheus_text(metrics);
  EXPECT_NE(prometheus_text(metrics).find("mcp_connections 2\n"), std::string::npos);
}

Json json(std::string_view text) { return parse_json(text).value(); }

TEST(MetricsTest, OtlpHasEachKindAsCollectorsExpectIt) {
  Metrics metrics;
  fill(metrics);
  const Json body = otlp_metrics(metrics, {"plumbline", "1.0", {}}, seconds(1), seconds(61));
  const Json& of = body["resourceMetrics"][0];
  EXPECT_EQ(of["resource"]["attributes"],
            json(R"([{"key":"service.name","value":{"stringValue":"plumbline"}},)"
                 R"({"key":"service.version","value":{"stringValue":"1.0"}}])"));
  const Json& all = of["scopeMetrics"][0]["metrics"];
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["sum"],
            json(R"({"dataPoints":[{"attributes":[{"key":"mcp.method","value":{"stringValue":)"
                 R"("tools/call"}},{"key":"who","value":{"stringValue":"\"a\"\n\\"}}],)"
                 R"("startTimeUnixNano":"1000000000","timeUnixNano":"61000000000","asInt":"3"}],)"
                 R"("aggregationTemporality":2,"isMonotonic":true})"));
  EXPECT_EQ(
      all[1]["histogram"],
      json(R"({"dataPoints":[{"attributes":[],"startTimeUnixNano":"1000000000",)"
           R"("timeUnixNano":"61000000000","count":"4","sum":8.1,"bucketCounts":["1","2","1"],)"
           R"("explicitBounds":[0.1,1.0],"min":0.1,"max":7.0}],"aggregationTemporality":2})"));
  EXPECT_EQ(
      all[2]["gauge"],
      json(R"({"dataPoints":[{"attributes":[],"timeUnixNano":"61000000000","asDouble":2.5}]})"));
}

// Collector keeps what was sent to it, and answers with a status.
class Collector final : public net::HttpHandler {
 public:
  int status = 200;
  bool hangs = false;
  std::vector<wire::HttpRequest> got;

  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    got.push_back(std::move(request));
    if (hangs) {
      held_.push_back(std::move(reply));
    } else {
      reply.respond(wire::HttpResponse{status, {}, "{}"});
    }
  }

 private:
  std::vector<net::HttpReply> held_;
};

class OtlpExporterTest : public testing::Test {
 protected:
  OtlpExporterTest() {
    listener_ = network_
                    .listen({"127.0.0.1", 4318}, std::nullopt,
                            [this](auto pipe) { server_.accept(std::move(pipe)); })
                    .value();
    fill(metrics_);
    exporter_.emplace(loop_, http_, clock_, metrics_, Resource{},
                      wire::parse_url("http://127.0.0.1:4318/v1/metrics").value(),
                      wire::HttpHeaders{{"X-Api-Key", "k"}},
                      [this](const std::string& line) { told_.push_back(line); });
  }

  void run_for(Duration span) {
    Alarm over([] {});
    const Instant until = after(loop_.now(), span);
    loop_.arm(over, until);
    const auto ran = loop_.run_until_idle(100'000, until);
    static_cast<void>(ran);
  }

  fakes::SimLoop loop_;
  fakes::SimNetwork network_{loop_, fakes::PipeOptions{}, Rng(1)};
  fakes::SimWallClock clock_{loop_, seconds(1'000)};
  Collector collector_;
  net::HttpServer server_{loop_, collector_, net::HttpAccess::anybody()};
  std::unique_ptr<net::Listener> listener_;
  net::HttpClient http_{loop_, network_};
  Metrics metrics_;
  std::vector<std::string> told_;
  std::optional<OtlpExporter> exporter_;
};

TEST_F(OtlpExporterTest, TheCollectorGetsAllOfItEachInterval) {
  exporter_->start(seconds(60));
  run_for(seconds(61));
  ASSERT_EQ(collector_.got.size(), 1U);
  EXPECT_EQ(collector_.got[0].method, "POST");
  EXPECT_EQ(collector_.got[0].target, "/v1/metrics");
  EXPECT_EQ(collector_.got[0].headers.get("Content-Type"), "application/json");
  EXPECT_EQ(collector_.got[0].headers.get("X-Api-Key"), "k");
  EXPECT_EQ(collector_.got[0].body,
            dump_json(otlp_metrics(metrics_, Resource{}, seconds(1'000), seconds(1'060))));
  run_for(seconds(120));
  EXPECT_EQ(collector_.got.size(), 3U);
}

TEST_F(OtlpExporterTest, TroubleIsToldOnceUntilItIsOver) {
  collector_.status = 503;
  exporter_->start(seconds(10));
  run_for(seconds(35));
  EXPECT_EQ(collector_.got.size(), 3U);
  EXPECT_EQ(told_, (std::vector<std::string>{"metrics cannot be sent to http://127.0.0.1:4318: "
                                             "the collector answers with status 503"}));
  collector_.status = 200;
  run_for(seconds(10));
  collector_.status = 503;
  run_for(seconds(10));
  EXPECT_EQ(told_.size(), 2U);
}

TEST_F(OtlpExporterTest, ACollectorThatHangsIsAskedAgainWhenItWasGivenUp) {
  collector_.hangs = true;
  exporter_->start(seconds(4));
  run_for(seconds(13));
  EXPECT_EQ(collector_.got.size(), 1U);
  run_for(seconds(6));
  EXPECT_EQ(collector_.got.size(), 2U);
  EXPECT_EQ(told_.size(), 1U);
}

}  // namespace
}  // namespace plumbline::metrics
