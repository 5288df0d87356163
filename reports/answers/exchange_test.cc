#include "reports/answers/exchange.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace plumbline::reports {
namespace {

// row_of returns a row with these lines of evidence; those whose direction ends with "!" are what
// it is about.
CheckResult row_of(const std::vector<std::pair<std::string, std::string>>& lines) {
  CheckResult row;
  row.message = "of this nothing depends";
  for (const auto& [direction, text] : lines) {
    row.evidence.push_back(
        {0, direction.substr(0, 2), parse_json(text).value(), direction.ends_with('!')});
  }
  return row;
}

TEST(ExchangeTest, IsTheRequestAndItsAnswer) {
  const Exchange exchange =
      exchange_of(row_of({{"->", R"({"id":1,"method":"initialize"})"},
                          {"<-", R"({"id":1,"result":{}})"},
                          {"->!", R"({"id":2,"method":"tools/call"})"},
                          {"<-", R"({"method":"notifications/message"})"},
                          {"<-!", R"({"id":2,"error":{"code":-32603,"message":"no"}})"}}));
  EXPECT_EQ(exchange.sent, R"({"id":2,"method":"tools/call"})");
  EXPECT_EQ(exchange.got, R"({"error":{"code":-32603,"message":"no"},"id":2})");
}

TEST(ExchangeTest, IsTheMarkedOneWhateverFollows) {
  const Exchange exchange =
      exchange_of(row_of({{"->!", R"([{"id":7,"method":"ping"},{"id":8,"method":"ping"}])"},
                          {"->", R"({"id":9,"method":"ping"})"},
                          {"<-", R"({"id":9,"result":{}})"}}));
  EXPECT_EQ(exchange.sent, R"([{"id":7,"method":"ping"},{"id":8,"method":"ping"}])");
  EXPECT_EQ(exchange.got, "");
}

TEST(ExchangeTest, OneMarkedLineShowsItsWholeExchange) {
  for (const std::size_t marked : {0U, 1U, 2U, 3U}) {
    CheckResult row = row_of(
        {{"--", R"({"http":"POST /mcp","headers":{"Origin":"http://evil.example","Host":"a"}})"},
         {"->", R"({"id":3,"method":"ping"})"},
         {"--", R"({"status":200,"headers":{}})"},
         {"<-", R"({"id":3,"result":{}})"},
         {"--", R"({"http":"POST /mcp","headers":{"Host":"evil.example:1"}})"},
         {"->", R"({"id":4,"method":"ping"})"},
         {"--", R"({"status":200,"headers":{}})"},
         {"<-", R"({"id":4,"result":{}})"}});
    row.area = "http";
    row.evidence[marked].judged = true;
    const Exchange exchange = exchange_of(row);
    EXPECT_EQ(exchange.sent, R"(POST /mcp, Origin: http://evil.example {"id":3,"method":"ping"})");
    EXPECT_EQ(exchange.got, R"(status 200 {"id":3,"result":{}})");
  }
}

TEST(ExchangeTest, WithoutABodyTheStatusIsTheAnswer) {
  CheckResult row = row_of(
      {{"--!", R"({"http":"GET /mcp","headers":{}})"}, {"--", R"({"status":404,"headers":{}})"}});
  row.area = "http";
  EXPECT_EQ(exchange_of(row).sent, "GET /mcp");
  EXPECT_EQ(exchange_of(row).got, "status 404");
}

TEST(ExchangeTest, WhatNobodyAskedForWasOnlySaid) {
  const Exchange exchange = exchange_of(row_of({{"<-!", R"({"garbage":"hello there"})"}}));
  EXPECT_EQ(exchange.sent, "");
  EXPECT_EQ(exchange.got, "hello there");
}

TEST(ExchangeTest, AnErrorWithoutAnIdAnswersWhatNothingElseAnswers) {
  const Exchange exchange =
      exchange_of(row_of({{"->", R"({"method":"notifications/odd"})"},
                          {"->", R"({"id":3,"method":"ping"})"},
                          {"<-!", R"({"error":{"code":-32601,"message":"no"}})"},
                          {"<-", R"({"id":3,"result":{}})"}}));
  EXPECT_EQ(exchange.asked, "notifications/odd");
}

TEST(ExchangeTest, AFindingAboutNoMessageShowsNone) {
  EXPECT_EQ(exchange_of(row_of({{"->", R"({"id":9,"method":"ping"})"}})).sent, "");
  EXPECT_EQ(exchange_of(CheckResult()).got, "");
}

}  // namespace
}  // namespace plumbline::reports
