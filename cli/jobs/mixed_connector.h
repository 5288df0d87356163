// MixedConnector opens each server the way the configuration says: as a child process, or at its
// URL.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "cli/config/config.h"
#include "core/mcp/transport/connection.h"

namespace plumbline::cli {

class MixedConnector final : public transport::Connector {
 public:
  // All must outlive the connector.
  MixedConnector(const Config& config, transport::Connector& children,
                 transport::Connector& remotes)
      : config_(config), children_(children), remotes_(remotes) {}

  // implements Connector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string server) override {
    transport::Connector& chosen = config_.remotes.contains(server) ? remotes_ : children_;
    return chosen.connect(std::move(server));
  }

 private:
  const Config& config_;
  transport::Connector& children_;
  transport::Connector& remotes_;
};

}  // namespace plumbline::cli
