// McpDoor is where MCP clients of one session come in, by Streamable HTTP and in every revision: a
// server of its own, so that nothing of one session can reach the clients of another.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/random_bytes.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "core/service/sessions/tool_set.h"

namespace plumbline::service {

// Codes says in whose codes a call is refused: those of the MCP specification, or those that seed
// 004 lays down (-32601 for a tool that is not there, -32602 for bad arguments, whatever the
// revision).
enum class Codes { kSpecification, kDocument };

// DoorOptions is what all doors of a service have in common.
struct DoorOptions {
  mcp::ServerOptions server;  // Its tools are left out.
  transport::HttpSessionOptions session;
  std::size_t clients_max = 1'000;  // Of one door, at one time.
  Codes codes = Codes::kSpecification;
};

// codap_server returns what the server says of itself.
mcp::ServerOptions codap_server();

class McpDoor {
 public:
  // Tools is asked which tools there are now. `execute` answers every call of a tool. All but
  // `options` must outlive the door.
  using Tools = std::function<const ToolSet&()>;

  McpDoor(Loop& loop, const RandomBytes& random, const DoorOptions& options, Tools tools,
          mcp::ServerHandler execute);

  // handler answers what is sent to the door.
  net::HttpHandler& handler() { return http_; }

  // tools_changed tells the clients.
  void tools_changed();

  // close ends what is open, in good order.
  void close() { server_.close(); }

  mcp::Server::Load load() const { return server_.load(); }

 private:
  Tools tools_;
  mcp::Server server_;
  transport::StreamableHttpServer http_;
};

}  // namespace plumbline::service
