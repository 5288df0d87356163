#include "core/wire/websocket_handshake.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::wire {
namespace {

// The key and its answer are those of RFC 6455, section 1.3.
WebSocketOffer offer_of_standard() {
  return {.host = "server.example.com",
          .target = "/chat",
          .key = ws_key_of("the sample nonce"),
          .subprotocols = {"chat", "mcp"}};
}

constexpr const char* kAccept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

HttpHeaders good_answer() {
  return {{"upgrade", "WebSocket"},
          {"Connection", "keep-alive, upgrade"},
          {"Sec-WebSocket-Accept", kAccept},
          {"Sec-WebSocket-Protocol", "mcp"}};
}

TEST(WebSocketHandshakeTest, TheRequestAsksForAnUpgrade) {
  const HttpRequest request = ws_request(offer_of_standard());
  std::string bytes;
  append_request(bytes, request);
  EXPECT_EQ(bytes,
            "GET /chat HTTP/1.1\r\nHost: server.example.com\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Protocol: chat, mcp\r\n\r\n");
}

TEST(WebSocketHandshakeTest, TheServerProvesThatItReadTheKeyAndChoosesASubprotocol) {
  const WebSocketAnswer answer = answer_ws_request(ws_request(offer_of_standard()), {"mcp", "x"});
  ASSERT_TRUE(answer.accepted());
  EXPECT_EQ(answer.subprotocol, "mcp");
  EXPECT_EQ(answer.response.headers.get("Sec-WebSocket-Accept"), kAccept);
  const auto chosen = accept_ws_response(offer_of_standard(), 101, answer.response.headers);
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(chosen.value(), "mcp");
}

TEST(WebSocketHandshakeTest, NoSubprotocolInCommonIsNone) {
  const WebSocketAnswer answer = answer_ws_request(ws_request(offer_of_standard()), {"MCP"});
  ASSERT_TRUE(answer.accepted());
  EXPECT_EQ(answer.subprotocol, "");
  EXPECT_EQ(answer.response.headers.count("Sec-WebSocket-Protocol"), 0U);
  EXPECT_EQ(accept_ws_response(offer_of_standard(), 101, answer.response.headers).value(), "");
}

TEST(WebSocketHandshakeTest, AnAnswerToAnotherRequestIsRefused) {
  const auto refused = [](const std::string& name, const std::string& value) {
    HttpHeaders headers = good_answer();
    headers.erase(name);
    if (!value.empty()) headers.set(name, value);
    return !accept_ws_response(offer_of_standard(), 101, headers).ok();
  };
  ASSERT_TRUE(accept_ws_response(offer_of_standard(), 101, good_answer()).ok());
  EXPECT_TRUE(refused("Upgrade", ""));
  EXPECT_TRUE(refused("Upgrade", "h2c"));
  EXPECT_TRUE(refused("Connection", "close"));
  EXPECT_TRUE(refused("Sec-WebSocket-Accept", ""));
  EXPECT_TRUE(refused("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOp="));
  EXPECT_TRUE(refused("Sec-WebSocket-Extensions", "permessage-deflate"));
  EXPECT_TRUE(refused("Sec-WebSocket-Protocol", "other"));
  EXPECT_TRUE(refused("Sec-WebSocket-Protocol", "chat, mcp"));
  EXPECT_EQ(accept_ws_response(offer_of_standard(), 403, good_answer()).error().code,
            ErrorCode::kUnsupported);
}

TEST(WebSocketHandshakeTest, ARequestThatOpensNoWebSocketIsRefused) {
  const auto status_with = [](const std::string& name, const std::string& value) {
    HttpRequest request = ws_request(offer_of_standard());
    request.headers.erase(name);
    if (!value.empty()) request.headers.set(name, value);
    return answer_ws_request(request, {"mcp"}).response.status;
  };
  EXPECT_EQ(status_with("Upgrade", "foo/2, WebSocket"), 101);
  EXPECT_EQ(status_with("Upgrade", ""), 426);
  EXPECT_EQ(status_with("Connection", "close"), 426);
  EXPECT_EQ(status_with("Sec-WebSocket-Version", "8"), 426);
  EXPECT_EQ(status_with("Sec-WebSocket-Key", ""), 400);
  EXPECT_EQ(status_with("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j"), 400);
  EXPECT_EQ(status_with("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub2*jZQ=="), 400);
  HttpRequest twice = ws_request(offer_of_standard());
  twice.headers.add("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
  EXPECT_EQ(answer_ws_request(twice, {}).response.status, 400);
  HttpRequest post = ws_request(offer_of_standard());
  post.method = "POST";
  EXPECT_EQ(answer_ws_request(post, {}).response.headers.get("Allow"), "GET");
}

}  // namespace
}  // namespace plumbline::wire
