#include "cli/commands/connect/registry.h"

#include <memory>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/authority.h"
#include "core/connector/registry/registry_handler.h"
#include "core/metrics/prometheus_text.h"
#include "core/net/http_server.h"
#include "core/os/interrupt.h"

namespace plumbline::cli {

namespace {

// Measured counts what a registry is asked, and tells it at /metrics.
class Measured final : public net::HttpHandler {
 public:
  explicit Measured(registry::RegistryHandler& registry) : registry_(registry) {
    metrics_.before_writing([this] {
      const metrics::About agents{"plumbline.registry.agents", "Agents that are listed", "{agent}"};
      metrics_.gauge(agents).set(static_cast<double>(registry_.agents()));
    });
  }

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    if (request.target == "/metrics") {
      return shown_.on_request(std::move(request), std::move(reply));
    }
    const metrics::About asked{"plumbline.registry.requests", "Requests for agents", "{request}"};
    metrics_.counter(asked).add();
    registry_.on_request(std::move(request), std::move(reply));
  }

 private:
  registry::RegistryHandler& registry_;
  metrics::Metrics metrics_;
  metrics::MetricsHandler shown_{metrics_};
};

}  // namespace

void RegistryOptions::declare(CLI::App& app) {
  app.add_option("--listen", listen_, "Listen here and print the URL; port 0 picks a free one")
      ->required()
      ->type_name("HOST:PORT");
  app.add_option(
         "--file", file,
         "Serve the agents in this JSON file, read again for each request (docs/connect.md)")
      ->required()
      ->type_name("FILE");
  add_allowed_hosts(app, hosts);
}

Status RegistryOptions::read() {
  Result<net::Authority> read = read_authority("--listen", listen_);
  if (!read.ok()) return read.error();
  at = std::move(read).value();
  return Done{};
}

int run_registry(const RegistryOptions& options, Host& host) {
  registry::RegistryHandler handler(host.files(), options.file, [&host](const std::string& line) {
    host.tell_line("note: what was there before is served on: " + line);
  });
  const Status loaded = handler.load();
  if (!loaded.ok()) return host.complain(loaded.error(), kExitUsage);
  os::RealLoop& loop = host.world().loop();
  Measured measured(handler);
  net::HttpServer server(loop, measured, access_at(options.at.host, options.hosts));
  const auto listener = host.world().network().listen(
      options.at, std::nullopt, [&server](auto pipe) { server.accept(std::move(pipe)); });
  if (!listener.ok()) return host.complain(listener.error(), kExitUsage);
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  const net::Authority at = net::Authority{options.at.host, listener.value()->port()};
  host.out("http://" + net::describe(at) + "/agents\n");
  loop.run_until([] { return false; });
  return kExitOk;
}

}  // namespace plumbline::cli
