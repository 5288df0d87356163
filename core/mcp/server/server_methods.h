// ServerMethods knows what each method of a server does with a request: it has an answer, or a
// target of the application that is to be called.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"
#include "core/mcp/server/server_era.h"
#include "core/mcp/server/server_options.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

// TaskWish: this call becomes a task, kept for `ttl` if the client has a wish.
struct TaskWish {
  std::optional<Duration> ttl;
};

class ServerMethods {
 public:
  // Target is a tool, a prompt or a URI; empty for a completion. It is known, and its arguments
  // are checked.
  struct Target {
    std::string name;
    std::optional<TaskWish> task;
  };
  using Outcome = std::variant<Reply<Json>, Target>;

  // `options` must outlive it.
  explicit ServerMethods(const ServerOptions& options) : options_(options) {}

  // dispatch answers `request` as `revision` has it, subscriptions/listen and initialize apart.
  // `own` is who sent it where the request says so itself, null in a revision with initialize.
  Outcome dispatch(const rpc::Request& request, Revision revision, const ClientInfo* own);

  // What a client of a revision with initialize has set: whether it watches `uri`, and the index
  // of the lowest severity that it wants to be told.
  bool subscribed(const std::string& uri) const { return subscriptions_.contains(uri); }
  int level_min() const { return level_min_; }

 private:
  Outcome dispatch_stateful(const rpc::Request& request, Revision revision);
  Reply<Json> subscribe(const Json& params, bool on, Revision revision);
  Reply<Json> set_level(const Json& params);

  const ServerOptions& options_;
  std::set<std::string> subscriptions_;
  int level_min_ = 0;
};

}  // namespace plumbline::mcp
