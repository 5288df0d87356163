#include "core/mcp/protocol/answer.h"

#include <utility>

#include "core/base/limits.h"

namespace plumbline::mcp {

Json answer_message(rpc::RpcId id, Reply<Json> reply) {
  if (reply.ok()) return rpc::encode(rpc::Response{std::move(id), std::move(reply).value()});
  Failure why = std::move(reply).error();
  const bool spoken = why.kind == Failure::Kind::kRpc;
  return rpc::encode(rpc::ErrorResponse{std::move(id), spoken ? why.code : rpc::kInternalError,
                                        std::move(why.message), std::move(why.data)});
}

Json cancelled_message(rpc::RpcId id, std::string reason) {
  if (reason.size() > limits::kReasonBytesMax) {
    std::size_t end = limits::kReasonBytesMax;
    while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xC0U) == 0x80U) --end;
    reason.resize(end);
  }
  Json params(Json::value_t::object);
  if (!reason.empty()) params.emplace("reason", std::move(reason));
  params.emplace("requestId", rpc::to_json(std::move(id)));
  return rpc::encode(rpc::Notification{"notifications/cancelled", std::move(params)});
}

Json tool_error(std::string why) {
  Json block(Json::value_t::object);
  block.emplace("type", "text");
  block.emplace("text", std::move(why));
  Json result(Json::value_t::object);
  result["content"].push_back(std::move(block));
  result.emplace("isError", true);
  return result;
}

}  // namespace plumbline::mcp
