#include "core/mcp/protocol/failure.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::mcp {
namespace {

using Kind = Failure::Kind;

std::string_view class_of(std::int64_t code, std::string message, const char* data = "null") {
  return name_of(classify(Failure(code, std::move(message), Json::parse(data))));
}

TEST(FailureTest, TheKindComesFirst) {
  EXPECT_EQ(classify(Failure(Kind::kTimeout, "forbidden")), FailureClass::kTimeout);
  EXPECT_EQ(classify(Failure(Kind::kDisconnected, "")), FailureClass::kNetwork);
  EXPECT_EQ(classify(Failure(Kind::kInvalidReply, "")), FailureClass::kProtocol);
  EXPECT_EQ(classify(Failure(Kind::kRefused, "")), FailureClass::kInvalidRequest);
}

TEST(FailureTest, AnHttpStatusDecidesWhereverItStands) {
  EXPECT_EQ(class_of(401, "x"), "authentication");
  EXPECT_EQ(class_of(403, "x"), "authorization");
  EXPECT_EQ(class_of(429, "x"), "rate_limit");
  EXPECT_EQ(class_of(-32000, "x", R"({"status":401})"), "authentication");
  EXPECT_EQ(class_of(-32000, "x", R"({"httpStatus":403})"), "authorization");
  EXPECT_EQ(class_of(-32000, "x", R"({"statusCode":429})"), "rate_limit");
  EXPECT_EQ(class_of(-32000, "x", R"({"status":503})"), "network");
  EXPECT_EQ(class_of(-32000, "x", R"({"status":504})"), "timeout");
  EXPECT_EQ(class_of(-32000, "x", R"({"status":"401"})"), "execution");
}

TEST(FailureTest, WordsDecideWhereNoCodeDoes) {
  EXPECT_EQ(class_of(-32603, "401 Unauthorized"), "authentication");
  EXPECT_EQ(class_of(-32603, "Request is UNAUTHENTICATED"), "authentication");
  EXPECT_EQ(class_of(-32603, "error: invalid_token"), "authentication");
  EXPECT_EQ(class_of(-32603, "Token expired."), "authentication");
  EXPECT_EQ(class_of(-32603, "EACCES: permission denied, open '/etc/shadow'"), "authorization");
  EXPECT_EQ(class_of(-32603, "403 Forbidden"), "authorization");
  EXPECT_EQ(class_of(-32603, "403 Forbidden: API rate limit exceeded"), "rate_limit");
  EXPECT_EQ(class_of(-32603, "Too Many Requests"), "rate_limit");
  EXPECT_EQ(class_of(-32001, "Request timed out"), "timeout");
  EXPECT_EQ(class_of(-32000, "upstream: socket hang up"), "network");
  EXPECT_EQ(class_of(-32000, "Connection closed"), "network");
}

TEST(FailureTest, WordsInsideOtherWordsDoNotCount) {
  EXPECT_EQ(class_of(-32603, "the forbiddenness of it"), "execution");
  EXPECT_EQ(class_of(-32603, "line 14013: no such column"), "execution");
  EXPECT_EQ(class_of(-32602, "the token field is missing"), "invalid_request");
}

TEST(FailureTest, WordsSayNothingAgainstACode) {
  EXPECT_EQ(class_of(-32601, "unknown method rate_limit/forbidden"), "invalid_request");
  EXPECT_EQ(class_of(-32602, "unknown tool \"unauthorized\""), "invalid_request");
  EXPECT_EQ(class_of(-32602, "Access denied - path outside"), "invalid_request");
  EXPECT_EQ(class_of(-32002, "forbidden.txt: too many requests"), "invalid_request");
  EXPECT_EQ(class_of(403, "too many requests"), "authorization");
  EXPECT_EQ(class_of(-32602, "fine", R"({"status":401})"), "authentication");
}

TEST(FailureTest, OnlyAStatusSaysThatNothingWasDone) {
  const auto limited = [](const Failure& failure) {
    return class_by_status(failure) == FailureClass::kRateLimit;
  };
  EXPECT_TRUE(limited(Failure(429, "x")));
  EXPECT_TRUE(limited(Failure(-32000, "x", Json::parse(R"({"httpStatus":429})"))));
  EXPECT_FALSE(limited(Failure(-32603, "2 of 3 sent, then: rate limit")));
  EXPECT_FALSE(limited(Failure(Kind::kRefused, "HTTP 429 Too Many Requests")));
}

TEST(FailureTest, TheCodeDecides) {
  EXPECT_EQ(class_of(-32700, "x"), "invalid_request");
  EXPECT_EQ(class_of(-32600, "x"), "invalid_request");
  EXPECT_EQ(class_of(-32601, "x"), "invalid_request");
  EXPECT_EQ(class_of(-32602, "x"), "invalid_request");
  EXPECT_EQ(class_of(-32002, "x"), "invalid_request");
  EXPECT_EQ(class_of(-32603, "x"), "execution");
  EXPECT_EQ(class_of(17, "x"), "execution");
}

TEST(FailureTest, RetryAfterIsReadInBothUnits) {
  const auto wait = [](const char* data) {
    return retry_after_ms(Failure(429, "x", Json::parse(data)));
  };
  EXPECT_EQ(wait(R"({"retryAfter":2})"), 2000);
  EXPECT_EQ(wait(R"({"retryAfter":0.0001})"), 1);
  EXPECT_EQ(wait(R"({"retryAfterMs":250})"), 250);
  EXPECT_EQ(wait(R"({"retry_after_ms":250,"retryAfter":9})"), 250);
  EXPECT_EQ(wait(R"({"retryAfter":1e300})"), 1'000'000'000'000'000);
  EXPECT_EQ(wait(R"({"retryAfter":-1})"), std::nullopt);
  EXPECT_EQ(wait(R"({"retryAfter":"2"})"), std::nullopt);
  EXPECT_EQ(wait("null"), std::nullopt);
}

TEST(FailureTest, ADescriptionNamesCodeAndReason) {
  EXPECT_EQ(describe(Failure(-32602, "unknown tool x")),
            "the peer answered with error -32602 (invalid params): unknown tool x");
  EXPECT_EQ(describe(Failure(7, "")), "the peer answered with error 7");
  EXPECT_EQ(describe(Failure(Kind::kInvalidReply, "tools[0] has no name")),
            "the answer breaks the protocol: tools[0] has no name");
  EXPECT_EQ(describe(Failure(Kind::kTimeout, "")), "timeout");
}

}  // namespace
}  // namespace plumbline::mcp
