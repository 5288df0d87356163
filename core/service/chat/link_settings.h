// What a user has said for a server that is linked, and how it reaches that server. An entry of a
// catalog says what its server takes, and where each of it goes:
//
//   "config": {"region": {"query": "region", "description": "us or eu"},
//              "apiKey": {"header": "X-Api-Key"}, "folder": {"env": "DATA_FOLDER"}}

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/json/json.h"
#include "core/mcp/transport/connection.h"
#include "core/mcp/transport/http_connector.h"
#include "core/net/spawner.h"
#include "core/service/chat/server_catalog.h"

namespace plumbline::service {

struct LinkSettings {
  std::map<std::string, std::string> headers{};
  std::map<std::string, std::string> query{};
  std::map<std::string, std::string> env{};

  void add_to(transport::HttpEndpoint& endpoint) const;
  void add_to(net::Command& command) const;
};

// settings_of returns where each member of `config` goes, as `server`, of a catalog, says.
// kInvalidInput: the server takes no such member, it is no text, number or boolean, or it cannot go
// where it has to.
Result<LinkSettings> settings_of(const Json& server, const Json& config);

// check_config returns what is wrong with the "config" of a server, which is a process of ours or
// at a URL.
Status check_config(const Json& config, bool process);

// secrets_in returns the values of a link's config that may be keys: those of members whose name
// says so, and all that are no word or short phrase of letters. "eu" and "europe-west" are none.
std::vector<std::string> secrets_in(const Json& config);

// LinkConnector opens connections that carry settings.
class LinkConnector {
 public:
  virtual Task<Result<std::unique_ptr<transport::Connection>>> connect_with(
      std::string server, LinkSettings settings) = 0;

 protected:
  ~LinkConnector() = default;
};

// LinkedConnector is the connector of one user: what he has said for a server reaches it.
class LinkedConnector final : public transport::Connector {
 public:
  // All must outlive it and its connections; `configuring` may be null: then nobody says anything.
  LinkedConnector(transport::Connector& plain, LinkConnector* configuring, ServerCatalog& catalog)
      : plain_(plain), configuring_(configuring), catalog_(catalog) {}

  // set says what a server is told from the next connection on; null: nothing. It returns whether
  // that is new.
  bool set(const std::string& server, Json config);

  // implements Connector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string server) override;

 private:
  transport::Connector& plain_;
  LinkConnector* configuring_;
  ServerCatalog& catalog_;
  std::map<std::string, Json> configs_;
};

}  // namespace plumbline::service
