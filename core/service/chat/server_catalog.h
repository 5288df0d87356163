// ServerCatalog knows which MCP servers users of the chat may link, and how each is reached.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/chat/server_directory.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/json/json.h"

namespace plumbline::service {

class ServerCatalog {
 public:
  virtual ~ServerCatalog() = default;

  // search returns objects {"id", "name", "description", "tags", "url"?}. kDisconnected: it cannot
  // be reached, with its address.
  virtual Task<Result<std::vector<Json>>> search(agents::chat::ServerQuery query) = 0;

  // find returns the one of that id; nothing when there is none.
  virtual Task<Result<std::optional<Json>>> find(std::string id) = 0;
};

// ListedServers are those of a settings file.
class ListedServers final : public ServerCatalog {
 public:
  explicit ListedServers(std::vector<Json> servers) : servers_(std::move(servers)) {}

  // implements ServerCatalog ---
  Task<Result<std::vector<Json>>> search(agents::chat::ServerQuery query) override;
  Task<Result<std::optional<Json>>> find(std::string id) override;

 private:
  std::vector<Json> servers_;
};

// JoinedCatalogs asks one after the other: of two of one id the first is meant. One that fails
// costs what it has, and its Error is returned where nothing is found elsewhere.
class JoinedCatalogs final : public ServerCatalog {
 public:
  // All must outlive it.
  explicit JoinedCatalogs(std::vector<ServerCatalog*> all) : all_(std::move(all)) {}

  // implements ServerCatalog ---
  Task<Result<std::vector<Json>>> search(agents::chat::ServerQuery query) override;
  Task<Result<std::optional<Json>>> find(std::string id) override;

 private:
  std::vector<ServerCatalog*> all_;
};

// fits returns whether a server is what `query` looks for, whatever its limit.
bool fits(const Json& server, const agents::chat::ServerQuery& query);

}  // namespace plumbline::service
