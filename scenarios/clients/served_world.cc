#include "scenarios/clients/served_world.h"

#include <map>
#include <utility>

#include "core/base/check.h"
#include "core/mcp/protocol/revision.h"
#include "core/mcp/transport/stdio_channel.h"
#include "scenarios/world/world.h"

namespace plumbline::scenarios {

namespace {

constexpr std::uint16_t kServedPort = 80;
constexpr std::size_t kSecretDigits = 32;

}  // namespace

// Program is the server as a child process: it ends with its input.
class ServedWorld::Program final : public fakes::Program {
 public:
  Program(ServedWorld& world, fakes::SimPipe& stdio, fakes::Process& process)
      : world_(world), server_(world.loop_, world.digits(kSecretDigits), &world.events_) {
    world_.programs_.push_back(this);
    server_.server().on_idle([&process] { process.exit({}); });
    server_.server().accept(std::make_unique<transport::StdioChannel>(stdio));
  }
  ~Program() override { std::erase(world_.programs_, this); }

  mcp::Server::Load load() { return server_.server().load(); }

 private:
  ServedWorld& world_;
  reference::ReferenceServer server_;
};

ServedWorld::ServedWorld(fakes::SimLoop& loop, const WorldSpec& world, Transport transport,
                         const Rng& rng, EventSink& events)
    : loop_(loop), events_(events), ids_(rng.fork("session ids")) {
  if (transport == Transport::kBytes) {
    spawn_on_demand(world, rng);
  } else {
    listen(world, transport, rng);
  }
}

void ServedWorld::spawn_on_demand(const WorldSpec& world, const Rng& rng) {
  spawner_.emplace(loop_, rng.fork("network"), events_);
  spawner_->add(std::string(kServed), pipe_options(world),
                [this](const net::Command&, fakes::SimPipe& stdio, fakes::Process& process) {
                  return std::make_unique<Program>(*this, stdio, process);
                });
}

void ServedWorld::listen(const WorldSpec& world, Transport transport, const Rng& rng) {
  network_.emplace(loop_, pipe_options(world), rng.fork("network"));
  server_.emplace(loop_, digits(kSecretDigits), &events_);
  transport::WebServerOptions options;
  options.transport = *web_transport(transport);
  options.at = {std::string(kServed), kServedPort};
  options.access.hosts = {std::string(kServed)};
  options.new_session_id = [this] { return digits(kSecretDigits); };
  options.mirrored_params = [this](const std::string& tool) {
    return server_->mirrored_params(tool);
  };
  for (const mcp::Revision revision : mcp::all_revisions()) {
    auto& versions =
        mcp::is_stateless(revision) ? options.stateless_versions : options.stateful_versions;
    versions.emplace_back(mcp::name_of(revision));
  }
  transport::HttpEndpoint endpoint;
  endpoint.transport = options.transport;
  auto listening = transport::WebServer::listen(
      loop_, *network_, std::move(options), [this](auto channel, const std::string& /*principal*/) {
        server_->server().accept(std::move(channel));
      });
  check(listening.ok(), "our own server cannot listen");
  web_ = std::move(listening).value();
  url_ = wire::parse_url(web_->url()).value();
  endpoint.url = *url_;
  std::map<std::string, transport::HttpEndpoint> endpoints;
  endpoints.emplace(kServed, std::move(endpoint));
  connector_ = std::make_unique<transport::HttpConnector>(
      loop_, *network_, std::move(endpoints), [this](std::size_t count) { return digits(count); });
  http_ = std::make_unique<net::HttpClient>(loop_, *network_);
}

std::string ServedWorld::digits(std::size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  while (out.size() < count) out += kDigits[ids_.below(kDigits.size())];
  return out;
}

Task<Result<ClientLine>> ServedWorld::connect() {
  ClientLine line;
  if (spawner_) {
    Result<std::unique_ptr<net::Child>> child =
        spawner_->spawn(net::Command({std::string(kServed)}));
    if (!child.ok()) co_return std::move(child).error();
    line.child = std::move(child).value();
    line.port = fakes::make_server_port(line.child->stdio());
    co_return line;
  }
  Task<Result<std::unique_ptr<transport::Connection>>> connecting =
      connector_->connect(std::string(kServed));
  Result<std::unique_ptr<transport::Connection>> connection = co_await std::move(connecting);
  if (!connection.ok()) co_return std::move(connection).error();
  line.connection = std::move(connection).value();
  line.port = fakes::make_server_port(line.connection->channel());
  co_return line;
}

Json ServedWorld::kept() {
  mcp::Server::Load all;
  if (server_) all = server_->server().load();
  for (Program* const program : programs_) {
    const mcp::Server::Load one = program->load();
    ++all.sessions;
    all.calls += one.calls;
    all.subscriptions += one.subscriptions;
    all.tasks += one.tasks;
  }
  return {{"sessions", all.sessions},
          {"calls", all.calls},
          {"subscriptions", all.subscriptions},
          {"tasks", all.tasks}};
}

}  // namespace plumbline::scenarios
