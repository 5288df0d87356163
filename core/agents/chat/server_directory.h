// ServerDirectory is where the chat agent finds MCP servers, and where it keeps which of them its
// user has linked. One object is one user's.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/chat/chat_state.h"
#include "core/base/result.h"
#include "core/base/task.h"

namespace plumbline::agents::chat {

// ServerQuery is what is looked for.
struct ServerQuery {
  std::string text{};  // In ids, names and descriptions, whatever its case. Empty: all.
  std::vector<std::string> tags{};  // All of them.
  std::size_t limit = 20;
};

class ServerDirectory {
 public:
  // search returns what is listed, an object {"id", "name", "description", ...} each, in the
  // directory's order. kDisconnected: it cannot be reached.
  virtual Task<Result<std::vector<Json>>> search(ServerQuery query) = 0;

  // find returns all that the directory says of one server, also where it is ("url", for one that
  // is not of the configuration); nothing: it has none of that id. kDisconnected as in search.
  virtual Task<Result<std::optional<Json>>> find(std::string server_id) = 0;

  // add links `server`, what find has returned, and turns on a link to it that is there: its id
  // stays. kInvalidInput: `config` is nothing for it.
  virtual Task<Result<ServerLink>> add(Json server, Json config) = 0;

  // links returns the user's links, those that are turned off too, in an order that stays.
  virtual Task<Result<std::vector<ServerLink>>> links() = 0;

  // remove turns a link off, or forgets it (`hard`). kInvalidInput: there is none of that id.
  virtual Task<Status> remove(std::string link_id, bool hard) = 0;

 protected:
  ~ServerDirectory() = default;
};

}  // namespace plumbline::agents::chat
