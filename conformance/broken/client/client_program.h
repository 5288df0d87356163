// ClientProgram is the reference client as a process: it finds its server as MCP_CONFORMANCE_* and
// PLUMBLINE_SERVER_COMMAND tell it, and goes through the interceptor of a ClientDeviation.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "conformance/broken/client/client_deviation.h"
#include "conformance/broken/client/client_wire.h"
#include "conformance/broken/http_middleman.h"
#include "conformance/broken/stdio_middleman.h"
#include "core/base/task.h"
#include "core/mcp/transport/connection.h"
#include "core/mcp/transport/message_channel.h"
#include "core/net/network.h"
#include "core/net/spawner.h"
#include "fakes/world/sim_pipe.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::conformance {

// kItsServer in an interceptor's memory is the address of the server: a plain GET goes there at the
// end, as to any other address. An array has several: {"fetch": URL, "headers": whole lines}.
inline constexpr std::string_view kItsServer = "its server";

class ClientProgram final : public fakes::Program {
 public:
  // Everything given must outlive the program; `deviation` may be null.
  ClientProgram(Loop& loop, net::Network& network, const net::Command& command,
                fakes::Process& process, const ClientDeviation* deviation);
  ~ClientProgram() override;

 private:
  // Splice copies what comes out of one stream into another.
  class Splice final : public net::PipeReader {
   public:
    Splice(
        net::Pipe& to, std::string farewell, std::function<void()> ended = [] {})
        : to_(to), farewell_(std::move(farewell)), ended_(std::move(ended)) {}
    void on_bytes(std::string_view bytes) override { to_.write(std::string(bytes)); }
    void on_end(const Error*) override {
      ended_();
      if (!farewell_.empty()) to_.write(farewell_);
      to_.close_write();
    }

   private:
    net::Pipe& to_;
    std::string farewell_;
    std::function<void()> ended_;
  };

  std::string variable(const std::string& name) const;
  mcp::ClientOptions client_options() const;
  auth::SignInOptions sign_in_options() const;
  void crash();
  Task<void> fetch(std::string url, std::string headers);
  Task<void> deliver_late();
  Task<void> live();
  // visit_http visits the server at a URL, signing in where that wants it.
  Task<bool> visit_http();
  Task<bool> visit_stdio();
  Task<bool> visit_over(transport::MessageChannel& channel, transport::Connection* connection);

  Loop& loop_;
  net::Network& network_;
  net::Command command_;
  fakes::Process& process_;
  const ClientDeviation* deviation_;
  Deviation interception_;
  bool leaving_ = false;  // It has begun to close the session.
  std::unique_ptr<net::Pipe> dialled_;
  std::unique_ptr<fakes::SimPipePair> own_;
  std::unique_ptr<StdioMiddleman> stdio_;
  std::unique_ptr<HttpMiddleman> http_;
  std::unique_ptr<ClientWire> wire_;
  std::unique_ptr<Splice> to_judge_;
  std::unique_ptr<Splice> to_client_;
  Task<void> late_;
  Task<void> life_;
};

}  // namespace plumbline::conformance
