// CatalogConnector opens connections to servers that users have linked: those that the
// configuration names as it says, and all others at the address that their registry tells.

#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/base/random_bytes.h"
#include "core/mcp/transport/http_connector.h"
#include "core/service/chat/link_settings.h"
#include "core/service/chat/registry_catalog.h"

namespace plumbline::service {

class CatalogConnector final : public transport::Connector, public LinkConnector {
 public:
  // All must outlive it and its connections; `registry` and `configuring`, for links to servers of
  // the configuration that say something, may be null.
  CatalogConnector(Loop& loop, net::Network& network, transport::Connector& configured,
                   LinkConnector* configuring, std::set<std::string> names,
                   RegistryCatalog* registry, RandomBytes random)
      : loop_(loop),
        network_(network),
        configured_(configured),
        configuring_(configuring),
        names_(std::move(names)),
        registry_(registry),
        random_(std::move(random)) {}

  // implements Connector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string server) override;

  // implements LinkConnector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect_with(std::string server,
                                                                    LinkSettings settings) override;

 private:
  Task<Result<std::unique_ptr<transport::Connection>>> open(std::string server,
                                                            LinkSettings settings);

  Loop& loop_;
  net::Network& network_;
  transport::Connector& configured_;
  LinkConnector* configuring_;
  std::set<std::string> names_;  // That the configuration has.
  RegistryCatalog* registry_;
  RandomBytes random_;
};

}  // namespace plumbline::service
