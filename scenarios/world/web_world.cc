#include "scenarios/world/web_world.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/wait.h"
#include "core/json/redactor.h"
#include "core/mcp/protocol/revision.h"

namespace plumbline::scenarios {

namespace {

// kWebPort is where every host of a world listens.
constexpr std::uint16_t kWebPort = 80;

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

// exchange_detail tells a request without what it proves itself by.
Json exchange_detail(const wire::HttpRequest& request) {
  Json headers = Json::object();
  for (const auto& [name, value] : request.headers.fields()) {
    headers[name] = names_credential(name) ? "[redacted]" : value;
  }
  Json detail = Json::object();
  detail["method"] = request.method;
  detail["path"] = request.target;
  detail["headers"] = std::move(headers);
  return detail;
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
  Host(WebWorld& web, const ServerSpec& server, const fakes::ServerWorld& world, std::string host)
      : web_(web),
        name_(server.name),
        host_(std::move(host)),
        over_(served_over(server, web.transport_)),
        stateless_(server.script.is_stateless() && over_ == mcp::Transport::kStreamableHttp),
        sessions_(server.script, world, *this) {
    const fakes::ServerScript& script = server.script;
    transport::WebServerOptions options;
    options.transport = over_;
    options.at = net::Authority{host_, kWebPort};
    options.access.hosts.clear();
    if (script.is_stateless()) {
      options.stateless_versions.emplace_back(mcp::name_of(script.revision));
    } else {
      options.stateful_versions = stateful_versions(script.revision);
    }
    options.new_session_id = [&web] { return random_digits(web.ids_, 32); };
    Result<std::unique_ptr<transport::WebServer>> listening = transport::WebServer::listen(
        web.loop_, web.faulty_, std::move(options),
        [this](std::unique_ptr<transport::MessageChannel> channel) { take(std::move(channel)); });
    check(listening.ok(), "two servers of one name");
    server_ = std::move(listening).value();
    web.plan_.on_kill(name_, [this] { exit({0, 9}); });
  }

  net::Authority at() const { return net::Authority{host_, kWebPort}; }
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
  std::unique_ptr<transport::WebServer> server_;
};

WebWorld::WebWorld(Loop& loop, EventSink& events, Transport transport,
                   const fakes::PipeOptions& pipes, const Rng& rng, FaultPlan& plan,
                   Operations& operations)
    : loop_(loop),
      events_(events),
      transport_(transport),
      plan_(plan),
      ids_(rng.fork("session ids")),
      masks_(rng.fork("masks")),
      network_(loop, pipes, rng.fork("streams")),
      faulty_(loop, network_, plan),
      failing_(faulty_, operations),
      ours_(operations.on() ? static_cast<net::Network&>(failing_) : faulty_) {}

WebWorld::~WebWorld() = default;

void WebWorld::switch_off() {
  for (const auto& front : fronts_) {
    front->exchanges = front->proxy->exchanges();
    front->proxy.reset();
  }
  hosts_.clear();
}

void WebWorld::add(const ServerSpec& server, const fakes::ServerWorld& world) {
  if (server.http) return add_front(server, world);
  hosts_.push_back(std::make_unique<Host>(*this, server, world, server.name));
}

void WebWorld::add_front(const ServerSpec& server, const fakes::ServerWorld& world) {
  const fakes::HttpFront& spec = *server.http;
  fronts_.push_back(std::make_unique<Front>());
  Front& front = *fronts_.back();
  front.name = server.name;
  front.rules_used.resize(spec.rules.size());
  std::vector<net::Authority> replicas;
  for (int i = 1; i <= spec.replicas; ++i) {
    const std::string host = front.name + '.' + std::to_string(i);
    hosts_.push_back(std::make_unique<Host>(*this, server, world, host));
    front.replicas.push_back(hosts_.back().get());
    replicas.push_back(hosts_.back()->at());
  }
  fakes::HttpProxyHooks hooks = telling_hooks(loop_, events_, front.name, front.rules_used);
  hooks.forget_sessions = [&front] {
    bool any = false;
    for (Host* const replica : front.replicas) any = replica->forget_sessions() || any;
    return any;
  };
  front.proxy =
      std::make_unique<fakes::HttpProxy>(loop_, faulty_, net::Authority{front.name, kWebPort}, spec,
                                         std::move(replicas), std::move(hooks));
}

std::int64_t WebWorld::exchanges(const std::string& label) const {
  const std::size_t space = label.rfind(' ');
  const Front* const front = front_of(label.substr(0, space));
  if (front == nullptr) return 0;
  const auto& counts = front->proxy ? front->proxy->exchanges() : front->exchanges;
  const auto found = counts.find(label.substr(space + 1));
  return found == counts.end() ? 0 : found->second;
}

std::vector<bool> WebWorld::rules_used(const std::string& name) const {
  const Front* const front = front_of(name);
  return front == nullptr ? std::vector<bool>() : front->rules_used;
}

const WebWorld::Front* WebWorld::front_of(const std::string& name) const {
  const auto found =
      std::ranges::find_if(fronts_, [&](const auto& front) { return front->name == name; });
  return found == fronts_.end() ? nullptr : found->get();
}

transport::Connector& WebWorld::connector(const std::vector<ServerSpec>& servers) {
  std::map<std::string, transport::HttpEndpoint> endpoints;
  for (const ServerSpec& server : servers) {
    endpoints.emplace(server.name, web_endpoint(server, transport_, {server.name, kWebPort}));
  }
  connector_ = std::make_unique<transport::HttpConnector>(
      loop_, ours_, std::move(endpoints),
      [this](std::size_t count) { return random_digits(masks_, count); });
  return *connector_;
}

fakes::HttpProxyHooks telling_hooks(const Loop& loop, EventSink& events, const std::string& name,
                                    std::vector<bool>& rules_used) {
  fakes::HttpProxyHooks hooks;
  hooks.on_request = [&](const wire::HttpRequest& request) {
    const Json detail = exchange_detail(request);
    events.on_event(TraceEvent{loop.now(), EventKind::kExchange, name, detail});
  };
  hooks.on_rule = [&](std::size_t rule) {
    rules_used[rule] = true;
    const Json detail = Json::object({{"fault", "http"}, {"rule", rule}});
    events.on_event(TraceEvent{loop.now(), EventKind::kFault, name, detail});
  };
  return hooks;
}

transport::HttpEndpoint web_endpoint(const ServerSpec& server, Transport transport,
                                     net::Authority at) {
  const mcp::Transport over = served_over(server, transport);
  transport::HttpEndpoint endpoint;
  if (transport != Transport::kAuto || over == mcp::Transport::kWebSocket) {
    endpoint.transport = over;
  }
  endpoint.url = wire::Url{"http", std::move(at.host), at.port, path_of(over)};
  if (server.http) endpoint.headers = server.http->client_headers;
  return endpoint;
}

}  // namespace plumbline::scenarios
