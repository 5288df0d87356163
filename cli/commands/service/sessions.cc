#include "cli/commands/service/sessions.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/service/http_place.h"
#include "cli/config/callers.h"
#include "cli/config/sessions_config.h"
#include "cli/options/authority.h"
#include "cli/options/choice.h"
#include "cli/options/store_uri.h"
#include "cli/threads.h"
#include "core/os/fd.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"
#include "core/rpc/message.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kBodyBytesMax = 1U << 20U;
constexpr std::size_t kHeaderBytesMax = 16U << 10U;
constexpr std::size_t kConnectionsMax = 65'536;
// The older endpoints are there since before MCP, and deprecated since its stateless revision.
constexpr Duration kDeprecatedSince =
    std::chrono::sys_days(std::chrono::year_month_day(std::chrono::year(2026), std::chrono::July,
                                                      std::chrono::day(28)))
        .time_since_epoch();

Result<SessionsConfig> read_config(const SessionsOptions& options, Host& host) {
  if (options.config.empty()) return SessionsConfig{};
  const Result<std::string> text = host.files().read_file(options.config);
  if (!text.ok()) return text.error();
  return parse_sessions_config(text.value(), options.config);
}

// complete adds what the command line says to what the file says.
void complete(service::SessionServerOptions& server, const SessionsOptions& options, Host& host) {
  server.codes = options.codes;
  server.http.deprecation.since = kDeprecatedSince;
  server.http.deprecation.successor = "/mcp";
  name_hosts(server.http, options.at.host);
  if (!options.quiet) {
    server.http.log = [&host](const std::string& line) { host.tell(line + "\n"); };
  }
}

net::HttpServerOptions http_options(std::vector<std::string> proxies) {
  net::HttpServerOptions http;
  http.proxies = std::move(proxies);
  http.limits.body_bytes_max = kBodyBytesMax;
  http.limits.header_bytes_max = kHeaderBytesMax;
  http.all.set(Resource::kConnections, kConnectionsMax);
  http.each.set(Resource::kConnections, kConnectionsMax / 2);
  http.refusal = [](int status, const std::string& what) {
    return service::error_reply(status, rpc::kInvalidRequest, what);
  };
  return http;
}

// Serving is the server at its place of the network.
class Serving {
 public:
  Serving(Host& host, RecordStore& records, const service::SessionServerOptions& options)
      : server_(host.world().loop(), clock_, records, os::random_bytes, options),
        place_(host, server_.handler(), server_.access(), http_options(options.http.proxies)) {}

  service::SessionServer& server() { return server_; }
  const std::string& url() const { return url_; }

  Status listen(const net::Authority& at) {
    Result<std::string> base = place_.listen(at);
    if (!base.ok()) return base.error();
    url_ = std::move(base).value() + "/mcp";
    server_.guard(url_);
    return Done{};
  }

  void serve() {
    place_.serve([this] { return server_.drain(); });
  }

 private:
  os::RealWallClock clock_;
  service::SessionServer server_;
  HttpPlace place_;
  std::string url_;
};

}  // namespace

void SessionsOptions::declare(CLI::App& app) {
  app.add_option("--listen", listen_, "Listen here and print the MCP URL; port 0 picks a free one")
      ->required()
      ->type_name("HOST:PORT");
  app.add_option("--config", config,
                 "Read origins, limits and access rules from this file (docs/sessions.md)")
      ->type_name("FILE");
  app.add_option("--store", store, "Keep sessions here: memory:, sqlite:PATH or postgres://...")
      ->type_name("URI");
  app.add_option("--codes", codes, "Use these error codes for refusals over MCP (default spec)")
      ->transform(choice<service::Codes>({{"specification", service::Codes::kSpecification},
                                          {"document", service::Codes::kDocument}}))
      ->type_name("WHOSE");
  app.add_flag("--quiet", quiet, "Write no access log to stderr");
}

Status SessionsOptions::read() {
  Result<net::Authority> read = read_authority("--listen", listen_);
  if (!read.ok()) return read.error();
  at = std::move(read).value();
  return Done{};
}

int run_sessions(const SessionsOptions& options, Host& host) {
  Result<SessionsConfig> config = read_config(options, host);
  if (!config.ok()) return host.complain(config.error(), kExitUsage);
  service::SessionServerOptions server = std::move(config.value().server);
  complete(server, options, host);
  std::unique_ptr<Door> door;
  if (config.value().auth) {
    Result<std::unique_ptr<Door>> opened = Door::open(*config.value().auth, host);
    if (!opened.ok()) return host.complain(opened.error(), kExitUsage);
    door = std::move(opened).value();
    server.http.gate = &door->gate();
  }
  std::variant<std::unique_ptr<RecordStore>, int> records =
      open_records(options.store.empty() ? "memory:" : options.store, host);
  if (const int* const status = std::get_if<int>(&records)) return *status;
  os::raise_descriptor_limit();
  Serving serving(host, *std::get<0>(records), server);
  const std::optional<Status> loaded = wait_for(host, serving.server().load());
  if (!loaded) return kExitInterrupted;
  if (!loaded->ok()) return host.complain(loaded->error(), kExitUnreachable);
  const Status listening = serving.listen(options.at);
  if (!listening.ok()) return host.complain(listening.error(), kExitUsage);
  host.out(serving.url() + "\n");
  serving.serve();
  return kExitOk;
}

}  // namespace plumbline::cli
