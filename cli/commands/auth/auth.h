// `login`, `logout` and `tokens`: who we are to servers that ask for it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/config/authentication.h"
#include "core/mcp/protocol/revision.h"
#include "core/net/network.h"
#include "core/wire/url.h"

namespace plumbline::cli {

// OfServer is what `login` and `logout` take: one server.
struct OfServer : Options {
  std::string url;
  std::string config;
  std::string server;               // Of the configuration.
  std::vector<std::string> inputs;  // That it asks for: "NAME=VALUE".

 protected:
  void declare_server(CLI::App& app);
  Status read_server() const;
};

// FoundServer is the server that was named, and what the configuration says of it.
struct FoundServer {
  wire::Url url;  // With http or https.
  net::TlsClient tls;
  Authentication said;
};

// find_server returns the server of `of`. kInvalidInput: one line.
Result<FoundServer> find_server(const OfServer& of, Host& host);

struct LoginOptions final : OfServer {
  std::string client_id;
  std::string issuer;                         // That knows it, and its secret or key.
  std::vector<std::string> endpoint_origins;  // Besides its own.
  std::string client_metadata;
  std::string client_key;             // A file.
  std::string key;                    // A variable: what it holds is kept, and nobody signs in.
  std::string header;                 // The key is shown in,
  std::optional<std::string> prefix;  // behind this.
  bool client_credentials = false;    // For itself: nobody is asked.
  std::vector<std::string> scopes;
  std::uint16_t callback_port = 0;
  bool no_browser = false;
  mcp::Revision revision = mcp::kLatest;

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  std::string revision_;
};

struct LogoutOptions final : OfServer {
  bool all = false;  // Every server.

  void declare(CLI::App& app) override;
  Status read() override;
};

struct TokensOptions final : Options {
  bool json = false;

  void declare(CLI::App& app) override;
};

// Exit status: 0 signed in; 2 what was asked for is wrong; 3 no token was to be had, and why is
// said in one line.
int run_login(const LoginOptions& options, Host& host);

// Exit status: 0 there is no token any more, or was none; 3 one is forgotten, and not revoked.
int run_logout(const LogoutOptions& options, Host& host);

int run_tokens(const TokensOptions& options, Host& host);

}  // namespace plumbline::cli
