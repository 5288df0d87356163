#include "scenarios/world/web_world.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/wait.h"
#include "core/mcp/protocol/revision.h"

namespace plumbline::scenarios {

namespace {

// Where every host of a world listens: one that takes tokens has TLS.
constexpr std::uint16_t kWebPort = 80;
constexpr std::uint16_t kSecurePort = 443;

net::Authority authority_of(const ServerSpec& server) {
  return {server.name, server.authorization ? kSecurePort : kWebPort};
}

// WatchedPipe is a stream that a plan knows as long as it lives.
class WatchedPipe final : public net::Pipe, private Link {
 public:
  WatchedPipe(std::unique_ptr<net::Pipe> pipe, std::string server, FaultPlan& plan)
      : pipe_(std::move(pipe)),
        breakable_(dynamic_cast<fakes::SimPipe&>(*pipe_)),
        server_(std::move(server)),
        plan_(plan) {
    plan_.opened(server_, *this);
  }
  ~WatchedPipe() override { plan_.closed(server_, *this); }

  // implements Pipe ---
  void start(net::PipeReader& reader) override { pipe_->start(reader); }
  void write(std::string bytes) override { pipe_->write(std::move(bytes)); }
  void close_write() override { pipe_->close_write(); }
  void close() override { pipe_->close(); }

 private:
  // implements Link ---
  fakes::Breakable& end() override { return breakable_; }

  std::unique_ptr<net::Pipe> pipe_;
  fakes::SimPipe& breakable_;
  std::string server_;
  FaultPlan& plan_;
};

std::string random_digits(Rng& rng, std::size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  while (out.size() < count) out += kDigits[rng.below(kDigits.size())];
  return out;
}

// stateful_versions returns the revisions with sessions up to that of a script.
std::vector<std::string> stateful_versions(mcp::Revision newest) {
  std::vector<std::string> out;
  for (const mcp::Revision revision : mcp::all_revisions()) {
    if (revision <= newest) out.emplace_back(mcp::name_of(revision));
  }
  return out;
}

std::string path_of(mcp::Transport transport) {
  return transport == mcp::Transport::kSse ? "/sse" : "/mcp";
}

}  // namespace

Task<Result<std::unique_ptr<net::Pipe>>> FaultyNetwork::dial(net::Authority to,
                                                             std::optional<net::TlsClient> tls) {
  std::string host = to.host;
  for (std::optional<Instant> cut_off = plan_.cut_off_until(host); cut_off;
       cut_off = plan_.cut_off_until(host)) {
    co_await Sleep(loop_, *cut_off);
  }
  if (plan_.refuses(host)) {
    co_return Error{ErrorCode::kDisconnected,
                    "cannot connect to " + describe(to) + ": Connection refused"};
  }
  Result<std::unique_ptr<net::Pipe>> pipe = co_await network_.dial(to, tls);
  if (!pipe.ok()) co_return std::move(pipe).error();
  std::unique_ptr<net::Pipe> watched =
      std::make_unique<WatchedPipe>(std::move(pipe).value(), std::move(host), plan_);
  co_return watched;
}

Result<std::unique_ptr<net::Listener>> FaultyNetwork::listen(net::Authority at,
                                                             std::optional<net::TlsServer> tls,
                                                             OnAccept on_accept) {
  return network_.listen(std::move(at), std::move(tls), std::move(on_accept));
}

// Host is one server of the world, or a replica of it, at `host`.
class WebWorld::Host final : private fakes::Process {
 public:
  Host(WebWorld& web, const ServerSpec& server, const fakes::ServerWorld& world, net::Authority at)
      : web_(web),
        name_(server.name),
        host_(at.host),
        over_(served_over(server, web.transport_)),
        stateless_(server.script.is_stateless() && over_ == mcp::Transport::kStreamableHttp),
        sessions_(server.script, world, *this),
        gate_(server.authorization ? web.issuers_.gate(server.name) : nullptr) {
    const fakes::ServerScript& script = server.script;
    transport::WebServerOptions options;
    options.transport = over_;
    options.at = std::move(at);
    options.gate = gate_.get();
    options.access.any_host = true;  // The proxy before it keeps the door of a real network.
    if (script.is_stateless()) {
      options.stateless_versions.emplace_back(mcp::name_of(script.revision));
    } else {
      options.stateful_versions = stateful_versions(script.revision);
    }
    options.new_session_id = [&web] { return random_digits(web.ids_, 32); };
    Result<std::unique_ptr<transport::WebServer>> listening = transport::WebServer::listen(
        web.loop_, web.faulty_, std::move(options),
        [this](auto channel, const std::string& /*principal*/) { take(std::move(channel)); });
    check(listening.ok(), "two servers of one name");
    server_ = std::move(listening).value();
    web.plan_.on_kill(name_, [this] { exit({0, 9}); });
  }

  bool forget_sessions() { return sessions_.forget_all(); }

