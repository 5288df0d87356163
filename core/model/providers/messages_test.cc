#include "core/model/providers/messages.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/model/providers/answer_fixture.h"

namespace plumbline::model {
namespace {

const Messages kMessagesDialect;

std::string message_answer(const std::vector<std::string>& events) {
  return heard_of(kMessagesDialect, "text/event-stream", {stream_of(events)}).completed;
}

TEST(MessagesTest, TheUserAndTheAssistantSpeakInTurns) {
  Message calls{.role = Role::kAssistant, .text = "Let me look."};
  calls.tool_calls = {{"a", "look", "{\"at\": 1}"}, {"b", "look", "nonsense"}};
  const Prompt prompt{
      .messages = {{.role = Role::kSystem, .text = "Be brief."},
                   {.role = Role::kSystem, .text = "Be kind."},
                   {.text = "See", .media = {{"image/png", "aW1n"}, {"application/pdf", "cGRm"}}},
                   calls,
                   {.role = Role::kTool, .text = "seen", .tool_call_id = "a"},
                   {.role = Role::kTool, .tool_call_id = "b", .is_error = true},
                   {.text = "And?"},
                   {.role = Role::kAssistant},
                   {.text = "Well?"}}};
  const Json body = kMessagesDialect.ask(prompt, "claude-9", {}).body;
  EXPECT_EQ(body, parse_json(R"({"model": "claude-9", "stream": true, "max_tokens": 4096,
      "system": "Be brief.\n\nBe kind.", "messages": [
      {"role": "user", "content": [{"type": "text", "text": "See"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aW1n"}},
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf",
                                        "data": "cGRm"}}]},
      {"role": "assistant", "content": [{"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "a", "name": "look", "input": {"at": 1}},
        {"type": "tool_use", "id": "b", "name": "look", "input": {"arguments_text": "nonsense"}}]},
      {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "seen"}]},
        {"type": "tool_result", "tool_use_id": "b", "is_error": true},
        {"type": "text", "text": "And?"}, {"type": "text", "text": "Well?"}]}]})")
                      .value());
}

TEST(MessagesTest, AsksWithItsOwnHeadersAndMembers) {
  Prompt prompt{.messages = {{.text = "Hi"}}, .tools = {{"look", "Looks."}}};
  prompt.settings = {.temperature = 0.5, .output_tokens_max = 7, .parallel_tool_calls = false};
  prompt.settings.response_schema = parse_json(R"({"type": "object"})").value();
  const Asking asking = kMessagesDialect.ask(prompt, "claude-9", {.key = "k-1"});
  EXPECT_EQ(asking.path, "/messages");
  EXPECT_EQ(asking.headers.get("x-api-key"), "k-1");
  EXPECT_EQ(asking.headers.get("anthropic-version"), "2023-06-01");
  EXPECT_EQ(asking.body["max_tokens"], 7);
  EXPECT_EQ(asking.body["temperature"], 0.5);
  EXPECT_EQ(asking.body["tools"], parse_json(R"([{"name": "look", "description": "Looks.",
                                      "input_schema": {"type": "object"}}])")
                                      .value());
  EXPECT_EQ(asking.body["tool_choice"],
            parse_json(R"({"type": "auto", "disable_parallel_tool_use": true})").value());
  EXPECT_EQ(asking.body["output_config"]["format"],
            parse_json(R"({"type": "json_schema", "schema": {"type": "object"}})").value());
}

