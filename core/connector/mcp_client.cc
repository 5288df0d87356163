#include "core/connector/mcp_client.h"

#include <utility>

namespace plumbline::connector {

Json to_json(McpRequest request) {
  Json out = Json::object();
  add_last(out, "method", std::move(request.method));
  add_last(out, "params", std::move(request.params));
  add_last(out, "server", std::move(request.server));
  return out;
}

}  // namespace plumbline::connector
