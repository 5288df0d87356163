// Round trips of tools/call echo with our client and our server at the two ends, as one line of
// JSON. Its twin for the official SDK is peers/mcp-sdk/bench.mjs; compare_echo.sh runs both.
//
//   echo_pair memory|stdio|http IN_FLIGHT SECONDS
//   echo_pair stdio IN_FLIGHT SECONDS COMMAND...   with what starts the server before it: a
//   recorder echo_pair sessions COUNT          memory of a server with so many sessions, each with
//   a stream echo_pair serve stdio|http        the server alone; http prints its URL as the first
//   line

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "core/mcp/transport/stdio_channel.h"
#include "core/mcp/transport/stdio_connector.h"
#include "core/mcp/transport/streamable_http_client.h"
#include "core/net/http_client.h"
#include "core/net/http_router.h"
#include "core/net/http_server.h"
#include "core/os/child/real_spawner.h"
#include "core/os/fd.h"
#include "core/os/net/real_network.h"
#include "core/os/random.h"
#include "core/os/real_loop.h"
#include "core/os/standard_streams.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/value_channel.h"

namespace plumbline {
namespace {

// Stopwatch tells the real time, also while a simulated loop runs: this loop itself never does.
class Stopwatch {
 public:
  Instant now() const { return loop_.now(); }

 private:
  os::RealLoop loop_;
};

Json echo_tool() {
  return Json{{"name", "echo"},
              {"inputSchema",
               {{"type", "object"},
                {"properties", {{"text", {{"type", "string"}}}}},
                {"required", {"text"}}}}};
}

mcp::Reply<Json> echo(const Json& params) {
  Json block(Json::value_t::object);
  block["type"] = "text";
  block["text"] = params["arguments"]["text"];
  Json result(Json::value_t::object);
  result["content"].push_back(std::move(block));
  return result;
}

// resident_kilobytes answers with the memory of this process.
mcp::Reply<Json> resident_kilobytes(const Json&) {
  std::ifstream status("/proc/self/status");
  std::int64_t kilobytes = 0;
  for (std::string word; status >> word;) {
    if (word == "VmRSS:") status >> kilobytes;
  }
  Json result(Json::value_t::object);
  result["content"] = Json::array();
  result["structuredContent"] = Json{{"kilobytes", kilobytes}};
  return result;
}

Json resident_tool() { return Json{{"name", "resident"}, {"inputSchema", {{"type", "object"}}}}; }

std::unique_ptr<mcp::Server> make_server(Loop& loop) {
  mcp::ServerOptions options;
  options.tools = {echo_tool(), resident_tool()};
  auto server = std::make_unique<mcp::Server>(loop, std::move(options), "echo", nullptr);
  server->handle("tools/call", "echo", mcp::at_once(echo));
  server->handle("tools/call", "resident", mcp::at_once(resident_kilobytes));
  return server;
}

// Calls is what the callers have in common.
struct Calls {
  mcp::ClientSession& session;
  const Stopwatch& stopwatch;
  Instant end;
  std::vector<std::int64_t> latencies_us;
};

Task<void> keep_calling(Loop& loop, Calls& calls) {
  const std::string text(100, 'x');
  for (Instant before = calls.stopwatch.now(); before < calls.end;) {
    std::string name = "echo";
    Json arguments(Json::value_t::object);
    arguments["text"] = text;
    const Instant deadline = loop.now() + std::chrono::seconds(30);
    mcp::Reply<Json> reply =
        co_await calls.session.call_tool(std::move(name), std::move(arguments), deadline);
    check(reply.ok() && reply.value()["content"][0]["text"] == text, "not the echo");
    const Instant now = calls.stopwatch.now();
    calls.latencies_us.push_back(
        std::chrono::duration_cast<std::chrono::microseconds>(now - before).count());
    before = now;
  }
}

struct Job {
  std::string transport;
  int in_flight = 1;
  int seconds = 1;
};

Task<void> measure(Loop& loop, mcp::ClientSession& session, Job job) {
  const Instant deadline = loop.now() + std::chrono::seconds(30);
  mcp::Reply<mcp::ServerInfo> opened = co_await session.initialize(deadline);
  check(opened.ok(), "initialize failed");
  const Stopwatch stopwatch;
  Calls warm_up{session, stopwatch, stopwatch.now() + std::chrono::milliseconds(100), {}};
  co_await keep_calling(loop, warm_up);
  const Instant start = stopwatch.now();
  Calls calls{session, stopwatch, start + std::chrono::seconds(job.seconds), {}};
  TaskGroup callers;
  for (int i = 0; i < job.in_flight; ++i) callers.spawn(keep_calling(loop, calls));
  co_await callers.join(loop);
  const double took = std::chrono::duration<double>(stopwatch.now() - start).count();
  std::vector<std::int64_t>& all = calls.latencies_us;
  std::sort(all.begin(), all.end());
  Json out(Json::value_t::object);
  out["peer"] = "plumbline";
  out["transport"] = job.transport;
  out["in_flight"] = job.in_flight;
  out["calls_per_second"] = static_cast<std::int64_t>(static_cast<double>(all.size()) / took);
  out["p50_us"] = all[all.size() / 2];
  out["p99_us"] = all[all.size() * 99 / 100];
  std::printf("%s\n", dump_json(out).c_str());
}

void bench_memory(const Job& job) {
  fakes::SimLoop loop;
  fakes::ValueChannelPair link = fakes::make_value_channel(loop, {}, Rng(1));
  const std::unique_ptr<mcp::Server> server = make_server(loop);
  server->accept(std::move(link.far));
  mcp::ClientSession session(loop, *link.near, mcp::ClientOptions{}, "bench", nullptr);
  Task<void> task = measure(loop, session, job);
  check(loop.run_task(task, std::int64_t{1} << 60).ok(), "the bench did not end");
}

// Program is another run of this very binary, as a server.
class Program {
 public:
  // `words` come before the command that starts the server.
  Program(os::RealLoop& loop, const std::string& self, const std::string& transport,
          std::vector<std::string> words = {})
      : spawner_(loop) {
    words.insert(words.end(), {self, "serve", transport});
    Result<std::unique_ptr<net::Child>> child = spawner_.spawn(net::Command(std::move(words)));
    check(child.ok(), "the server does not start");
    child_ = std::move(child).value();
  }

