#include "core/trace/export/span_exporter.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/net/http_server.h"
#include "fakes/world/sim_file_store.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::trace {
namespace {

using std::chrono::seconds;

// Collecting keeps what was sent to it, and answers with a status, or never.
class Collecting final : public net::HttpHandler {
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
  std::size_t spans(std::size_t request) const {
    const Json body = parse_json(got.at(request).body).value();
    return body["resourceSpans"][0]["scopeSpans"][0]["spans"].size();
  }

 private:
  std::vector<net::HttpReply> held_;
};

class SpanExporterTest : public testing::Test {
 protected:
  void add(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) exporter_.on_span({.name = std::to_string(i)});
  }
  void run_for(Duration span) {
    Alarm over([] {});
    const Instant until = after(loop_.now(), span);
    loop_.arm(over, until);
    static_cast<void>(loop_.run_until_idle(100'000, until));
  }
  void flush() {
    Task<void> task = exporter_.flush();
    ASSERT_TRUE(loop_.run_task(task).ok());
  }

  fakes::SimLoop loop_;
  fakes::SimNetwork network_{loop_, fakes::PipeOptions{}, Rng(1)};
  Collecting collector_;
  net::HttpServer server_{loop_, collector_, net::HttpAccess::anybody()};
  std::unique_ptr<net::Listener> listener_ =
      network_
          .listen({"127.0.0.1", 4318}, std::nullopt,
                  [this](auto pipe) { server_.accept(std::move(pipe)); })
          .value();
  net::HttpClient http_{loop_, network_};
  CollectorPlace place_{loop_, http_, wire::parse_url("http://127.0.0.1:4318/v1/traces").value(),
                        wire::HttpHeaders{{"X-Api-Key", "k"}}};
  std::vector<std::string> told_;
  SpanExporter exporter_{loop_,
                         place_,
                         Resource{},
                         [this](const std::string& line) { told_.push_back(line); },
                         {.spans_max = 8, .batch_max = 4}};
};

TEST_F(SpanExporterTest, BatchesGoOutInIntervalsAndAFullOneAtOnce) {
  exporter_.start();
  add(3);
  run_for(seconds(4));
  EXPECT_TRUE(collector_.got.empty());
  run_for(seconds(2));
  ASSERT_EQ(collector_.got.size(), 1U);
  EXPECT_EQ(collector_.got[0].target, "/v1/traces");
  EXPECT_EQ(collector_.got[0].headers.get("Content-Type"), "application/json");
  EXPECT_EQ(collector_.got[0].headers.get("X-Api-Key"), "k");
  EXPECT_EQ(collector_.spans(0), 3U);
  add(4);
  run_for(seconds(1));
  EXPECT_EQ(collector_.got.size(), 2U);
  EXPECT_TRUE(told_.empty());
}

TEST_F(SpanExporterTest, WhatMayPassWaitsOnAndWhatIsRefusedIsLost) {
  exporter_.start();
  collector_.status = 503;
  add(6);
  run_for(seconds(16));
  EXPECT_EQ(told_, (std::vector<std::string>{"spans cannot be sent to http://127.0.0.1:4318: the "
                                             "collector answers with status 503"}));
  collector_.status = 200;
  const std::size_t before = collector_.got.size();
  run_for(seconds(5));
  EXPECT_EQ(collector_.got.size(), before + 2);
  EXPECT_EQ(exporter_.lost(), 0U);
  collector_.status = 400;
  add(2);
  flush();
  EXPECT_EQ(exporter_.lost(), 2U);
  EXPECT_EQ(told_.size(), 2U);
  const std::size_t sent = collector_.got.size();
  flush();
  EXPECT_EQ(collector_.got.size(), sent);
}

TEST_F(SpanExporterTest, ACollectorThatHangsStopsNobodyAndTheQueueIsBounded) {
  exporter_.start();
  collector_.hangs = true;
  add(4);
  run_for(seconds(1));
  add(1'000);
  EXPECT_EQ(exporter_.lost(), 996U);
  EXPECT_EQ(told_.size(), 1U);
  const Instant began = loop_.now();
  flush();
  EXPECT_LE(loop_.now() - began, seconds(20));
  EXPECT_EQ(told_.size(), 1U);
}

TEST(FilePlaceTest, EachBatchIsALine) {
  fakes::SimLoop loop;
  fakes::SimFileStore files;
  FilePlace place(files, "/traces.jsonl");
  SpanExporter exporter(loop, place, {}, nullptr, {.batch_max = 2});
  for (int i = 0; i < 3; ++i) exporter.on_span({.name = "x"});
  Task<void> task = exporter.flush();
  ASSERT_TRUE(loop.run_task(task).ok());
  const std::string text = files.read_file("/traces.jsonl").value();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_TRUE(parse_json(text.substr(0, text.find('\n'))).ok());
}

}  // namespace
}  // namespace plumbline::trace
