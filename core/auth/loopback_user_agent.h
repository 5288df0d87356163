// LoopbackUserAgent listens on this machine for the browser to come back.
//
// Source: RFC 8252, section 7.3.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/auth/user_agent.h"
#include "core/base/loop.h"
#include "core/base/wait.h"
#include "core/net/http_server.h"
#include "core/net/network.h"

namespace plumbline::auth {

struct LoopbackOptions {
  std::uint16_t port = 0;                                 // 0: any that is free.
  std::string redirect_uri{};                             // With its port, and used as it is.
  Duration patience = std::chrono::minutes(5);            // With the person.
  std::function<void(const std::string& url)> show;       // Opens or prints the address.
  std::function<Task<bool>(std::string question)> ask{};  // nullptr: nobody can be asked.
};

class LoopbackUserAgent final : public UserAgent, private net::HttpHandler {
 public:
  // Both references must outlive it.
  LoopbackUserAgent(Loop& loop, net::Network& network, LoopbackOptions options);
  ~LoopbackUserAgent();

  // implements UserAgent ---
  //
  // It listens on 127.0.0.1 from redirect_uri on until one answer has come. What comes with another
  // state than that of the URL is no answer: any page can send a browser here.
  Result<std::string> redirect_uri(std::string preferred) override;
  Task<Result<std::string>> visit(std::string url) override;
  Task<bool> agrees(std::string question) override;

 private:
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;
  Status listen(std::uint16_t port);
  std::string place() const;
  std::string path() const;

  Loop& loop_;
  net::Network& network_;
  LoopbackOptions options_;
  std::string state_;                  // That is waited for; empty: nothing is.
  std::optional<std::string> answer_;  // The target that the browser came back with.
  Event answered_;
  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace plumbline::auth