  net::Pipe& stdio() { return child_->stdio(); }

 private:
  os::RealSpawner spawner_;
  std::unique_ptr<net::Child> child_;
};

void bench_stdio(const Job& job, const std::string& self, std::vector<std::string> before) {
  os::RealLoop loop;
  Program program(loop, self, "stdio", std::move(before));
  transport::StdioChannel channel(program.stdio());
  mcp::ClientSession session(loop, channel, mcp::ClientOptions{}, "bench", nullptr);
  os::run(loop, measure(loop, session, job));
}

// FirstLine waits for the line that tells where the server listens.
class FirstLine final : public net::PipeReader {
 public:
  void on_bytes(std::string_view bytes) override { text_ += bytes; }
  void on_end(const Error*) override { check(false, "the server has ended"); }

  bool whole() const { return text_.ends_with('\n'); }
  std::string line() const { return text_.substr(0, text_.find('\n')); }

 private:
  std::string text_;
};

// HttpProgram is a Program that listens on HTTP.
class HttpProgram {
 public:
  HttpProgram(os::RealLoop& loop, const std::string& self) : program_(loop, self, "http") {
    program_.stdio().start(line_);
    loop.run_until([&] { return line_.whole(); });
  }

  wire::Url url() const { return wire::parse_url(line_.line()).value(); }

 private:
  Program program_;
  FirstLine line_;
};

// HttpClientSession is a client with connections of its own.
struct HttpClientSession {
  HttpClientSession(os::RealLoop& loop, os::RealNetwork& network, const wire::Url& url)
      : http(loop, network), channel(http, url), session(loop, channel, {}, "bench", nullptr) {}

