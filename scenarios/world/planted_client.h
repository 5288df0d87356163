// PlantedClient is an McpClient with a defect, to see that a sweep finds it.

#pragma once

#include "core/connector/mcp_client.h"

namespace plumbline::scenarios {

// It tells of a tools/call whose outcome is not known that it was turned away, so that whoever
// called makes it again.
class PlantedClient final : public connector::McpClient {
 public:
  // `client` must outlive it.
  explicit PlantedClient(connector::McpClient& client) : client_(client) {}

  // implements agents::McpClient ---
  Task<connector::Discovery> discover() override { return client_.discover(); }
  Task<mcp::Reply<Json>> invoke(connector::McpRequest request) override;

 private:
  connector::McpClient& client_;
};

}  // namespace plumbline::scenarios
