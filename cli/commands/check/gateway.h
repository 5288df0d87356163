// `check gateway`: a gateway between our own server and our own clients.

#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "core/net/network.h"

namespace plumbline::cli {

struct CheckGatewayOptions final : Options {
  net::Authority listen;  // Where our server stands, behind the gateway.
  std::string url;        // Where our clients go, before it.
  std::vector<std::string> headers;
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  const Common* judging() const override { return &common; }

 private:
  CommonTexts texts_;
  std::string listen_text_;
};

// Exit status 3: nothing goes through it.
int run_check_gateway(const CheckGatewayOptions& options, Host& host);

}  // namespace plumbline::cli