  net::HttpClient http;
  transport::StreamableHttpClient channel;
  mcp::ClientSession session;
};

void bench_http(const Job& job, const std::string& self) {
  os::RealLoop loop;
  const HttpProgram program(loop, self);
  os::RealNetwork network(loop);
  HttpClientSession client(loop, network, program.url());
  os::run(loop, measure(loop, client.session, job));
}

Task<std::int64_t> resident(Loop& loop, mcp::ClientSession& session) {
  std::string name = "resident";
  Json arguments(Json::value_t::object);
  const Instant deadline = loop.now() + std::chrono::seconds(30);
  mcp::Reply<Json> reply =
      co_await session.call_tool(std::move(name), std::move(arguments), deadline);
  check(reply.ok(), "no memory is told");
  co_return reply.value()["structuredContent"]["kilobytes"].get<std::int64_t>();
}

Task<void> open(Loop& loop, mcp::ClientSession& session) {
  const Instant deadline = loop.now() + std::chrono::seconds(30);
  mcp::Reply<mcp::ServerInfo> opened = co_await session.initialize(deadline);
  check(opened.ok(), "initialize failed");
  co_await Sleep(loop, loop.now() + std::chrono::milliseconds(1));  // For the GET stream.
}

void bench_sessions(int count, const std::string& self) {
  os::RealLoop loop;
  const HttpProgram program(loop, self);
  os::RealNetwork network(loop);
  std::vector<std::unique_ptr<HttpClientSession>> clients;
  std::vector<std::int64_t> kilobytes;
  for (int i = 0; i <= count; ++i) {
    clients.push_back(std::make_unique<HttpClientSession>(loop, network, program.url()));
    os::run(loop, open(loop, clients.back()->session));
    if (i == 0 || i == count) {
      kilobytes.push_back(os::run(loop, resident(loop, clients.front()->session)).value());
    }
  }
  Json out(Json::value_t::object);
  out["sessions"] = count;
  out["idle_kilobytes"] = kilobytes.front();
  out["kilobytes_more"] = kilobytes.back() - kilobytes.front();
  std::printf("%s\n", dump_json(out).c_str());
}

void serve_stdio() {
  os::RealLoop loop;
  const std::unique_ptr<mcp::Server> server = make_server(loop);
  const std::unique_ptr<net::Pipe> streams = os::standard_streams(loop);
  bool over = false;
  server->on_idle([&] { over = true; });
  server->accept(std::make_unique<transport::StdioChannel>(*streams));
  loop.run_until([&] { return over; });
}

void serve_http() {
  os::RealLoop loop;
  os::RealNetwork network(loop);
  const std::unique_ptr<mcp::Server> server = make_server(loop);
  transport::StreamableHttpServerOptions options;
  for (const mcp::Revision revision : mcp::all_revisions()) {
    auto& versions =
        mcp::is_stateless(revision) ? options.stateless_versions : options.stateful_versions;
    versions.emplace_back(mcp::name_of(revision));
  }
  options.new_session_id = [] { return os::random_token(16); };
  transport::StreamableHttpServer endpoint(
      loop, std::move(options),
      [&](auto channel, const std::string& /*principal*/) { server->accept(std::move(channel)); });
  net::HttpRouter router;
  router.add("/mcp", endpoint);
  net::HttpServer http(loop, router, net::HttpAccess());
  const auto listener =
      network.listen({"127.0.0.1", 0}, std::nullopt,
                     [&](std::unique_ptr<net::Pipe> pipe) { http.accept(std::move(pipe)); });
  check(listener.ok(), "cannot listen");
  std::printf("http://127.0.0.1:%d/mcp\n", int{listener.value()->port()});
  std::fflush(stdout);
  loop.run_until([] { return false; });
}

// count_of reads a whole number from 1 to a million.
std::optional<int> count_of(std::string_view word) {
  int count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  return whole && count >= 1 && count <= 1'000'000 ? std::optional<int>(count) : std::nullopt;
}

int refuse() {
  std::fprintf(
      stderr,
      "usage: echo_pair memory|stdio|http IN_FLIGHT SECONDS [COMMAND...] | sessions COUNT | serve "
      "stdio|http, where the numbers are whole and from 1 on\n");
  return 2;
}

int run(const std::vector<std::string>& words) {
  const std::string mode = words.size() > 1 ? words[1] : "";
  const std::optional<int> first = words.size() > 2 ? count_of(words[2]) : std::nullopt;
  const std::optional<int> second = words.size() > 3 ? count_of(words[3]) : std::nullopt;
  if (words.size() == 3 && mode == "serve" && words[2] == "stdio") {
    serve_stdio();
  } else if (words.size() == 3 && mode == "serve" && words[2] == "http") {
    serve_http();
  } else if (words.size() == 3 && mode == "sessions" && first) {
    bench_sessions(*first, words[0]);
  } else if (words.size() == 4 && mode == "memory" && first && second) {
    bench_memory({mode, *first, *second});
  } else if (words.size() >= 4 && mode == "stdio" && first && second) {
    bench_stdio({mode, *first, *second}, words[0], {words.begin() + 4, words.end()});
  } else if (words.size() == 4 && mode == "http" && first && second) {
    bench_http({mode, *first, *second}, words[0]);
  } else {
    return refuse();
  }
  return 0;
}

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  plumbline::os::raise_descriptor_limit();
  return plumbline::run(std::vector<std::string>(argv, argv + argc));
}
