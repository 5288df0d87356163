// `check auth`: an authorization server by itself.

#pragma once

#include <string>

#include "cli/command.h"
#include "cli/options/selection_options.h"

namespace plumbline::cli {

struct CheckAuthOptions final : Options {
  std::string url;        // Of its metadata, its issuer, or an MCP server that names it.
  std::string client_id;  // Of a public client; empty: one is registered.
  std::string redirect_uri;
  std::string consent = "nobody";
  CheckSelection selection;
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  const Common* judging() const override { return &common; }

 private:
  CommonTexts texts_;
  SelectionTexts selection_texts_;
};

// Exit status 3: nobody answers there.
int run_check_auth(const CheckAuthOptions& options, Host& host);

}  // namespace plumbline::cli
