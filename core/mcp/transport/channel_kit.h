// Small things that the channels over HTTP have in common.

#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/budget/guests.h"
#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/rpc/message.h"
#include "core/wire/http.h"

namespace plumbline::transport {

// kBusy is the code of who is refused because a budget is spent: JSON-RPC leaves it to servers.
inline constexpr std::int64_t kBusy = -32'000;

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

// AskedCharges keeps what the requests of a peer were charged with until they are answered.
class AskedCharges {
 public:
  // keep keeps `charge` for the requests in `message`, where there are any.
  void keep(const Json& message, Held charge) {
    std::vector<rpc::RpcId> ids;
    append_request_ids(message, ids);
    if (ids.empty()) return;
    const std::uint64_t number = ++last_;
    charges_.emplace(number, Asked{std::move(charge), ids.size()});
    for (rpc::RpcId& id : ids) asked_.emplace(std::move(id), number);
  }

  // answered gives back what the requests took to which `message`, or a batch, is the answer.
  void answered(const Json& message) {
    if (charges_.empty()) return;
    if (message.is_array()) {
      for (const Json& member : message) answered(member);
    }
    const Json* const id = find(message, "id");
    if (id == nullptr || find(message, "method") != nullptr) return;
    if (const auto read = rpc::read_id(*id)) forget(*read);
  }

  // forget gives back what `id` took. Of several of one id the last was refused.
  void forget(const rpc::RpcId& id) {
    const auto behind = asked_.upper_bound(id);
    if (behind == asked_.begin() || std::prev(behind)->first != id) return;
    const auto charge = charges_.find(std::prev(behind)->second);
    if (--charge->second.left == 0) charges_.erase(charge);
    asked_.erase(std::prev(behind));
  }

 private:
  struct Asked {
    Held charge;
    std::size_t left = 0;  // Requests of the message, or of the batch.
  };
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Asked> charges_;
  std::multimap<rpc::RpcId, std::uint64_t> asked_;
};

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
