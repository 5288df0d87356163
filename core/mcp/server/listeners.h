// Listeners are the open subscriptions of a client to a server: who wants to hear of what.
//
// Spec 2026-07-28, basic/patterns/subscriptions.

#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/mcp/protocol/failure.h"
#include "core/mcp/server/server_options.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

class Listeners {
 public:
  // open starts subscription `id` of a client of `revision` with the `notifications` member of its
  // request and returns the part of it that is honoured. -32602 when `wanted` is no filter, and for
  // too many of them.
  Reply<Json> open(const rpc::RpcId& id, Revision revision, const Json* wanted,
                   const Json& capabilities);

  // close returns whether there was such a subscription.
  bool close(const rpc::RpcId& id) { return open_.erase(id) > 0; }

  // revision_of returns that of the client; there must be such a subscription.
  Revision revision_of(const rpc::RpcId& id) const { return open_.at(id).revision; }

  bool contains(const rpc::RpcId& id) const { return open_.find(id) != open_.end(); }
  std::size_t size() const { return open_.size(); }

  // to_list returns who hears of changes of `area` ("tools", "prompts", "resources"); to_resource
  // and to_task likewise.
  std::vector<rpc::RpcId> to_list(std::string_view area) const;
  std::vector<rpc::RpcId> to_resource(const std::string& uri) const;
  std::vector<rpc::RpcId> to_task(const std::string& task_id) const;

  std::vector<rpc::RpcId> all() const;
  void clear() { open_.clear(); }

 private:
  struct Filter {
    Revision revision{};
    std::set<std::string, std::less<>> lists;
    std::set<std::string, std::less<>> resources;
    std::set<std::string, std::less<>> tasks;
  };

  template <typename Wanted>
  std::vector<rpc::RpcId> who(Wanted wanted) const;

  std::map<rpc::RpcId, Filter> open_;
};

}  // namespace plumbline::mcp
