#include "cli/commands/relay.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/serving.h"
#include "conformance/peer/client/stdio_scripted_peer.h"
#include "core/base/errors/errors.h"
#include "core/os/standard_streams.h"

namespace plumbline::cli {

namespace {

// RelaySide copies what comes out of one stream into the other, and tells its end.
class RelaySide final : public net::PipeReader {
 public:
  RelaySide(net::Pipe& to, std::string farewell, bool& over)
      : to_(to), farewell_(std::move(farewell)), over_(over) {}

  void on_bytes(std::string_view bytes) override { to_.write(std::string(bytes)); }

  void on_end(const Error*) override {
    if (!farewell_.empty()) to_.write(farewell_);
    to_.close_write();
    over_ = true;
  }

 private:
  net::Pipe& to_;
  std::string farewell_;
  bool& over_;
};

}  // namespace

void RelayOptions::declare(CLI::App& app) {
  app.add_option("ADDRESS", address)->required();
  app.group("");
}

int run_relay(const RelayOptions& options, Host& host) {
  const std::size_t slash = std::min(options.address.find('/'), options.address.size());
  const std::string key = options.address.substr(std::min(slash + 1, options.address.size()));
  const std::size_t colon = options.address.rfind(':', slash);
  int port = 0;
  if (colon != std::string::npos) port = std::atoi(options.address.c_str() + colon + 1);
  if (port <= 0 || port > 65'535) {
    return host.complain(the_error("relay.where"), kExitUsage);
  }
  os::RealLoop& loop = host.world().loop();
  net::Authority to{options.address.substr(0, colon), static_cast<std::uint16_t>(port)};
  const std::optional<Result<std::unique_ptr<net::Pipe>>> dialled =
      os::run(loop, host.world().network().dial(std::move(to), std::nullopt));
  if (!dialled || !dialled->ok())
    return host.complain(the_error("relay.judge-gone"), kExitUnreachable);
  net::Pipe& judge = *dialled->value();
  const std::unique_ptr<net::Pipe> streams = os::standard_streams(loop);
  bool heard_all = false;
  bool said_all = false;
  RelaySide to_judge(judge, std::string(conformance::kEndOfInput) + "\n", said_all);
  RelaySide to_client(*streams, "", heard_all);
  streams->start(to_judge);
  judge.start(to_client);
  judge.write(key + "\n");
  loop.run_until([&] { return heard_all; });
  flush(loop, *streams);
  return kExitOk;
}

}  // namespace plumbline::cli
