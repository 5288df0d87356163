#include "cli/commands/service/chat_api.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/service/chat_model.h"
#include "cli/commands/service/http_place.h"
#include "cli/config/callers.h"
#include "cli/config/chat_config.h"
#include "cli/config/load_config.h"
#include "cli/connect/hub_options.h"
#include "cli/jobs/mixed_connector.h"
#include "cli/options/authority.h"
#include "cli/options/store_uri.h"
#include "cli/telemetry/trace_export.h"
#include "cli/threads.h"
#include "core/base/errors/errors.h"
#include "core/mcp/transport/stdio_connector.h"
#include "core/os/child/environment.h"
#include "core/os/fd.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"
#include "core/service/chat/catalog_connector.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kChatBodyBytesMax = 16U << 20U;
constexpr std::size_t kChatConnectionsMax = 65'536;

Result<ChatConfig> read_chat_config(const ChatApiOptions& options, Host& host) {
  if (options.config.empty()) return parse_chat_config(R"({"mcpServers": {}})", "the defaults");
  const Result<std::string> text = host.files().read_file(options.config);
  if (!text.ok()) return text.error();
  const Result<Surroundings> around = surroundings_of({options.config, {}, options.inputs}, host);
  if (!around.ok()) return around.error();
  Result<ChatConfig> config = parse_chat_config(text.value(), options.config, around.value());
  if (!config.ok()) return config;
  tell_notes(config.value().servers, host);
  host.secrets().add_all(secrets_of(config.value().servers));
  return config;
}

// registry_of returns where more servers are looked for: MCP_BASE_URL, or what the settings say.
Result<std::optional<service::RegistryCatalogOptions>> registry_of(const ChatConfig& config,
                                                                   Host& host) {
  service::RegistryCatalogOptions out;
  const std::string base = os::environment_variable("MCP_BASE_URL").value_or("");
  if (base.empty() && !config.registry) return std::optional<service::RegistryCatalogOptions>();
  if (config.registry) {
    out.base = config.registry->url;
    out.allowed = config.registry->allowed;
  }
  if (!base.empty()) {
    Result<wire::Url> url = read_registry_url(base);
    if (!url.ok()) {
      return the_error("chat.catalog", url.error().message);
    }
    out.base = std::move(url).value();
  }
  out.token = os::environment_variable("MCP_SERVICE_TOKEN").value_or("");
  if (!out.token.empty()) host.secrets().add(out.token);
  return std::optional(std::move(out));
}

// ConfiguredLinks opens connections to servers of the configuration that are told something.
class ConfiguredLinks final : public service::LinkConnector {
 public:
  ConfiguredLinks(const Config& servers, Host& host) : servers_(servers), host_(host) {}

  // implements LinkConnector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect_with(
      std::string server, service::LinkSettings settings) override {
    os::RealLoop& loop = host_.world().loop();
    const auto remote = servers_.remotes.find(server);
    if (remote != servers_.remotes.end()) {
      transport::HttpEndpoint endpoint = remote->second;
      settings.add_to(endpoint);
      std::map<std::string, transport::HttpEndpoint> one;
      one.emplace(server, std::move(endpoint));
      transport::HttpConnector opens(loop, host_.world().network(), std::move(one),
                                     os::random_bytes);
      co_return co_await opens.connect(std::move(server));
    }
    net::Command command = servers_.commands.at(server);
    settings.add_to(command);
    std::map<std::string, net::Command> one;
    one.emplace(server, std::move(command));
    transport::StdioConnector starts(loop, host_.world().spawner(), std::move(one),
                                     limits::kStopGrace);
    co_return co_await starts.connect(std::move(server));
  }

 private:
  const Config& servers_;
  Host& host_;
};

// ChatServing is the service with all that it works with, in the order in which they need each
// other.
class ChatServing {
 public:
  ChatServing(const ChatConfig& config, ChosenModel model, RecordStore& records,
              std::optional<service::RegistryCatalogOptions> registry,
              service::ChatApiOptions options, Host& host)
      : loop_(host.world().loop()),
        model_(std::move(model)),
        children_(loop_, host.world().spawner(), config.servers.commands, limits::kStopGrace),
        remotes_(loop_, host.world().network(), config.servers.remotes, os::random_bytes),
        configured_(config.servers, children_, remotes_),
        configuring_(config.servers, host),
        client_(loop_, host.world().network()),
        listed_(config.listed),
        registry_(registry ? std::make_unique<service::RegistryCatalog>(client_, *registry)
                           : nullptr),
        catalog_(catalogs()),
        connector_(
            loop_, host.world().network(), configured_, &configuring_,
            std::set<std::string>(config.servers.servers.begin(), config.servers.servers.end()),
            registry_.get(), os::random_bytes),
        threads_(records, clock_, {.steps_max = 1, .redactor = &host.secrets().redactor()}),
        api_(loop_, clock_, records, threads_, connector_, catalog_, *model_.model,
             config.servers.policy, host.secrets().redactor(), os::random_bytes,
             configured_by(std::move(options), connector_)),
        place_(host, api_.handler(), api_.access(), http_options(config.api.http.proxies)) {}

  service::ChatApi& api() { return api_; }
  const std::string& url() const { return url_; }

