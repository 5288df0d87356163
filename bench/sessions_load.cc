// Sessions under load, over sockets of the loopback interface: how long a worker takes from nothing
// to its stream, and how long calls take through it. bench/compare_sessions.mjs runs it against our
// server and one of the TypeScript SDK and Express.
//
//   sessions_load serve                                  our server; prints its URL
//   sessions_load run URL SESSIONS PER_SECOND CALLS IN_FLIGHT   prints a line of JSON for each
//   part,
//                                                        and waits for a line of input in between

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/net/http_answer.h"
#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "core/os/fd.h"
#include "core/os/net/real_network.h"
#include "core/os/random.h"
#include "core/os/real_loop.h"
#include "core/os/wall_clock.h"
#include "core/service/sessions/session_server.h"
#include "core/store/memory_record_store.h"

namespace plumbline {
namespace {

using load::client_options;
using load::kConnectionsMax;
using load::kPatience;
using load::print_line;

int serve_sessions() {
  os::raise_descriptor_limit();
  os::RealLoop loop;
  os::RealNetwork network(loop);
  const os::RealWallClock clock;
  store::MemoryRecordStore records;
  service::SessionServer server(loop, clock, records, os::random_bytes, {});
  net::HttpServerOptions options;
  options.all.set(Resource::kConnections, kConnectionsMax);
  options.each.set(Resource::kConnections, kConnectionsMax);
  net::HttpServer http(loop, server.handler(), server.access(), options);
  const auto loaded = os::run(loop, server.load());
  auto listener = network.listen({"127.0.0.1", 0}, std::nullopt,
                                 [&http](auto pipe) { http.accept(std::move(pipe)); });
  if (!loaded || !loaded->ok() || !listener.ok()) return 1;
  print_line("http://127.0.0.1:" + std::to_string(listener.value()->port()));
  loop.run_until([] { return false; });
  return 0;
}

double milliseconds(Duration span) {
  return std::chrono::duration<double, std::milli>(span).count();
}

Json percentiles(std::vector<double> values) {
  if (values.empty()) return nullptr;
  std::ranges::sort(values);
  const auto at = [&values](double part) {
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  return {{"p50_ms", at(0.5)}, {"p99_ms", at(0.99)}, {"max_ms", values.back()}};
}

wire::HttpRequest request(std::string method, const Json& body) {
  wire::HttpRequest made;
  made.method = std::move(method);
  made.headers.set("Content-Type", "application/json");
  made.headers.set("Accept", "application/json, text/event-stream");
  made.body = dump_json(body);
  return made;
}

class Load;

// Worker is a session with its stream: it answers each call at once.
class Worker final : public net::HttpAnswerReader {
 public:
  explicit Worker(Load& load) : load_(load) {}

  Task<void> open();
  const std::string& code() const { return code_; }

  void on_answer_event(net::HttpAnswer& answer, wire::SseEvent event) override;
  void on_answer_over(net::HttpAnswer& /*answer*/, const Error* /*error*/,
                      bool /*connected*/) override {
    std::fputs("a stream has ended\n", stderr);
    std::exit(1);
  }

 private:
  Load& load_;
  Instant began_;
  std::string code_;
  std::unique_ptr<net::HttpAnswer> stream_;
};

class Load {
 public:
  explicit Load(wire::Url base)
      : base_(std::move(base)), client_(loop, network_, client_options()) {}

  wire::Url at(std::string target) const {
    wire::Url url = base_;
    url.target = std::move(target);
    return url;
  }
  net::HttpClient& client() { return client_; }

  Task<Result<wire::HttpResponse>> fetch(std::string target, wire::HttpRequest asked) {
    return net::fetch(client_, at(std::move(target)), std::move(asked),
                      after(loop.now(), kPatience), 1U << 20U);
  }

  // open begins `count` sessions, so many a second, and waits for all.
  void open(std::size_t count, double per_second) {
    const Instant start = loop.now();
    Alarm next([this, count, per_second, start, &next] {
      while (workers_.size() < count) {
        const Duration due(
            static_cast<std::int64_t>(1e9 * static_cast<double>(workers_.size()) / per_second));
        if (loop.now() < start + due) return loop.arm(next, start + due);
        workers_.push_back(std::make_unique<Worker>(*this));
        work.spawn(workers_.back()->open());
      }
    });
    loop.arm(next, start);
    loop.run_until([&] { return ready_ms.size() == count; });
    print("ready", ready_ms, start, count);
  }

  // call makes `count` calls, `in_flight` at a time.
  void call(std::size_t count, std::size_t in_flight) {
    left_ = count;
    for (std::size_t i = 0; i < in_flight; ++i) work.spawn(caller(*this, i));
    loop.run_until([&] { return initialized_ == in_flight; });
    const Instant start = loop.now();
    for (std::size_t i = 0; i < in_flight; ++i) work.spawn(calls(*this, i));
    loop.run_until([&] { return call_ms.size() == count; });
    print("calls", call_ms, start, count);
  }

  os::RealLoop loop;
  std::vector<double> ready_ms;
  std::vector<double> call_ms;

 private:
  void print(const char* what, const std::vector<double>& values, Instant start,
             std::size_t count) {
    const double seconds = milliseconds(loop.now() - start) / 1'000;
    Json line = percentiles(values);
    line["what"] = what;
    line["count"] = count;
    line["per_second"] = static_cast<double>(count) / seconds;
    print_line(dump_json(line));
    while (std::getchar() != '\n') {
    }
  }

  // caller opens the MCP session of one that calls.
  static Task<void> caller(Load& load, std::size_t index) {
    const Json hello = {{"jsonrpc", "2.0"},
                        {"id", 0},
                        {"method", "initialize"},
                        {"params",
                         {{"protocolVersion", "2025-11-25"},
                          {"capabilities", Json::object()},
                          {"clientInfo", {{"name", "load"}, {"version", "1"}}}}}};
    wire::HttpRequest opening = request("POST", hello);
    const Result<wire::HttpResponse> opened =
        co_await load.fetch(load.path_of(index), std::move(opening));
    if (!opened.ok() || opened.value().status != 200) die("initialize");
    load.sessions_.resize(std::max(load.sessions_.size(), index + 1));
    load.sessions_[index] = std::string(opened.value().headers.get("Mcp-Session-Id").value_or(""));
    wire::HttpRequest ready =
        load.mcp(index, {{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
    const Result<wire::HttpResponse> said =
        co_await load.fetch(load.path_of(index), std::move(ready));
    if (!said.ok()) die("initialized");
    ++load.initialized_;
  }

  static Task<void> calls(Load& load, std::size_t index) {
    while (load.left_ > 0) {
      const auto id = static_cast<std::int64_t>(load.left_--);
      wire::HttpRequest asked = load.mcp(
          index, {{"jsonrpc", "2.0"},
                  {"id", id},
                  {"method", "tools/call"},
                  {"params",
                   {{"name", "create_codap_graph"},
                    {"arguments",
                     {{"datasetName", "d"}, {"graphType", "histogram"}, {"xAttribute", "x"}}}}}});
      const Instant began = load.loop.now();
      const Result<wire::HttpResponse> answer =
          co_await load.fetch(load.path_of(index), std::move(asked));
      if (!answer.ok() || answer.value().body.find("\u2705") == std::string::npos) die("a call");
      load.call_ms.push_back(milliseconds(load.loop.now() - began));
    }
  }

  std::string path_of(std::size_t index) const {
    return "/api/sessions/" + workers_[index % workers_.size()]->code() + "/mcp";
  }
  wire::HttpRequest mcp(std::size_t index, const Json& message) const {
    wire::HttpRequest made = request("POST", message);
    made.headers.set("Mcp-Session-Id", sessions_[index]);
    made.headers.set("MCP-Protocol-Version", "2025-11-25");
    return made;
  }
  [[noreturn]] static void die(const char* what) {
    std::fprintf(stderr, "%s failed\n", what);
    std::exit(1);
  }

  wire::Url base_;
  os::RealNetwork network_{loop};
  net::HttpClient client_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::string> sessions_;
  std::size_t initialized_ = 0;
  std::size_t left_ = 0;

 public:
  TaskGroup work;
};

Task<void> Worker::open() {
  began_ = load_.loop.now();
  wire::HttpRequest opening = request("POST", Json::object());
  std::string path = "/api/sessions";
  const Result<wire::HttpResponse> made = co_await load_.fetch(std::move(path), std::move(opening));
  if (!made.ok() || made.value().status != 201) {
    std::fputs("no session\n", stderr);
    std::exit(1);
  }
  code_ = string_or(parse_json(made.value().body).value(), "code", "");
  wire::HttpRequest listening;
  listening.method = "GET";
  listening.headers.set("Accept", "text/event-stream");
  stream_ = std::make_unique<net::HttpAnswer>(load_.client(),
                                              load_.at("/api/stream?sessionCode=" + code_),
                                              std::move(listening), *this, kNever);
}

Task<void> respond(Load& load, Json body) {
  wire::HttpRequest answer = request("POST", body);
  std::string path = "/api/response";
  const Result<wire::HttpResponse> said = co_await load.fetch(std::move(path), std::move(answer));
  if (!said.ok() || said.value().status != 200) std::fputs("an answer was refused\n", stderr);
}

void Worker::on_answer_event(net::HttpAnswer& /*answer*/, wire::SseEvent event) {
  if (event.event == "connection") {
    load_.ready_ms.push_back(milliseconds(load_.loop.now() - began_));
    return;
  }
  if (event.event != "tool_request") return;
  const Json data = parse_json(event.data).value();
  load_.work.spawn(respond(load_, {{"sessionCode", code_},
                                   {"requestId", string_or(data, "requestId", "")},
                                   {"result", {{"success", true}, {"data", {{"points", 3}}}}}}));
}

int run(char** words) {
  os::raise_descriptor_limit();
  const Result<wire::Url> base = wire::parse_url(words[0]);
  if (!base.ok()) return 2;
  Load load(base.value());
  load.open(std::strtoul(words[1], nullptr, 10), std::strtod(words[2], nullptr));
  load.call(std::strtoul(words[3], nullptr, 10), std::strtoul(words[4], nullptr, 10));
  std::_Exit(0);  // Nobody has to say goodbye to ten thousand sessions.
}

}  // namespace
}  // namespace plumbline

int main(int count, char** words) {
  const std::string_view mode = count > 1 ? words[1] : "";
  if (mode == "serve" && count == 2) return plumbline::serve_sessions();
  if (mode == "run" && count == 7) return plumbline::run(words + 2);
  std::fputs("sessions_load serve | run URL SESSIONS PER_SECOND CALLS IN_FLIGHT\n", stderr);
  return 2;
}
