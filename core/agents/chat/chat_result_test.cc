// What the model of the chat is told of a result: all that is in it.

#include "core/agents/chat/chat_result.h"

#include <string_view>

#include <gtest/gtest.h>

#include "core/connector/connector_fixture.h"

namespace plumbline::agents::chat {
namespace {

model::Message answered(std::string_view result, const ChatLimits& limits = {}) {
  return answer_of("1", connector::json(result), limits);
}

TEST(ChatResultTest, NothingOfAResultIsLost) {
  EXPECT_EQ(answered(R"({"content": [{"type": "text", "text": "Done. See there."}],
                         "structuredContent": {"files": ["a.txt"]}})")
                .text,
            "Done. See there.\n{\"files\":[\"a.txt\"]}");
  EXPECT_EQ(answered(R"({"content": [{"type": "text", "text": "{\"n\": 1}"}],
                         "structuredContent": {"n": 1}})")
                .text,
            "{\"n\": 1}");
  const model::Message failed =
      answered(R"({"isError": true, "content": [], "structuredContent": {"reason": "disk full"}})");
  EXPECT_TRUE(failed.is_error);
  EXPECT_EQ(failed.text, R"({"reason":"disk full"})");
  const model::Message mixed = answered(R"({"content": [
      {"type": "image", "mimeType": "image/png", "data": "AAAA"},
      {"type": "resource_link", "name": "plan", "uri": "file:///p"},
      {"type": "resource",
       "resource": {"uri": "file:///z", "mimeType": "application/zip", "blob": "AA=="}},
      {"type": "resource",
       "resource": {"uri": "file:///t", "mimeType": "text/csv", "blob": "YSxi"}},
      {"type": "hologram"}]})");
  EXPECT_EQ(mixed.text,
            "plan: file:///p\n[binary content of type application/zip at file:///z]\na,b\n"
            "[a content item has the type \"hologram\", which MCP does not know]");
  ASSERT_EQ(mixed.media.size(), 1U);
  EXPECT_EQ(mixed.media[0].mime_type, "image/png");
}

TEST(ChatResultTest, WhatTheLimitsLeaveOutIsNamed) {
  ChatLimits limits;
  limits.media_bytes_max = 3;
  const model::Message answer = answered(
      R"({"content": [{"type": "audio", "mimeType": "audio/wav", "data": "AAAA"}]})", limits);
  EXPECT_TRUE(answer.media.empty());
  EXPECT_EQ(answer.text, "[audio of type audio/wav left out: too large]");
}

}  // namespace
}  // namespace plumbline::agents::chat
