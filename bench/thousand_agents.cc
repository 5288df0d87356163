// So many agents connected and listed over loopback: servers and the connector in this one process,
// each agent with a listener of its own. One line of JSON.
//
//   thousand_agents COUNT             wants six open files each: ulimit -n 8192
//
// Beside it, in the same run, the same number of bare sessions that are opened and listed one after
// the other: what it takes without the connector.

#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/connector/mcp_hub.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "core/mcp/transport/streamable_http_client.h"
#include "core/net/http_client.h"
#include "core/net/http_router.h"
#include "core/net/http_server.h"
#include "core/os/net/real_network.h"
#include "core/os/random.h"
#include "core/os/real_loop.h"

namespace plumbline {
namespace {

double resident_kilobytes() {
  std::ifstream status("/proc/self/status");
  double kilobytes = 0;
  for (std::string word; status >> word;) {
    if (word == "VmRSS:") status >> kilobytes;
  }
  return kilobytes;
}

double seconds_since(Instant start, const Loop& loop) {
  return std::chrono::duration<double>(loop.now() - start).count();
}

// Agent is one server with one tool.
class Agent {
 public:
  Agent(os::RealLoop& loop, os::RealNetwork& network)
      : server_(loop, options(), "agent", nullptr),
        endpoint_(loop, transport_options(),
                  [this](auto channel, const std::string&) { server_.accept(std::move(channel)); }),
        http_(loop, router_, net::HttpAccess::anybody()) {
    router_.add("/mcp", endpoint_);
    auto listener = network.listen({"127.0.0.1", 0}, std::nullopt,
                                   [this](auto pipe) { http_.accept(std::move(pipe)); });
    check(listener.ok(), "cannot listen");
    listener_ = std::move(listener).value();
  }

  wire::Url url() const {
    return wire::parse_url("http://127.0.0.1:" + std::to_string(listener_->port()) + "/mcp")
        .value();
  }

 private:
  static mcp::ServerOptions options() {
    mcp::ServerOptions options;
    options.tools = {Json{{"name", "work"}, {"inputSchema", {{"type", "object"}}}}};
    return options;
  }

  static transport::StreamableHttpServerOptions transport_options() {
    transport::StreamableHttpServerOptions options;
    for (const mcp::Revision revision : mcp::all_revisions()) {
      auto& versions =
          mcp::is_stateless(revision) ? options.stateless_versions : options.stateful_versions;
      versions.emplace_back(mcp::name_of(revision));
    }
    options.new_session_id = [] { return os::random_token(16); };
    return options;
  }

  mcp::Server server_;
  transport::StreamableHttpServer endpoint_;
  net::HttpRouter router_;
  net::HttpServer http_;
  std::unique_ptr<net::Listener> listener_;
};

// Bare is a session without a connector.
struct Bare {
  Bare(os::RealLoop& loop, os::RealNetwork& network, const wire::Url& url)
      : http(loop, network), channel(http, url), session(loop, channel, {}, "bare", nullptr) {}

  net::HttpClient http;
  transport::StreamableHttpClient channel;
  mcp::ClientSession session;
};

Task<void> open_and_list(Loop& loop, mcp::ClientSession& session) {
  const Instant deadline = loop.now() + std::chrono::seconds(30);
  const mcp::Reply<mcp::ServerInfo> opened = co_await session.initialize(deadline);
  check(opened.ok(), "a bare session cannot be opened");
  std::string method = "tools/list";
  const auto listed = co_await session.list(std::move(method), deadline);
  check(listed.ok() && listed.value().items.size() == 1, "a bare list is not whole");
}

int run(std::size_t count) {
  os::RealLoop loop;
  os::RealNetwork network(loop);
  std::vector<std::unique_ptr<Agent>> agents;
  std::map<std::string, transport::HttpEndpoint> endpoints;
  connector::HubOptions options;
  for (std::size_t i = 0; i < count; ++i) {
    agents.push_back(std::make_unique<Agent>(loop, network));
    const std::string name = "agent-" + std::to_string(i);
    endpoints[name].url = agents.back()->url();
    options.servers.push_back(name);
  }
  Json out = Json::object();
  {
    const double before = resident_kilobytes();
    const Instant start = loop.now();
    std::vector<std::unique_ptr<Bare>> sessions;
    for (std::size_t i = 0; i < count; ++i) {
      sessions.push_back(std::make_unique<Bare>(loop, network, agents[i]->url()));
      os::run(loop, open_and_list(loop, sessions.back()->session));
    }
    out["bare_seconds"] = seconds_since(start, loop);
    out["bare_kib_each"] = (resident_kilobytes() - before) / static_cast<double>(count);
  }
  const double before = resident_kilobytes();
  const Instant start = loop.now();
  transport::HttpConnector doors(loop, network, std::move(endpoints), os::random_bytes);
  const Redactor redactor;
  connector::McpHub hub(loop, doors, std::move(options), redactor, nullptr);
  const connector::Discovery found = os::run(loop, hub.discover()).value();
  out["agents"] = found.manifest.servers.size();
  out["connected"] = hub.connector().connections().size();
  out["seconds"] = seconds_since(start, loop);
  out["kib_each"] = (resident_kilobytes() - before) / static_cast<double>(count);
  std::printf("%s\n", dump_json(out).c_str());
  check(found.manifest.capability_count() == count, "a list is not whole");
  os::run(loop, hub.close());
  return 0;
}

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  const std::string_view word = argc == 2 ? argv[1] : "";
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || count == 0 || count > 5'000) {
    std::fprintf(stderr, "usage: thousand_agents COUNT, from 1 to 5000\n");
    return 2;
  }
  return plumbline::run(count);
}
