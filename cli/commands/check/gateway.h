// `check gateway`: a gateway between our own server and our own clients.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/child_environment.h"
#include "cli/options/selection_options.h"
#include "conformance/checks/gateway/names.h"
#include "core/net/network.h"

namespace plumbline::cli {

struct CheckGatewayOptions final : Options {
  net::Authority listen;  // Where our server stands, behind the gateway.
  std::string url;        // Where our clients go, before it; empty: they start the command.
  std::vector<std::string> headers;
  std::vector<std::string> command;   // A gateway over stdio; "{url}" in it is our server's.
  ChildEnvironment environment;       // Of the command.
  std::string start;                  // Starts the gateway at the URL. Likewise.
  Duration wait{};                    // For it to listen. 0: what is usual.
  conformance::GatewayManner manner;  // What it does on purpose.
  CheckSelection selection;
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  const Common* judging() const override { return &common; }

 private:
  CommonTexts texts_;
  SelectionTexts selection_texts_;
  std::string wait_text_;
  std::string listen_text_;
};

// Exit status 3: nothing goes through it.
int run_check_gateway(const CheckGatewayOptions& options, Host& host);

}  // namespace plumbline::cli
