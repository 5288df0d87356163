#include "cli/commands/connect/registry.h"

#include <memory>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/authority.h"
#include "core/connector/registry/registry_handler.h"
#include "core/net/http_server.h"
#include "core/os/interrupt.h"

namespace plumbline::cli {

void RegistryOptions::declare(CLI::App& app) {
  app.add_option("--listen", listen_, "Where; port 0 is a free one. Prints its URL")
      ->required()
      ->type_name("HOST:PORT");
  app.add_option("--file", file,
                 "The agents, as JSON (docs/connect.md); read again whenever somebody asks")
      ->required()
      ->type_name("FILE");
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
  if (!loaded.ok()) return host.complain(loaded.error().message, kExitUsage);
  os::RealLoop& loop = host.world().loop();
  net::HttpServer server(loop, handler);
  const auto listener = host.world().network().listen(
      options.at, std::nullopt, [&server](auto pipe) { server.accept(std::move(pipe)); });
  if (!listener.ok()) return host.complain(listener.error().message, kExitUsage);
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  const net::Authority at = net::Authority{options.at.host, listener.value()->port()};
  host.out("http://" + net::describe(at) + "/agents\n");
  loop.run_until([] { return false; });
  return kExitOk;
}

}  // namespace plumbline::cli
