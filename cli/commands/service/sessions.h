// `sessions`: the session-aware MCP server, with its worker page and the older endpoints.

#pragma once

#include <string>

#include "cli/command.h"
#include "core/net/network.h"
#include "core/service/sessions/mcp_door.h"

namespace plumbline::cli {

struct SessionsOptions final : Options {
  net::Authority at;
  std::string config;  // A file; empty: none.
  std::string store;   // As --store of ask; empty: in memory.
  service::Codes codes = service::Codes::kSpecification;
  bool quiet = false;  // No access log.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  std::string listen_;
  std::string codes_;
};

// Prints its URL and serves until a signal; then it lets running calls end. Exit status 2: the file
// is wrong, or the place is taken; 3: the store cannot be used.
int run_sessions(const SessionsOptions& options, Host& host);

}  // namespace plumbline::cli
