#include "core/mcp/client/response_cache.h"

#include <string>

#include <gtest/gtest.h>

#include "core/mcp/protocol/test_values.h"

namespace plumbline::mcp {
namespace {

Json page_for(int ttl_ms) {
  Json page = json(R"({"tools":[]})");
  page["ttlMs"] = ttl_ms;
  return page;
}

TEST(ResponseCacheTest, AResultIsFreshForItsTime) {
  ResponseCache cache(9);
  cache.keep("tools/list", nullptr, page_for(2000), at(1));
  EXPECT_NE(cache.find("tools/list", Json::object(), at(2)), nullptr);
  EXPECT_EQ(cache.find("tools/list", nullptr, at(3)), nullptr);
}

TEST(ResponseCacheTest, OnlyTheSameRequestFindsIt) {
  ResponseCache cache(9);
  cache.keep("tools/list", json(R"({"cursor":"a","_meta":{"x":1}})"), page_for(2000), at(1));
  EXPECT_NE(cache.find("tools/list", json(R"({"cursor":"a"})"), at(2)), nullptr);
  EXPECT_EQ(cache.find("tools/list", json(R"({"cursor":"b"})"), at(2)), nullptr);
  EXPECT_EQ(cache.find("prompts/list", json(R"({"cursor":"a"})"), at(2)), nullptr);
}

TEST(ResponseCacheTest, WhatIsNotToBeKeptIsNot) {
  ResponseCache cache(9);
  for (const int ttl : {0, -5}) cache.keep("tools/list", nullptr, page_for(ttl), at(1));
  cache.keep("tools/list", nullptr, json("{}"), at(1));
  cache.keep("tools/call", nullptr, page_for(2000), at(1));
  ResponseCache none(0);
  none.keep("tools/list", nullptr, page_for(2000), at(1));
  EXPECT_EQ(cache.size() + none.size(), 0U);
}

TEST(ResponseCacheTest, AChangeEndsTheFreshness) {
  ResponseCache cache(9);
  const Json read = json(R"({"contents":[{"uri":"file:///a","text":""}],"ttlMs":9000})");
  cache.keep("resources/read", json(R"({"uri":"file:///a"})"), read, at(1));
  cache.keep("tools/list", nullptr, page_for(9000), at(1));
  cache.hear("notifications/prompts/list_changed", nullptr);
  cache.hear("notifications/resources/updated", json(R"({"uri":"file:///b"})"));
  EXPECT_EQ(cache.size(), 2U);
  cache.hear("notifications/resources/updated", json(R"({"uri":"file:///a/part"})"));
  EXPECT_EQ(cache.find("resources/read", json(R"({"uri":"file:///a"})"), at(1)), nullptr);
  cache.hear("notifications/tools/list_changed", nullptr);
  EXPECT_EQ(cache.find("tools/list", nullptr, at(1)), nullptr);
}

TEST(ResponseCacheTest, TheStalestMakesRoom) {
  ResponseCache cache(2);
  for (const int ttl : {3000, 1000, 2000}) {
    Json params = json("{}");
    params["cursor"] = std::to_string(ttl);
    cache.keep("tools/list", params, page_for(ttl), at(0));
  }
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(cache.find("tools/list", json(R"({"cursor":"1000"})"), at(0)), nullptr);
}

}  // namespace
}  // namespace plumbline::mcp
