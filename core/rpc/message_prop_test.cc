#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/rpc/message.h"

namespace plumbline::rpc {
namespace {

Json arbitrary_json(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 6 : 4)) {
    case 0:
      return Json(*rc::gen::arbitrary<int>());
    case 1:
      return Json(*rc::gen::string<std::string>());
    case 2:
      return Json(*rc::gen::element(0.5, -1.25, 1e300));
    case 3:
      return Json(nullptr);
    case 4: {
      Json out = Json::array();
      const int count = *rc::gen::inRange(0, 3);
      for (int i = 0; i < count; ++i) out.push_back(arbitrary_json(depth - 1));
      return out;
    }
    default: {
      Json out = Json::object();
      const int count = *rc::gen::inRange(0, 3);
      for (int i = 0; i < count; ++i) out["k" + std::to_string(i)] = arbitrary_json(depth - 1);
      return out;
    }
  }
}

RpcId arbitrary_id() {
  if (*rc::gen::arbitrary<bool>()) return RpcId(*rc::gen::arbitrary<std::int64_t>());
  return RpcId(std::to_string(*rc::gen::inRange(0, 99)));
}

Json arbitrary_params() {
  if (*rc::gen::arbitrary<bool>()) return nullptr;
  Json params = Json::object();
  params["a"] = arbitrary_json(2);
  return params;
}

Message arbitrary_message() {
  const std::string word = *rc::gen::container<std::string>(rc::gen::inRange('\x20', '\x7f'));
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return Request{arbitrary_id(), word, arbitrary_params()};
    case 1:
      return Notification{word, arbitrary_params()};
    case 2:
      return Response{arbitrary_id(), arbitrary_json(2)};
    default: {
      std::optional<RpcId> id;
      if (*rc::gen::arbitrary<bool>()) id = arbitrary_id();
      return ErrorResponse{id, *rc::gen::arbitrary<std::int64_t>(), word, arbitrary_params()};
    }
  }
}

RC_GTEST_PROP(MessagePropTest, DecodingUndoesEncoding, ()) {
  const Message message = arbitrary_message();
  const Json wire = encode(message);
  Result<Message, DecodeError> back = decode(wire);
  RC_ASSERT(back.ok());
  RC_ASSERT(back.value().index() == message.index());
  RC_ASSERT(encode(std::move(back).value()) == wire);
}

RC_GTEST_PROP(MessagePropTest, TheShortWayToBytesGivesTheSameBytes, ()) {
  const Message message = arbitrary_message();
  std::string bytes = "before";
  append_bytes(bytes, message);
  RC_ASSERT(bytes == "before" + dump_json(encode(message)));
}

// Any object made of the members of a message, right or wrong, is accepted or refused, never
// worse, and what is accepted survives the way back.
RC_GTEST_PROP(MessagePropTest, AnyMixtureOfMembersIsDecided, ()) {
  Json value = Json::object();
  for (const char* key : {"jsonrpc", "id", "method", "params", "result", "error"}) {
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        value[key] = arbitrary_json(2);
        break;
      case 1:
        value[key] = "2.0";
        break;
      case 2:
        value[key] = Json::parse(R"({"code":1,"message":"m"})");
        break;
      default:
        break;
    }
  }
  Result<Message, DecodeError> message = decode(value);
  if (!message.ok()) {
    RC_ASSERT(!message.error().what.empty());
    return;
  }
  RC_ASSERT(decode(encode(std::move(message).value())).ok());
}

}  // namespace
}  // namespace plumbline::rpc
