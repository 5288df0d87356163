#include "scenarios/real/offered_servers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/base/percent.h"
#include "scenarios/auth/web_front.h"
#include "scenarios/real/real_servers.h"
#include "scenarios/world/web_world.h"

namespace plumbline::scenarios {

namespace {

using LogKind = ServerLogEntry::Kind;

constexpr std::size_t kServerKeyBytes = 8;
constexpr const char* kModelHost = "127.0.0.1";
constexpr const char* kNobodyListens = "http://127.0.0.1:1/mcp";

}  // namespace

OfferedServers::OfferedServers(const Scenario& scenario, mcp::Transport over, std::string folder,
                               const RealDoors& doors)
    : scenario_(scenario), folder_(std::move(folder)), doors_(doors) {
  config_["mcpServers"] = Json::object();
  if (over != mcp::Transport::kStdio) {
    hosts_.emplace(doors_.loop, doors_.network, doors_.spawner);
  }
  for (const ServerSpec& server : scenario.servers) {
    keys_[server.name] =
        "key-of-" + server.name + "-" + hex_of(doors_.random_bytes(kServerKeyBytes));
    if (hosts_) {
      offer_url(server, server.has.value_or(over));
    } else {
      offer_command(server);
    }
  }
}

std::vector<std::string> OfferedServers::words_of(const ServerSpec& server, mcp::Transport over) {
  logs_.push_back(folder_ + "/" + std::to_string(logs_.size()) + ".jsonl");
  return serve_words(doors_.program, doors_.absolute_path(scenario_.file), over,
                     {"--log", logs_.back()}, server.name);
}

void OfferedServers::offer_command(const ServerSpec& server) {
  Json& entry = config_["mcpServers"][server.name];
  if (server.unavailable) {
    entry["command"] = kServerNotThere;
    entry["args"] = Json::array();
    return;
  }
  const std::vector<std::string> words = words_of(server, mcp::Transport::kStdio);
  entry["command"] = words.front();
  entry["args"] = std::vector<std::string>(words.begin() + 1, words.end());
  entry["env"]["PLUMBLINE_SERVER_KEY"] = keys_[server.name];
}

void OfferedServers::offer_url(const ServerSpec& server, mcp::Transport over) {
  Json& entry = config_["mcpServers"][server.name];
  entry["type"] = mcp::name_of(over);
  entry["url"] = urls_[server.name] = kNobodyListens;
  if (server.unavailable) return;
  Front& front = *fronts_.emplace_back(std::make_unique<Front>());
  if (server.http) front.rules = *server.http;
  std::vector<net::Authority> replicas;
  for (int i = 0; i < front.rules.replicas; ++i) {
    replicas.push_back(hosts_->add(net::Command(words_of(server, over))));
  }
  fakes::HttpProxyHooks hooks;
  hooks.on_request = [this, &server](const wire::HttpRequest& request) {
    note(server.name, request);
  };
  hooks.on_rule = [this, &front](std::size_t rule) { note_rule(front.rules.rules[rule]); };
  hooks.forget_sessions = [] { return false; };
  const net::Authority at = hosts_->add_listener();
  front.proxy = std::make_unique<fakes::HttpProxy>(doors_.loop, *hosts_, at, front.rules,
                                                   std::move(replicas), std::move(hooks));
  urls_[server.name] = "http://127.0.0.1:" + std::to_string(hosts_->listening_port(at)) +
                       (over == mcp::Transport::kSse ? "/sse" : "/mcp");
  entry["url"] = urls_[server.name];
  entry["headers"]["X-Plumbline-Key"] = keys_[server.name];
  for (const auto& [name, value] : front.rules.client_headers.fields())
    entry["headers"][name] = value;
}

void OfferedServers::note(const std::string& server, const wire::HttpRequest& request) {
  HttpMet met;
  met.at = doors_.clock.since_1970();
  met.server = server;
  met.method = request.method;
  met.path = request.target;
  for (const auto& [name, value] : request.headers.fields())
    met.headers += name + ": " + value + "\n";
  met.detail = exchange_detail(request);
  exchanges_.push_back(std::move(met));
}

void OfferedServers::note_rule(const fakes::HttpRule& rule) {
  if (exchanges_.empty()) return;
  HttpMet& met = exchanges_.back();
  met.trap = met.trap || rule.never;
  if (!rule.action.answer) return;
  const int status = rule.action.answer->status;
  if (status == 401 || status == 403) met.refused = status;
}

std::vector<ServerLogEntry> OfferedServers::log() const {
  std::vector<ServerLogEntry> all;
  for (const std::string& path : logs_) {
    const Result<std::string> text = doors_.files.read_file(path);
    if (!text.ok()) continue;
    for (ServerLogEntry& entry : read_server_log(text.value())) {
      all.push_back(std::move(entry));
    }
  }
  std::multimap<Duration, ServerLogEntry> by_time;
  for (ServerLogEntry& entry : all) by_time.emplace(entry.at, std::move(entry));
  all.clear();
  for (auto& [at, entry] : by_time) all.push_back(std::move(entry));
  return all;
}

std::vector<std::string> OfferedServers::running() const {
  std::set<std::string> names;
  if (hosts_) return {};
  for (const ServerLogEntry& entry : log()) {
    if (entry.kind != LogKind::kStarted) continue;
    if (doors_.is_running(entry.process)) names.insert(entry.server);
  }
  return {names.begin(), names.end()};
}

Task<void> OfferedServers::close() {
  fronts_.clear();
  if (!hosts_) co_return;
  co_await hosts_->close();
  hosts_.reset();
}

OfferedModel::OfferedModel(const fakes::ModelScript& script, const RealDoors& doors)
    : model_(doors.loop, script),
      chat_(doors.loop, model_),
      server_(doors.loop, chat_, net::HttpAccess::at(kModelHost)) {}

Result<std::unique_ptr<OfferedModel>> OfferedModel::offer(const Scenario& scenario,
                                                          const RealDoors& doors) {
  if (!scenario.model) {
    return the_error("run.no-model", scenario.file);
  }
  auto model = std::make_unique<OfferedModel>(*scenario.model, doors);
  const Status listening = model->listen(doors);
  if (!listening.ok()) return listening.error();
  return model;
}

Status OfferedModel::listen(const RealDoors& doors) {
  Result<std::unique_ptr<net::Listener>> listener = doors.network.listen(
      {kModelHost, 0}, {}, [this](auto pipe) { server_.accept(std::move(pipe)); });
  if (!listener.ok()) return listener.error();
  listener_ = std::move(listener).value();
  url_ = "http://" + describe(net::Authority{kModelHost, listener_->port()}) + "/v1";
  return Done{};
}

}  // namespace plumbline::scenarios