 private:
  // take serves a client; where there are no sessions, one request of it.
  void take(std::unique_ptr<transport::MessageChannel> channel) {
    const bool starts = !stateless_ || !std::exchange(running_, true);
    if (starts) {
      const Json detail = Json::object({{"state", "started"}});
      web_.events_.on_event(TraceEvent{web_.loop_.now(), EventKind::kConnection, name_, detail});
    }
    sessions_.take(std::move(channel), starts);
  }

  // implements fakes::Process --- Nobody reads what it writes to stderr.
  void write_stderr(std::string_view) override {}
  void exit(net::ExitStatus) override {
    running_ = false;
    web_.plan_.reset(host_);
    sessions_.end_all();
  }

  WebWorld& web_;
  std::string name_;
  std::string host_;
  const mcp::Transport over_;
  const bool stateless_;
  bool running_ = false;
  fakes::ScriptedSessions sessions_;
  std::unique_ptr<fakes::ProtectedResource> gate_;
  std::unique_ptr<transport::WebServer> server_;
};

WebWorld::WebWorld(Loop& loop, EventSink& events, Transport transport,
                   const fakes::PipeOptions& pipes, const Rng& rng, FaultPlan& plan,
                   Operations& operations, Credentials& credentials)
    : loop_(loop),
      events_(events),
      transport_(transport),
      plan_(plan),
      ids_(rng.fork("session ids")),
      masks_(rng.fork("masks")),
      network_(loop, pipes, rng.fork("streams")),
      faulty_(loop, network_, plan),
      issuers_(loop, faulty_, credentials, events_),
      failing_(faulty_, operations),
      ours_(operations.on() ? static_cast<net::Network&>(failing_) : faulty_) {}

WebWorld::~WebWorld() = default;

void WebWorld::switch_off() {
  for (const auto& front : fronts_) front->switch_off();
  hosts_.clear();
  issuers_.switch_off();
}

void WebWorld::heal() {
  events_.be_quiet();
  for (const auto& front : fronts_) front->heal();
  issuers_.heal();
}

void WebWorld::add(const ServerSpec& server, const fakes::ServerWorld& world) {
  const net::Authority at = authority_of(server);
  if (server.authorization) {
    const transport::HttpEndpoint endpoint = web_endpoint(server, transport_, at);
    issuers_.add(server, endpoint.url.origin() + endpoint.url.target);
  }
  if (!server.http) {
    hosts_.push_back(std::make_unique<Host>(*this, server, world, at));
    return;
  }
  std::vector<Host*> replicas;
  std::vector<net::Authority> places;
  for (int i = 1; i <= server.http->replicas; ++i) {
    places.push_back({server.name + '.' + std::to_string(i), kWebPort});
    hosts_.push_back(std::make_unique<Host>(*this, server, world, places.back()));
    replicas.push_back(hosts_.back().get());
  }
  fronts_.push_back(std::make_unique<WebFront>(loop_, faulty_, at.host, at, *server.http,
                                               std::move(places), events_, [replicas] {
                                                 bool any = false;
                                                 for (Host* const replica : replicas)
                                                   any = replica->forget_sessions() || any;
                                                 return any;
                                               }));
}

std::int64_t WebWorld::exchanges(const std::string& label) const {
  const std::size_t space = label.rfind(' ');
  const WebFront* const front = front_of(label.substr(0, space));
  return front == nullptr ? 0 : front->exchanges(label.substr(space + 1));
}

std::vector<bool> WebWorld::rules_used(const std::string& name) const {
  const WebFront* const front = front_of(name);
  return front == nullptr ? std::vector<bool>() : front->rules_used();
}

const WebFront* WebWorld::front_of(const std::string& name) const {
  const auto found =
      std::ranges::find_if(fronts_, [&](const auto& front) { return front->name() == name; });
  return found == fronts_.end() ? issuers_.front_of(name) : found->get();
}

std::map<std::string, transport::HttpEndpoint> WebWorld::endpoints(
    const std::vector<ServerSpec>& servers) const {
  std::map<std::string, transport::HttpEndpoint> endpoints;
  for (const ServerSpec& server : servers) {
    endpoints.emplace(server.name, web_endpoint(server, transport_, authority_of(server)));
  }
  return endpoints;
}

RandomBytes WebWorld::masks() {
  return [this](std::size_t count) { return random_digits(masks_, count); };
}

transport::Connector& WebWorld::connector(const std::vector<ServerSpec>& servers) {
  connector_ =
      std::make_unique<transport::HttpConnector>(loop_, ours_, endpoints(servers), masks());
  return *connector_;
}

transport::HttpEndpoint web_endpoint(const ServerSpec& server, Transport transport,
                                     net::Authority at) {
  const mcp::Transport over = served_over(server, transport);
  transport::HttpEndpoint endpoint;
  if (transport != Transport::kAuto || over == mcp::Transport::kWebSocket) {
    endpoint.transport = over;
  }
  const std::string scheme = server.authorization ? "https" : "http";
  endpoint.url = wire::Url{scheme, std::move(at.host), at.port, path_of(over)};
  if (server.http) endpoint.headers = server.http->client_headers;
  return endpoint;
}

}  // namespace plumbline::scenarios
