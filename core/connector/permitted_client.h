// PermittedClient keeps a client to the methods that each server may be asked: what is not among
// them is neither found nor called.

#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/connector/mcp_client.h"

namespace plumbline::connector {

class PermittedClient final : public McpClient {
 public:
  // `inner` must outlive it. A server that `methods` does not name may be asked everything.
  PermittedClient(McpClient& inner, std::map<std::string, std::vector<std::string>> methods)
      : inner_(inner), methods_(std::move(methods)) {}

  // implements McpClient ---
  //
  // invoke refuses (mcp::Failure::Kind::kRefused) what is not permitted, and sends nothing.
  Task<Discovery> discover() override;
  Task<mcp::Reply<Json>> invoke(McpRequest request) override;
  const RetryStrategies* retries(const std::string& server) const override {
    return inner_.retries(server);
  }

 private:
  bool permits(const std::string& server, std::string_view method) const;

  McpClient& inner_;
  std::map<std::string, std::vector<std::string>> methods_;
};

// method_for returns the request that uses what is of this type: "tools/call", "resources/read" or
// "prompts/get".
std::string_view method_for(CapabilityType type);

}  // namespace plumbline::connector
