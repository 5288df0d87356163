// McpClient is all that the operations assistant knows of MCP: what is there, and one call.
//
// McpHub implements it over any transport::Connector, in simulation and for real.

#pragma once

#include <string>
#include <vector>

#include "core/base/task.h"
#include "core/connector/capability.h"
#include "core/connector/retry/retry_strategies.h"
#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"

namespace plumbline::connector {

// DiscoveryProblem is why a server, or a part of its manifest, could not be used.
struct DiscoveryProblem {
  std::string server;
  mcp::FailureClass kind = mcp::FailureClass::kNetwork;
  std::string message;
};

struct Discovery {
  Manifest manifest;
  std::vector<DiscoveryProblem> problems;
};

// McpRequest is one call, ready to be sent to one server.
struct McpRequest {
  std::string server;
  std::string method;  // "tools/call", "resources/read" or "prompts/get".
  Json params;
  bool as_task = false;  // The tool is to be called as a task (execution.taskSupport "required").
  std::string place{};   // Where the server must be (place_digest); empty: wherever it is.
};

Json to_json(McpRequest request);

class McpClient {
 public:
  // discover asks every configured server what it offers. A server that fails is a problem beside
  // the manifest of the others. Ends in bounded time.
  virtual Task<Discovery> discover() = 0;

  // invoke sends one request and waits, in bounded time, for its result object. It never sends a
  // request twice. A connection that was lost before is opened again first. kRefused: the server is
  // not at the place that the request says.
  virtual Task<mcp::Reply<Json>> invoke(McpRequest request) = 0;

  // retries returns when a request to `server` that has failed may be sent again, where somebody
  // has said so; null: nobody has. Valid as long as the client.
  virtual const RetryStrategies* retries(const std::string& /*server*/) const { return nullptr; }

 protected:
  ~McpClient() = default;
};

}  // namespace plumbline::connector
