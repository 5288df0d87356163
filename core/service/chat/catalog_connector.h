// CatalogConnector opens connections to servers that users have linked: those that the
// configuration names as it says, and all others at the address that their registry tells.

#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/base/random_bytes.h"
#include "core/mcp/transport/http_connector.h"
#include "core/service/chat/registry_catalog.h"

namespace plumbline::service {

class CatalogConnector final : public transport::Connector {
 public:
  // All must outlive it and its connections; `registry` may be null.
  CatalogConnector(Loop& loop, net::Network& network, transport::Connector& configured,
                   std::set<std::string> names, RegistryCatalog* registry, RandomBytes random)
      : loop_(loop),
        network_(network),
        configured_(configured),
        names_(std::move(names)),
        registry_(registry),
        random_(std::move(random)) {}

  // implements Connector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string server) override;

 private:
  Loop& loop_;
  net::Network& network_;
  transport::Connector& configured_;
  std::set<std::string> names_;  // That the configuration has.
  RegistryCatalog* registry_;
  RandomBytes random_;
};

}  // namespace plumbline::service
