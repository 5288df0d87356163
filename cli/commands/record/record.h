// `record`: stands between a host and a stdio server, or between clients and a server of a network,
// and writes down what they say.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/child_environment.h"
#include "core/net/network.h"
#include "scenarios/record/masker.h"

namespace plumbline::cli {

struct RecordOptions final : Options {
  std::string out;
  std::vector<std::string> command;
  ChildEnvironment environment;
  scenarios::Masks masks;
  std::string url;                   // Of a server of a network.
  std::vector<std::string> headers;  // Sent to it with every request.
  net::Authority listen{};           // Where its clients connect to.
  std::vector<std::string> hosts;    // Other names by which they may call.
  std::optional<net::TlsServer> tls{};
  std::string imported;  // An HTTP archive or a trace, in place of a server.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  bool stdio_ = false;
  std::string listen_;
  std::string tls_cert_;
  std::string tls_key_;
};

// Exit status: that of the server, 128 and the number of the signal that ended it; 3 when FILE
// cannot be written or the server cannot be started. At a URL, 0 once a signal has come.
int run_record(const RecordOptions& options, Host& host);

}  // namespace plumbline::cli