TEST(MessagesTest, ThinkingIsAskedForWhereItCanBe) {
  Prompt prompt{.messages = {{.text = "Hi"}}};
  prompt.settings = {.temperature = 0.5, .thinks = true};
  const Json body = kMessagesDialect.ask(prompt, "claude-9", {}).body;
  EXPECT_EQ(body["thinking"], Json({{"type", "enabled"}, {"budget_tokens", 2'048}}));
  EXPECT_FALSE(body.contains("temperature"));
  prompt.settings.output_tokens_max = 2'000;
  EXPECT_FALSE(kMessagesDialect.ask(prompt, "claude-9", {}).body.contains("thinking"));
  prompt.settings.output_tokens_max.reset();
  prompt.tools = {{"look"}};
  EXPECT_FALSE(kMessagesDialect.ask(prompt, "claude-9", {}).body.contains("thinking"));
}

const std::vector<std::string> kToolUse = {
    R"({"type": "message_start", "message": {"usage": {"input_tokens": 5, "output_tokens": 1,
        "cache_creation_input_tokens": 2, "cache_read_input_tokens": 3}}})",
    R"({"type": "content_block_start", "index": 0,
        "content_block": {"type": "thinking", "thinking": ""}})",
    R"({"type": "content_block_delta", "index": 0,
        "delta": {"type": "thinking_delta", "thinking": "hm"}})",
    R"({"type": "content_block_stop", "index": 0})",
    R"({"type": "ping"})",
    R"({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}})",
    R"({"type": "content_block_delta", "index": 1,
        "delta": {"type": "text_delta", "text": "Let me look."}})",
    R"({"type": "content_block_stop", "index": 1})",
    R"({"type": "content_block_start", "index": 2,
        "content_block": {"type": "tool_use", "id": "a", "name": "look", "input": {}}})",
    R"({"type": "content_block_delta", "index": 2,
        "delta": {"type": "input_json_delta", "partial_json": ""}})",
    R"({"type": "content_block_delta", "index": 2,
        "delta": {"type": "input_json_delta", "partial_json": "{\"at\":"}})",
    R"({"type": "content_block_delta", "index": 2,
        "delta": {"type": "input_json_delta", "partial_json": " 1}"}})",
    R"({"type": "content_block_stop", "index": 2})",
    R"({"type": "content_block_start", "index": 3,
        "content_block": {"type": "tool_use", "id": "b", "name": "go", "input": {}}})",
    R"({"type": "content_block_stop", "index": 3})",
    R"({"type": "message_delta", "delta": {"stop_reason": "tool_use"},
        "usage": {"output_tokens": 9}})",
    R"({"type": "message_stop"})"};

TEST(MessagesTest, BlocksBecomeTextAndCalls) {
  const Heard heard = heard_of(kMessagesDialect, "text/event-stream", {stream_of(kToolUse)});
  EXPECT_EQ(heard.deltas, R"(Let me look. | a: look({"at": 1}) | b: go({}))");
  EXPECT_EQ(heard.completed, R"(tool calls, 10+9: Let me look. | a: look({"at": 1}) | b: go({}))");
}

std::string stopped(const std::string& reason) {
  const std::string told =
      message_answer({R"({"type": "message_delta", "delta": {"stop_reason": ")" + reason + "\"}}"});
  return told.substr(0, told.find(','));
}

TEST(MessagesTest, AnAnswerEndsForItsReason) {
  EXPECT_EQ(stopped("end_turn"), "stop");
  EXPECT_EQ(stopped("stop_sequence"), "stop");
  EXPECT_EQ(stopped("max_tokens"), "length");
  EXPECT_EQ(stopped("refusal"), "refusal");
  std::vector<std::string> cut = kToolUse;
  cut.resize(cut.size() - 2);
  EXPECT_EQ(message_answer(cut), "unavailable: the answer was cut");
}

TEST(MessagesTest, ErrorsWithinAStreamAndNonsense) {
  EXPECT_EQ(message_answer({R"({"type": "error", "error": {"type": "overloaded_error",
                                "message": "Overloaded"}})"}),
            "unavailable: Overloaded");
  EXPECT_EQ(message_answer({R"({"type": "error", "error": {"type": "rate_limit_error",
                                "message": "slow"}})"}),
            "rate limit: slow");
  EXPECT_EQ(message_answer({"{"}).substr(0, 46), "unreadable: an event of the answer is no JSON:");
  EXPECT_EQ(message_answer({R"({"type": "content_block_delta", "index": 4,
                                "delta": {"type": "input_json_delta", "partial_json": "{"}})"}),
            "unreadable: a piece of a call that has not begun");
}

TEST(MessagesTest, AnAnswerInOnePieceIsReadAsWell) {
  EXPECT_EQ(heard_of(kMessagesDialect, "application/json", {R"({"type": "message", "content": [
                {"type": "text", "text": "Hi"},
                {"type": "tool_use", "id": "a", "name": "look", "input": {"at": 1}}],
                "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 2}})"})
                .completed,
            R"(tool calls, 1+2: Hi | a: look({"at":1}))");
  EXPECT_EQ(heard_of(kMessagesDialect, "application/json", {"{}"}).completed,
            "unreadable: the answer has no stop_reason");
}

}  // namespace
}  // namespace plumbline::model
