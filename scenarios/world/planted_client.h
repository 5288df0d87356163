// PlantedClient is an McpClient with a defect, to see that a sweep finds it.

#pragma once

#include "core/connector/mcp_client.h"

namespace plumbline::scenarios {

// It tells of a tools/call whose outcome is not known that it was turned away, so that whoever
// called makes it again.
class PlantedClient final : public agents::McpClient {
 public:
  // `client` must outlive it.
  explicit PlantedClient(agents::McpClient& client) : client_(client) {}

  // implements agents::McpClient ---
  Task<agents::Discovery> discover() override { return client_.discover(); }
  Task<mcp::Reply<Json>> invoke(agents::McpRequest request) override;

 private:
  agents::McpClient& client_;
};

}  // namespace plumbline::scenarios
