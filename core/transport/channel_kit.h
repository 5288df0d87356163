// Small things that the channels over HTTP have in common.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "core/rpc/message.h"

namespace plumbline::transport {

// RandomBytes returns that many bytes that nobody can guess; in simulation, bytes of the seed.
using RandomBytes = std::function<std::string(std::size_t count)>;

// append_request_ids adds the ids of the requests in a message or a batch.
inline void append_request_ids(const Json& message, std::vector<rpc::RpcId>& ids) {
  if (message.is_array()) {
    for (const Json& member : message) append_request_ids(member, ids);
    return;
  }
  const Json* const id = find(message, "id");
  if (id == nullptr || find(message, "method") == nullptr) return;
  if (const auto read = rpc::read_id(*id)) ids.push_back(*read);
}

// status_line returns "HTTP 404 Not Found", for people.
std::string status_line(int status);

}  // namespace plumbline::transport
