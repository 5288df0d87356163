// A request and its answer between a client and a server of ours that are both in this process.

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bench/guard/work.h"
#include "core/base/check.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/server/web_server.h"
#include "core/mcp/transport/stdio_channel.h"
#include "core/os/net/real_network.h"
#include "core/os/real_loop.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_pipe.h"
#include "fakes/world/value_channel.h"

namespace plumbline::guard {

namespace {

constexpr const char* kHost = "127.0.0.1";

Json echo_of(const Json& params) {
  Json block = Json::object();
  block["type"] = "text";
  block["text"] = params["arguments"]["text"];
  Json result = Json::object();
  result["content"] = Json::array({std::move(block)});
  return result;
}

std::unique_ptr<mcp::Server> echo_server(Loop& loop) {
  mcp::ServerOptions options;
  Json tool = Json::object();
  tool["name"] = "echo";
  tool["inputSchema"]["type"] = "object";
  options.tools.push_back(std::move(tool));
  auto server = std::make_unique<mcp::Server>(loop, std::move(options), "server", nullptr);
  server->handle("tools/call", "echo", mcp::at_once(echo_of));
  return server;
}

Task<void> call(Loop& loop, mcp::ClientSession& client) {
  std::string name = "echo";
  Json arguments = Json::object();
  arguments["text"] = "hello there";
  const Instant deadline = after(loop.now(), std::chrono::seconds(30));
  const mcp::Reply<Json> reply =
      co_await client.call_tool(std::move(name), std::move(arguments), deadline);
  check(reply.ok() && reply.value()["content"][0]["text"] == "hello there", "the echo comes back");
}

// play_out runs `task` to its end on either kind of loop.
template <typename T>
T play_out(fakes::SimLoop& loop, Task<T> task) {
  check(loop.run_task(task).ok(), "a task of the guard ends");
  return std::move(task.result());
}
template <typename T>
T play_out(os::RealLoop& loop, Task<T> task) {
  std::optional<T> made = os::run(loop, std::move(task));
  check(made.has_value(), "a task of the guard ends");
  return std::move(*made);
}
void play_out(fakes::SimLoop& loop, Task<void> task) {
  check(loop.run_task(task).ok(), "a task of the guard ends");
}
void play_out(os::RealLoop& loop, Task<void> task) {
  check(os::run(loop, std::move(task)), "a task of the guard ends");
}

// Through says which two channels a Linked conversation has.
enum class Through { kValues, kPipes };

// Linked is a conversation over channels that nobody had to connect.
template <Through kThrough>
class Linked final : public Work {
 public:
  Linked() : server_(echo_server(loop_)) {
    if constexpr (kThrough == Through::kValues) {
      fakes::ValueChannelPair pair = fakes::make_value_channel(loop_, {}, Rng(1));
      near_ = std::move(pair.near);
      server_->accept(std::move(pair.far));
    } else {
      pipes_ = fakes::make_sim_pipe(loop_, {}, Rng(1));
      near_ = std::make_unique<transport::StdioChannel>(*pipes_.near);
      server_->accept(std::make_unique<transport::StdioChannel>(*pipes_.far));
    }
    client_.emplace(loop_, *near_, mcp::ClientOptions{}, "client", nullptr);
    check(play_out(loop_, client_->initialize(kNever)).ok(), "the session opens");
  }
  void once() override { play_out(loop_, call(loop_, *client_)); }

 private:
  fakes::SimLoop loop_;
  fakes::SimPipePair pipes_;
  std::unique_ptr<mcp::Server> server_;
  std::unique_ptr<transport::MessageChannel> near_;
  std::optional<mcp::ClientSession> client_;
};

// What a conversation over a network runs in.
struct SimDoors {
  fakes::SimLoop loop;
  fakes::SimNetwork network{loop, {}, Rng(1)};
};
struct RealDoors {
  os::RealLoop loop;
  os::RealNetwork network{loop};
};

// Dialled is a conversation over a transport of the web.
template <typename Doors>
class Dialled final : public Work {
 public:
  Dialled(mcp::Transport transport, mcp::Revision revision) : server_(echo_server(doors_.loop)) {
    listen(transport);
    transport::HttpEndpoint endpoint{transport, wire::parse_url(web_->url()).value(), {}, {}};
    connector_.emplace(doors_.loop, doors_.network,
                       std::map<std::string, transport::HttpEndpoint>{{"it", endpoint}},
                       [](std::size_t count) { return std::string(count, 'r'); });
    auto connected = play_out(doors_.loop, connector_->connect("it"));
    check(connected.ok(), "the server is there");
    connection_ = std::move(connected).value();
    mcp::ClientOptions options;
    options.preferred = revision;
    client_.emplace(doors_.loop, connection_->channel(), std::move(options), "client", nullptr);
    check(play_out(doors_.loop, client_->initialize(kNever)).ok(), "the session opens");
  }
  ~Dialled() override {
    client_.reset();
    connection_.reset();
    server_->drop();
  }
  void once() override { play_out(doors_.loop, call(doors_.loop, *client_)); }

 private:
  void listen(mcp::Transport transport) {
    transport::WebServerOptions options;
    options.transport = transport;
    options.at = {kHost, 0};
    options.access.hosts.emplace_back(kHost);
    options.new_session_id = [this] { return "session" + std::to_string(++sessions_); };
    for (const mcp::Revision revision : mcp::all_revisions()) {
      auto& versions =
          mcp::is_stateless(revision) ? options.stateless_versions : options.stateful_versions;
      versions.emplace_back(mcp::name_of(revision));
    }
    auto web = transport::WebServer::listen(doors_.loop, doors_.network, std::move(options),
                                            [this](auto channel, const std::string& /*principal*/) {
                                              server_->accept(std::move(channel));
                                            });
    check(web.ok(), "there is a place to listen at");
    web_ = std::move(web).value();
  }

  Doors doors_;
  int sessions_ = 0;
  std::unique_ptr<mcp::Server> server_;
  std::unique_ptr<transport::WebServer> web_;
  std::optional<transport::HttpConnector> connector_;
  std::unique_ptr<transport::Connection> connection_;
  std::optional<mcp::ClientSession> client_;
};

template <typename Doors, mcp::Transport kTransport, mcp::Revision kRevision>
std::unique_ptr<Work> dialled() {
  return std::make_unique<Dialled<Doors>>(kTransport, kRevision);
}

}  // namespace

Pieces message_pieces() {
  using mcp::Revision;
  using mcp::Transport;
  return {
      {"message.values", 500, made<Linked<Through::kValues>>},
      {"message.stdio", 500, made<Linked<Through::kPipes>>},
      {"message.http", 200, dialled<SimDoors, Transport::kStreamableHttp, mcp::kLatestStateful>},
      {"message.http-stateless", 200, dialled<SimDoors, Transport::kStreamableHttp, mcp::kLatest>},
      {"message.sse", 200, dialled<SimDoors, Transport::kSse, Revision::k2024_11_05>},
      {"message.websocket", 200, dialled<SimDoors, Transport::kWebSocket, mcp::kLatestStateful>},
      {"message.sockets", 200,
       dialled<RealDoors, Transport::kStreamableHttp, mcp::kLatestStateful>},
  };
}

}  // namespace plumbline::guard
