#include "core/rpc/message.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::rpc {
namespace {

Json json(const char* text) { return parse_json(text).value(); }

// A refusal as "request 7: what", with "-" for an id that could not be read.
std::string refusal(const char* text) {
  const Result<Message, DecodeError> message = decode(json(text));
  if (message.ok()) return "accepted";
  const DecodeError& error = message.error();
  const bool request = error.kind == DecodeError::Kind::kRequest;
  return std::string(request ? "request " : "response ") + (error.id ? describe(*error.id) : "-") +
         ": " + error.what;
}

TEST(MessageTest, ARequestComesApart) {
  Message message =
      decode(json(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1},"x":1})")).value();
  const Request& request = std::get<Request>(message);
  EXPECT_EQ(request.id, RpcId(7));
  EXPECT_EQ(request.method, "m");
  EXPECT_EQ(request.params, json(R"({"a":1})"));
}

TEST(MessageTest, ANotificationHasNoId) {
  Message message = decode(json(R"({"jsonrpc":"2.0","method":"n"})")).value();
  EXPECT_EQ(std::get<Notification>(message).method, "n");
  EXPECT_TRUE(std::get<Notification>(message).params.is_null());
}

TEST(MessageTest, AResultMayBeAnyValueEvenNull) {
  for (const char* result : {"null", "{}", "[1]", "\"x\"", "0"}) {
    const std::string text = std::string(R"({"jsonrpc":"2.0","id":"a","result":)") + result + "}";
    Message message = decode(json(text.c_str())).value();
    EXPECT_EQ(std::get<Response>(message).result, json(result));
  }
}

TEST(MessageTest, AnErrorAloneMayLackItsId) {
  for (const char* id : {"", R"("id":null,)"}) {
    const std::string text =
        std::string("{") + id + R"("jsonrpc":"2.0","error":{"code":-32700,"message":"x"}})";
    Message message = decode(json(text.c_str())).value();
    EXPECT_FALSE(std::get<ErrorResponse>(message).id);
    EXPECT_EQ(std::get<ErrorResponse>(message).code, kParseError);
  }
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","result":{}})"), "response -: a result without id");
}

TEST(MessageTest, TheJsonTypeOfAnIdIsKept) {
  EXPECT_NE(RpcId(1), RpcId(std::string("1")));
  EXPECT_LT(RpcId(999), RpcId(std::string("1")));
  EXPECT_EQ(read_id(json("1.0")), RpcId(1));
  EXPECT_EQ(read_id(json("\"\"")), RpcId(std::string()));
  EXPECT_EQ(dump_json(to_json(RpcId(std::string("1")))), "\"1\"");
  EXPECT_EQ(describe(RpcId(std::string("a\"b"))), "\"a\\\"b\"");
  for (const char* no : {"null", "1.5", "true", "[]", "{}", "1e300", "9223372036854775808"}) {
    EXPECT_FALSE(read_id(json(no))) << no;
  }
}

TEST(MessageTest, InvalidRequestsNameTheirIdWhenItIsReadable) {
  EXPECT_EQ(refusal("[]"), "request -: the message is an array, not an object");
  EXPECT_EQ(refusal("7"), "request -: the message is a number, not an object");
  EXPECT_EQ(refusal(R"({"id":7,"method":"m"})"), "request 7: jsonrpc is not \"2.0\"");
  EXPECT_EQ(refusal(R"({"jsonrpc":2.0,"id":7,"method":"m"})"), "request 7: jsonrpc is not \"2.0\"");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7,"method":1})"),
            "request 7: method is a number, not a string");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7,"method":"m","params":3})"),
            "request 7: params is a number, not an object");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":null,"method":"m"})"),
            "request -: id is null, not a string or an integer");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":1.5,"method":"m"})"),
            "request -: id is 1.5, not a string or an integer");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7})"),
            "request 7: neither method nor result nor error");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7,"method":"m","result":{}})"),
            "request 7: a method together with result or error");
}

TEST(MessageTest, InvalidResponsesNameTheirIdWhenItIsReadable) {
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"x"}})"),
            "response 7: both result and error are there");
  EXPECT_EQ(refusal(R"({"jsonrpc":"1.0","id":7,"result":{}})"),
            "response 7: jsonrpc is not \"2.0\"");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7,"error":"x"})"),
            "response 7: error is a string, not an object");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7,"error":{"code":"1","message":"x"}})"),
            "response 7: error has no whole number code");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7,"error":{"code":1}})"),
            "response 7: error has no message string");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":true,"result":{}})"),
            "response -: id is true, not a string or an integer");
}

TEST(MessageTest, ParamsByPositionAreJsonRpc) {
  Message message = decode(json(R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})")).value();
  EXPECT_TRUE(std::get<Request>(message).params.is_array());
}

TEST(MessageTest, EncodingLeavesOutWhatIsNotThere) {
  EXPECT_EQ(dump_json(encode(Request{RpcId(1), "m", nullptr})),
            R"({"id":1,"jsonrpc":"2.0","method":"m"})");
  EXPECT_EQ(dump_json(encode(Notification{"n", json("{}")})),
            R"({"jsonrpc":"2.0","method":"n","params":{}})");
  EXPECT_EQ(dump_json(encode(Response{RpcId(std::string("1")), json("{}")})),
            R"({"id":"1","jsonrpc":"2.0","result":{}})");
  EXPECT_EQ(dump_json(encode(ErrorResponse{std::nullopt, kParseError, "x", nullptr})),
            R"({"error":{"code":-32700,"message":"x"},"id":null,"jsonrpc":"2.0"})");
}

TEST(MessageTest, BytesThatAreNoJsonAreAnInvalidRequest) {
  const Result<Message, DecodeError> message = decode_bytes("{\"id\":");
  ASSERT_FALSE(message.ok());
  EXPECT_EQ(message.error().kind, DecodeError::Kind::kRequest);
  EXPECT_NE(message.error().what.find("line 1"), std::string::npos) << message.error().what;
}

TEST(MessageTest, ABatchSplitsIntoItsMembersUnread) {
  EXPECT_TRUE(is_batch(json("[]")));
  EXPECT_TRUE(split_batch(json("[]")).empty());
  EXPECT_EQ(split_batch(json(R"([1,{"a":2}])")).size(), 2U);
}

TEST(MessageTest, StandardCodesHaveNames) {
  EXPECT_EQ(name_of(-32700), "parse error");
  EXPECT_EQ(name_of(-32600), "invalid request");
  EXPECT_EQ(name_of(-32601), "method not found");
  EXPECT_EQ(name_of(-32602), "invalid params");
  EXPECT_EQ(name_of(-32603), "internal error");
  EXPECT_EQ(name_of(-32002), "resource not found");
  EXPECT_EQ(name_of(-32042), "URL elicitation required");
  EXPECT_EQ(name_of(1), "");
}

}  // namespace
}  // namespace plumbline::rpc
