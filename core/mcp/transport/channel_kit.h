// Small things that the channels over HTTP have in common.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/rpc/message.h"
#include "core/wire/http.h"

namespace plumbline::transport {

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

// may_repeat returns whether what the server said may be sent back to it in a header.
inline bool may_repeat(std::string_view text) {
  return text.size() <= limits::kHttpEchoBytesMax && wire::is_header_value(text);
}

// HeldMessages are to be sent later, in order.
class HeldMessages {
 public:
  // add returns false when too many wait already, or too large ones.
  bool add(Json message) {
    bytes_ += dump_json(message).size();
    if (messages_.size() == limits::kHttpWaitingMax || bytes_ > limits::kHttpWaitingBytesMax) {
      return false;
    }
    messages_.push_back(std::move(message));
    return true;
  }
  std::vector<Json> take() {
    bytes_ = 0;
    return std::exchange(messages_, {});
  }

 private:
  std::vector<Json> messages_;
  std::size_t bytes_ = 0;
};

}  // namespace plumbline::transport
