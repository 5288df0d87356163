#include "core/rpc/legible_answer.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::rpc {
namespace {

TEST(LegibleAnswerTest, ReadsTheIdAroundWhatIsNotUtf8WhereverItStands) {
  EXPECT_EQ(legible_answer("{\"id\":3,\"result\":{\"text\":\"\xff\xfe\"}}"), RpcId(3));
  EXPECT_EQ(legible_answer("{\"result\":{\"a\":[{\"b\":\"}\\\"\xff\"}]},\"id\" : \"k-7\" }"),
            RpcId(std::string("k-7")));
  EXPECT_EQ(legible_answer(R"({"error":{"code":-1,"message":"x"},"result":1,"id":9,,})"), RpcId(9));
}

TEST(LegibleAnswerTest, ATextMayBreakOffAnywhereAndTellsWhatCameBefore) {
  const std::string whole = R"({"id":12,"jsonrpc":"2.0","result":{"content":[{"text":"a\"b"}]}})";
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    const std::optional<RpcId> id = legible_answer(std::string_view(whole).substr(0, cut));
    EXPECT_EQ(id.has_value(), cut > whole.find("result\":") + 8) << cut;
    if (id) {
      EXPECT_EQ(*id, RpcId(12));
    }
  }
}

TEST(LegibleAnswerTest, AnIdThatBreaksOffIsNone) {
  const std::string whole = R"({"result":1,"id":12})";
  EXPECT_EQ(legible_answer(whole), RpcId(12));
  EXPECT_FALSE(legible_answer(whole.substr(0, whole.size() - 1)).has_value());
  EXPECT_FALSE(legible_answer(whole.substr(0, whole.size() - 2)).has_value());
}

TEST(LegibleAnswerTest, WhatIsNoAnswerNamesNobody) {
  for (const char* text :
       {"", "  ", "7", "[{\"id\":3,\"result\":1}]", "log: {\"id\":3,\"result\":1}", R"({"id":3})",
        R"({"id":3,"method":"ping","result":1})", R"({"result":1,"id":null})",
        R"({"result":1,"id":[3]})", R"({"result":1,"id":1.5})", R"({"x":{"id":3,"result":1}})",
        "{\"id\":\"\xff\",\"result\":1}"}) {
    EXPECT_FALSE(legible_answer(text).has_value()) << text;
  }
}

TEST(LegibleAnswerTest, NestingCostsNoStack) {
  const std::string deep = "{\"result\":" + std::string(4'000'000, '[') + ",\"id\":3}";
  EXPECT_FALSE(legible_answer(deep).has_value());
}

}  // namespace
}  // namespace plumbline::rpc
