// A world with the session-aware server in it, and what its tests ask it.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "core/service/sessions/session_server.h"
#include "fakes/service/session_worker.h"
#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_record_store.h"

namespace plumbline::service {

class ServiceWorld {
 public:
  using Troubles = fakes::StoreTroubles;

  explicit ServiceWorld(SessionServerOptions options = {}, std::uint64_t seed = 1,
                        Troubles troubles = nullptr)
      : options_(std::move(options)),
        rng_(seed),
        network(loop, {std::chrono::microseconds(100), std::chrono::microseconds(900)}, Rng(seed)),
        records(loop, std::move(troubles)),
        client(loop, network) {
    options_.http.log = [this](const std::string& line) { log += line + "\n"; };
    boot();
  }

  // boot starts the server; kill ends it as SIGKILL does: what is in the store stays.
  void boot() {
    bytes_ = rng_.fork("bytes " + std::to_string(++boots_));
    server = std::make_unique<SessionServer>(
        loop, clock, records, [this](std::size_t count) { return random_bytes(count); }, options_);
    net::HttpServerOptions http_options;
    http_options.proxies = options_.http.proxies;
    http = std::make_unique<net::HttpServer>(loop, server->handler(), server->access(),
                                             std::move(http_options));
    Task<Status> loading = server->load();
    check(loop.run_task(loading).ok() && loading.result().ok(), "the sessions cannot be loaded");
    auto listening = network.listen({"127.0.0.1", 80}, std::nullopt,
                                    [this](auto pipe) { http->accept(std::move(pipe)); });
    check(listening.ok(), "the place is taken");
    listener = std::move(listening).value();
    server->guard("http://127.0.0.1/mcp");
  }
  void kill() {
    listener.reset();
    http.reset();
    server.reset();
    records.crash();
  }

  wire::Url url(const std::string& target) const {
    return wire::parse_url("http://127.0.0.1" + target).value();
  }

  static wire::HttpRequest request(std::string method, const Json& body = nullptr,
                                   wire::HttpHeaders headers = {}) {
    wire::HttpRequest asked;
    asked.method = std::move(method);
    asked.headers = std::move(headers);
    if (!body.is_null()) {
      asked.body = dump_json(body);
      asked.headers.set("Content-Type", "application/json");
    }
    return asked;
  }

  Task<Result<wire::HttpResponse>> asking(std::string target, wire::HttpRequest asked) {
    return net::fetch(client, url(target), std::move(asked), after(loop.now(), kPatience),
                      1U << 20U);
  }

  wire::HttpResponse fetch(const std::string& target, wire::HttpRequest asked) {
    Task<Result<wire::HttpResponse>> task = asking(target, std::move(asked));
    const auto run = loop.run_task(task, 10'000'000, after(loop.now(), 2 * kPatience));
    if (!run.ok() || !task.result().ok()) {
      ADD_FAILURE() << target << ": "
                    << (run.ok() ? task.result().error().message : run.error().message);
      return {};
    }
    return std::move(task.result()).value();
  }
  wire::HttpResponse get(const std::string& target) { return fetch(target, request("GET")); }
  wire::HttpResponse post(const std::string& target, const Json& body) {
    return fetch(target, request("POST", body));
  }

  static Json json(const wire::HttpResponse& response) {
    const Result<Json> body = parse_json(response.body);
    if (!body.ok()) ADD_FAILURE() << response.status << ": " << response.body;
    return body.ok() ? body.value() : Json();
  }

  std::string open_session() {
    const wire::HttpResponse made = post("/api/sessions", Json::object());
    EXPECT_EQ(made.status, 201) << made.body;
    return string_or(json(made), "code", "");
  }

  std::unique_ptr<fakes::SessionWorker> worker(const std::string& code,
                                               fakes::WorkerHabits habits = {}) {
    auto made = std::make_unique<fakes::SessionWorker>(loop, network, url("/"), code,
                                                       std::move(habits), rng_.fork(code));
    made->listen();
    run_for(std::chrono::milliseconds(50));
    return made;
  }

  // mcp is one stateless request (2026-07-28).
  static wire::HttpRequest mcp(const std::string& method, Json params,
                               wire::HttpHeaders headers = {}, int id = 1) {
    params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                       {"io.modelcontextprotocol/clientCapabilities", Json::object()},
                       {"io.modelcontextprotocol/clientInfo", {{"name", "t"}, {"version", "1"}}}};
    headers.set("Accept", "application/json, text/event-stream");
    headers.set("MCP-Protocol-Version", "2026-07-28");
    headers.set("Mcp-Method", method);
    if (const auto name = find_string(params, "name")) headers.set("Mcp-Name", *name);
    return request("POST", {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}},
                   std::move(headers));
  }

  // answer_of returns the JSON-RPC answer of a response, whole or as the last event of a stream.
  static Json answer_of(const wire::HttpResponse& response) {
    const std::size_t last = response.body.rfind("data: ");
    if (last == std::string::npos) return json(response);
    const std::string data = response.body.substr(last + 6);
    return parse_json(data.substr(0, data.find('\n'))).value();
  }

  void run_for(Duration span) {
    check(loop.run_until_idle(50'000'000, after(loop.now(), span)).ok(), "a restless world");
  }

 private:
  static constexpr Duration kPatience = std::chrono::seconds(120);

  std::string random_bytes(std::size_t count) {
    std::string bytes;
    while (bytes.size() < count) bytes += static_cast<char>(bytes_.next());
    return bytes;
  }

  SessionServerOptions options_;
  Rng rng_;
  Rng bytes_{0};
  int boots_ = 0;

 public:
  fakes::SimLoop loop;
  fakes::SimNetwork network;
  fakes::SimWallClock clock{loop, std::chrono::hours(500'000)};
  fakes::SimRecordStore records;
  net::HttpClient client;
  std::unique_ptr<SessionServer> server;
  std::unique_ptr<net::HttpServer> http;
  std::unique_ptr<net::Listener> listener;
  std::string log;
};

inline Json graph_arguments() {
  return {{"datasetName", "d"}, {"graphType", "histogram"}, {"xAttribute", "x"}};
}

}  // namespace plumbline::service