  Status listen(const net::Authority& at) {
    Result<std::string> base = place_.listen(at);
    if (!base.ok()) return base.error();
    url_ = std::move(base).value() + "/";
    api_.guard(url_);
    return Done{};
  }

  void serve() {
    place_.serve([this] { return api_.drain(); });
  }

 private:
  std::vector<service::ServerCatalog*> catalogs() {
    std::vector<service::ServerCatalog*> all = {&listed_};
    if (registry_ != nullptr) all.push_back(registry_.get());
    return all;
  }

  static service::ChatApiOptions configured_by(service::ChatApiOptions options,
                                               service::LinkConnector& connector) {
    options.servers.configuring = &connector;
    return options;
  }

  static net::HttpServerOptions http_options(const std::vector<std::string>& proxies) {
    net::HttpServerOptions http;
    http.proxies = proxies;
    http.limits.body_bytes_max = kChatBodyBytesMax;
    http.all.set(Resource::kConnections, kChatConnectionsMax);
    http.each.set(Resource::kConnections, kChatConnectionsMax / 2);
    return http;
  }

  os::RealLoop& loop_;
  os::RealWallClock clock_;
  ChosenModel model_;
  transport::StdioConnector children_;
  transport::HttpConnector remotes_;
  MixedConnector configured_;
  ConfiguredLinks configuring_;
  net::HttpClient client_;
  service::ListedServers listed_;
  std::unique_ptr<service::RegistryCatalog> registry_;
  service::JoinedCatalogs catalog_;
  service::CatalogConnector connector_;
  store::ThreadStore threads_;
  service::ChatApi api_;
  HttpPlace place_;
  std::string url_;
};

// api_options adds what the command line and the model say to what the settings do.
service::ChatApiOptions api_options(const ChatConfig& config, const ChatApiOptions& options,
                                    const ChosenModel& model, Host& host) {
  service::ChatApiOptions out = config.api;
  name_hosts(out.http, options.at.host);
  if (!options.quiet) {
    out.http.log = [&host](const std::string& line) { host.tell(line + "\n"); };
  }
  out.servers.hub = hub_options_of(config.servers);
  out.model_missing = model.missing;
  out.turns.window_tokens = model.window_tokens;
  out.turns.settings.output_tokens_max = model.output_tokens_max;
  return out;
}

}  // namespace

void ChatApiOptions::declare(CLI::App& app) {
  app.add_option("--config", config,
                 "Read the servers, the model and access rules from this file (docs/chat.md)")
      ->type_name("FILE");
  add_inputs(app, inputs);
  app.add_option("--listen", listen_,
                 "Listen here and print the URL of the page; port 0 picks a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  app.add_option("--store", store,
                 "Keep chats here: memory: (default), sqlite:PATH or postgres://...")
      ->type_name("URI");
  add_otlp(app, otlp);
  app.add_flag("--quiet", quiet, "Write no access log to stderr");
}

Status ChatApiOptions::read() {
  Result<net::Authority> read = read_authority("--listen", listen_);
  if (!read.ok()) return read.error();
  at = std::move(read).value();
  return check_otlp(otlp);
}

int run_chat_api(const ChatApiOptions& options, Host& host) {
  const Result<ChatConfig> config = read_chat_config(options, host);
  if (!config.ok()) return host.complain(config.error(), kExitUsage);
  host.hide_environment();
  host.secrets().add_all(secrets_of(config.value().servers));
  Result<ChosenModel> model = choose_model(config.value().model, host);
  if (!model.ok()) return host.complain(model.error(), kExitUsage);
  auto registry = registry_of(config.value(), host);
  if (!registry.ok()) return host.complain(registry.error(), kExitUsage);
  service::ChatApiOptions api = api_options(config.value(), options, model.value(), host);
  TraceExport spans(host, options.otlp);
  api.turns.tracer = spans.tracer();
  api.turns.on_failure = [&host](const std::string& why) {
    const Json line = {{"event", "agent_execution_failed"}, {"cause", why}};
    host.tell_line(host.secrets().redact(dump_json(line)));
  };
  if (!registry.value()) {
    host.tell_line(
        "note: MCP_BASE_URL is not set, and the file names no registry: only servers of the file "
        "are found");
  }
  std::unique_ptr<Door> door;
  if (config.value().auth) {
    Result<std::unique_ptr<Door>> opened = Door::open(*config.value().auth, host);
    if (!opened.ok()) return host.complain(opened.error(), kExitUsage);
    door = std::move(opened).value();
    api.http.gate = &door->gate();
  }
  auto records = open_records(options.store.empty() ? "memory:" : options.store, host);
  if (const int* const status = std::get_if<int>(&records)) return *status;
  os::raise_descriptor_limit();
  ChatServing serving(config.value(), std::move(model).value(), *std::get<0>(records),
                      std::move(registry).value(), std::move(api), host);
  const std::optional<Status> loaded = wait_for(host, serving.api().load());
  if (!loaded) return kExitInterrupted;
  if (!loaded->ok()) return host.complain(loaded->error(), kExitUnreachable);
  const Status listening = serving.listen(options.at);
  if (!listening.ok()) return host.complain(listening.error(), kExitUsage);
  host.out(serving.url() + "\n");
  serving.serve();
  os::run(host.world().loop(), spans.flush());
  return kExitOk;
}

}  // namespace plumbline::cli
