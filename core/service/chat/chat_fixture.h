// A world with the chat API in it: users with tokens, scripted MCP servers and a scripted model.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/connector/mcp_hub_fixture.h"
#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "core/service/chat/chat_api.h"
#include "core/service/sessions/principal_fixture.h"
#include "fakes/model/scripted_model.h"
#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_record_store.h"

namespace plumbline::service {

inline ChatApiOptions chat_options() {
  ChatApiOptions out;
  out.servers.linked = {"files", "mail"};
  return out;
}

class ChatWorld {
 public:
  explicit ChatWorld(std::string_view script, ChatApiOptions options = chat_options(),
                     std::uint64_t seed = 1)
      : script_(read(script)),
        options_(std::move(options)),
        rng_(seed),
        network(loop, {std::chrono::microseconds(100), std::chrono::microseconds(900)}, Rng(seed)),
        records(loop),
        model(loop, script_) {
    options_.http.gate = &gate;
    serve("files", R"([{"name": "read_file", "description": "Read a file",
                        "inputSchema": {"type": "object"}}])",
          "the content");
    serve("mail", R"([{"name": "send_email", "description": "Send an email",
                       "inputSchema": {"type": "object"}}])",
          "sent");
    boot();
  }

  // boot starts a process that serves, and a client; kill ends it as SIGKILL does: what is in the
  // store stays. Between them nobody may be asking.
  void boot() {
    bytes_ = rng_.fork("bytes " + std::to_string(++boots_));
    threads.emplace(records, clock, store::ThreadStoreOptions{.steps_max = 1});
    api = std::make_unique<ChatApi>(
        loop, clock, records, *threads, connector, catalog, model, policy, redactor,
        [this](std::size_t count) { return random_bytes(count); }, options_);
    http = std::make_unique<net::HttpServer>(loop, api->handler(), api->access());
    Task<Status> loading = api->load();
    check(loop.run_task(loading).ok() && loading.result().ok(), "the chats cannot be loaded");
    auto listening = network.listen({"127.0.0.1", 80}, std::nullopt,
                                    [this](auto pipe) { http->accept(std::move(pipe)); });
    check(listening.ok(), "the place is taken");
    listener = std::move(listening).value();
    api->guard("http://127.0.0.1/");
    client.emplace(loop, network);
  }
  void kill() {
    listener.reset();
    http.reset();
    api.reset();
    threads.reset();
    records.crash();
  }

  wire::Url url(const std::string& target) const {
    return wire::parse_url("http://127.0.0.1" + target).value();
  }

  static wire::HttpRequest request(const std::string& user, std::string method,
                                   const Json& body = nullptr) {
    wire::HttpRequest out;
    out.method = std::move(method);
    out.headers.set("Authorization", "Bearer t-" + user);
    if (body.is_null()) return out;
    out.body = dump_json(body);
    out.headers.set("Content-Type", "application/json");
    return out;
  }

  Task<Result<wire::HttpResponse>> asking(std::string target, wire::HttpRequest asked) {
    return net::fetch(*client, url(target), std::move(asked),
                      after(loop.now(), std::chrono::minutes(5)), 1U << 22U);
  }

  wire::HttpResponse fetch(const std::string& target, wire::HttpRequest asked) {
    Task<Result<wire::HttpResponse>> task = asking(target, std::move(asked));
    const auto run = loop.run_task(task, 10'000'000, after(loop.now(), std::chrono::minutes(6)));
    if (run.ok() && task.result().ok()) return std::move(task.result()).value();
    ADD_FAILURE() << target << ": "
                  << (run.ok() ? task.result().error().message : run.error().message);
    return {};
  }
  wire::HttpResponse get(const std::string& user, const std::string& target) {
    return fetch(target, request(user, "GET"));
  }
  wire::HttpResponse post(const std::string& user, const std::string& target, const Json& body) {
    return fetch(target, request(user, "POST", body));
  }
  wire::HttpResponse say(const std::string& user, const Json& body) {
    return post(user, "/api/agent/chat", body);
  }

  static Json json(const wire::HttpResponse& response) {
    const Result<Json> body = parse_json(response.body);
    if (!body.ok()) ADD_FAILURE() << response.status << ": " << response.body;
    return body.ok() ? body.value() : Json();
  }

  void run_for(Duration span) {
    check(loop.run_until_idle(50'000'000, after(loop.now(), span)).ok(), "a restless world");
  }

  // calls returns how often a tool of `server` was called.
  std::int64_t calls(const std::string& server) const {
    return std::ranges::count(peers.sent, server + " tools/call");
  }

 private:
  static fakes::ModelScript read(std::string_view text) {
    Result<fakes::ModelScript, Problem> out = fakes::parse_model_script(connector::json(text));
    check(out.ok(), out.ok() ? "" : out.error().message.c_str());
    return std::move(out).value();
  }
  void serve(const std::string& server, std::string_view tools, std::string answer) {
    peers.scripts[server].tools = connector::json(tools);
    peers.scripts[server].results["tools/call"] = connector::text_result(std::move(answer));
  }
  std::string random_bytes(std::size_t count) {
    std::string out;
    while (out.size() < count) out += static_cast<char>(bytes_.below(256));
    return out;
  }

  fakes::ModelScript script_;
  ChatApiOptions options_;
  Rng rng_;
  Rng bytes_{0};
  int boots_ = 0;

 public:
  fakes::SimLoop loop;
  fakes::SimWallClock clock{loop, std::chrono::hours(24 * 365)};
  fakes::SimNetwork network;
  fakes::SimRecordStore records;
  connector::World peers{loop};
  connector::ScriptedConnector connector{peers};
  ListedServers catalog{{{{"id", "files"}, {"name", "Files"}, {"tags", {"local"}}},
                         {{"id", "mail"}, {"name", "Mail"}},
                         {{"id", "wiki"}, {"name", "Wiki"}}}};
  fakes::ScriptedModel model;
  agents::Policy policy;
  Redactor redactor;
  TokenGate gate{{{"t-ann", "ann"}, {"t-bob", "bob"}}};
  std::optional<net::HttpClient> client;
  std::optional<store::ThreadStore> threads;
  std::unique_ptr<ChatApi> api;
  std::unique_ptr<net::HttpServer> http;
  std::unique_ptr<net::Listener> listener;
};

}  // namespace plumbline::service
