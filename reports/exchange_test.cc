#include "reports/exchange.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace plumbline::reports {
namespace {

CheckResult row_of(std::string message,
                   const std::vector<std::pair<std::string, std::string>>& lines) {
  CheckResult row;
  row.message = std::move(message);
  for (const auto& [direction, text] : lines) {
    row.evidence.push_back({0, direction, parse_json(text).value()});
  }
  return row;
}

TEST(ExchangeTest, IsTheRequestAndItsAnswer) {
  const Exchange exchange =
      exchange_of(row_of("got error -32603, expected error -32602",
                         {{"->", R"({"id":1,"method":"initialize"})"},
                          {"<-", R"({"id":1,"result":{}})"},
                          {"->", R"({"id":2,"method":"tools/call"})"},
                          {"<-", R"({"method":"notifications/message"})"},
                          {"<-", R"({"id":2,"error":{"code":-32603,"message":"no"}})"}}));
  EXPECT_EQ(exchange.sent, R"({"id":2,"method":"tools/call"})");
  EXPECT_EQ(exchange.got, R"({"error":{"code":-32603,"message":"no"},"id":2})");
}

TEST(ExchangeTest, APingThatOnlyAsksForLifeIsNotWhatItIsAbout) {
  const Exchange exchange =
      exchange_of(row_of("got no message to an array of two pings, expected a result for each",
                         {{"->", R"([{"id":7,"method":"ping"},{"id":8,"method":"ping"}])"},
                          {"->", R"({"id":9,"method":"ping"})"},
                          {"<-", R"({"id":9,"result":{}})"}}));
  EXPECT_EQ(exchange.sent, R"([{"id":7,"method":"ping"},{"id":8,"method":"ping"}])");
  EXPECT_EQ(exchange.got, "");
}

TEST(ExchangeTest, OfSeveralTheOneOfWhichTheMessageSpeaks) {
  CheckResult row = row_of(
      "POST with Origin http://evil.example got a result with status 200, expected status 403",
      {{"--", R"({"http":"POST /mcp","headers":{"Origin":"http://evil.example","Host":"a"}})"},
       {"->", R"({"id":3,"method":"ping"})"},
       {"--", R"({"status":200,"headers":{}})"},
       {"<-", R"({"id":3,"result":{}})"},
       {"--", R"({"http":"POST /mcp","headers":{"Host":"evil.example:1"}})"},
       {"->", R"({"id":4,"method":"ping"})"},
       {"--", R"({"status":200,"headers":{}})"},
       {"<-", R"({"id":4,"result":{}})"}});
  row.area = "http";
  const Exchange exchange = exchange_of(row);
  EXPECT_EQ(exchange.sent, R"(POST /mcp, Origin: http://evil.example {"id":3,"method":"ping"})");
  EXPECT_EQ(exchange.got, R"(status 200 {"id":3,"result":{}})");
}

TEST(ExchangeTest, WithoutABodyTheStatusIsTheAnswer) {
  CheckResult row = row_of(
      "GET got status 404, expected 405",
      {{"--", R"({"http":"GET /mcp","headers":{}})"}, {"--", R"({"status":404,"headers":{}})"}});
  row.area = "http";
  EXPECT_EQ(exchange_of(row).sent, "GET /mcp");
  EXPECT_EQ(exchange_of(row).got, "status 404");
}

TEST(ExchangeTest, WhatNobodyAskedForWasOnlySaid) {
  const Exchange exchange =
      exchange_of(row_of("a line is no JSON", {{"<-", R"({"garbage":"hello there"})"}}));
  EXPECT_EQ(exchange.sent, "");
  EXPECT_EQ(exchange.got, "hello there");
  EXPECT_EQ(exchange_of(CheckResult()).got, "");
}

}  // namespace
}  // namespace plumbline::reports
