// RegistryCatalog is a catalog of MCP servers that another service keeps (MCP_BASE_URL).
//
//   GET BASE/servers?query&tags&limit   {"items": [{"id", "name", "description", "tags", "url"}]}
//   GET BASE/servers/ID                 one of them; 404: there is none
//
// `plumbline registry` serves its agents in this form, too.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/connector/registry/agent_address.h"
#include "core/net/http_client.h"
#include "core/service/chat/server_catalog.h"

namespace plumbline::service {

struct RegistryCatalogOptions {
  wire::Url base;
  std::string token;                 // Bearer; empty: none. Sent to nobody else.
  registry::AllowedOrigins allowed;  // Where its servers may be beside its own origin.
  Duration timeout = std::chrono::seconds(10);
  std::size_t body_bytes_max = std::size_t{1} << 20U;
};

class RegistryCatalog final : public ServerCatalog {
 public:
  // `client` must outlive it.
  RegistryCatalog(net::HttpClient& client, RegistryCatalogOptions options)
      : client_(client), options_(std::move(options)) {}

  // implements ServerCatalog ---
  //
  // A server at an address that registry::agent_address refuses is not among what is found.
  Task<Result<std::vector<Json>>> search(agents::chat::ServerQuery query) override;
  Task<Result<std::optional<Json>>> find(std::string id) override;

  // address_of returns where a server of this catalog is. kInvalidInput: it does not say, or it may
  // not be there.
  Result<wire::Url> address_of(const Json& server) const;

 private:
  Task<Result<wire::HttpResponse>> get(std::string path);

  net::HttpClient& client_;
  RegistryCatalogOptions options_;
};

}  // namespace plumbline::service
