// RealDoor opens connections to one agent of a configuration.

#pragma once

#include <memory>
#include <string>

#include "cli/config/config.h"
#include "cli/connect/tokens.h"
#include "cli/host.h"
#include "core/connector/trial/agent_door.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/stdio_connector.h"

namespace plumbline::cli {

class RealDoor final : public connector::AgentDoor {
 public:
  // `agent` is one of the servers of `config`. The references must outlive the door.
  RealDoor(const Config& config, const std::string& agent, SignedIn& signed_in, Host& host);

  // transport returns what carries the conversation, as reports call it.
  std::string transport() const;

  // implements AgentDoor ---
  bool has_credentials() const override { return configured_; }
  bool may_authenticate() const override { return child_ == nullptr; }
  Task<Result<std::unique_ptr<transport::Connection>>> connect(connector::Credentials as) override;

 private:
  std::string agent_;
  bool configured_ = false;
  std::optional<transport::HttpEndpoint> remote_;
  std::unique_ptr<transport::StdioConnector> child_;
  std::unique_ptr<transport::HttpConnector> own_;
  std::unique_ptr<transport::HttpConnector> nobody_;
  std::unique_ptr<transport::HttpConnector> wrong_;
};

}  // namespace plumbline::cli
