#include "core/connector/mcp_client.h"

namespace plumbline::connector {

Json to_json(const McpRequest& request) {
  Json out = Json::object();
  out["server"] = request.server;
  out["method"] = request.method;
  out["params"] = request.params;
  return out;
}

}  // namespace plumbline::connector
