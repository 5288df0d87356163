// ServerDirectory is where the chat agent finds MCP servers, and where it keeps which of them its
// user has linked. One object is one user's.

#pragma once

#include <cstddef>
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

  // add links a server, and turns on a link to it that is there: its id stays. kInvalidInput: the
  // directory has none of that id, or `config` is nothing for it.
  virtual Task<Result<ServerLink>> add(std::string server_id, Json config) = 0;

  // links returns the user's links, those that are turned off too, in an order that stays.
  virtual Task<Result<std::vector<ServerLink>>> links() = 0;

  // remove turns a link off, or forgets it (`hard`). kInvalidInput: there is none of that id.
  virtual Task<Status> remove(std::string link_id, bool hard) = 0;

 protected:
  ~ServerDirectory() = default;
};

}  // namespace plumbline::agents::chat
