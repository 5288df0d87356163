// `chat-api`: the chat agent as a service, with its page.

#pragma once

#include <string>

#include "cli/command.h"
#include "core/net/network.h"

namespace plumbline::cli {

struct ChatApiOptions final : Options {
  net::Authority at;
  std::string config;
  std::vector<std::string> inputs;  // That it asks for: "NAME=VALUE".
  std::string store;                // As --store of ask; empty: a file of the user's folder.
  bool quiet = false;               // No access log.
  std::string otlp;                 // Where spans go: see TraceExport.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  std::string listen_ = "127.0.0.1:8787";
};

// Prints its URL and serves until a signal; then it lets running turns end. Exit status 2: a file
// is wrong, or the place is taken; 3: the store cannot be used.
int run_chat_api(const ChatApiOptions& options, Host& host);

}  // namespace plumbline::cli
