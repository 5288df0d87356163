#include "core/model/providers/chat_completions.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/model/providers/answer_fixture.h"

namespace plumbline::model {
namespace {

const ChatCompletions kDialect;

Json body_of(const Prompt& prompt) { return kDialect.ask(prompt, "gpt-9", {}).body; }

// answer_to returns what is read of these events, which end in order.
std::string answer_to(const std::vector<std::string>& events) {
  return heard_of(kDialect, "text/event-stream", {stream_of(events)}).completed;
}

std::string delta(const std::string& members, const std::string& finish = "null") {
  return R"({"choices": [{"index": 0, "delta": {)" + members + R"(}, "finish_reason": )" + finish +
         "}]}";
}

std::string call(const std::string& members) {
  return delta(R"("tool_calls": [{)" + members + "}]");
}

TEST(ChatCompletionsTest, AsksForAStreamThatTellsItsUsage) {
  const Prompt prompt{.messages = {{.role = Role::kSystem, .text = "Be brief."}, {.text = "Hi"}}};
  const Asking asking = kDialect.ask(
      prompt, "gpt-9", {.base = {}, .key = "k-1", .organization = "org-1", .project = "proj-1"});
  EXPECT_EQ(asking.path, "/chat/completions");
  EXPECT_EQ(asking.headers.get("Authorization"), "Bearer k-1");
  EXPECT_EQ(asking.headers.get("OpenAI-Organization"), "org-1");
  EXPECT_EQ(asking.headers.get("OpenAI-Project"), "proj-1");
  EXPECT_EQ(asking.body, parse_json(R"({"model": "gpt-9", "stream": true,
      "stream_options": {"include_usage": true},
      "messages": [{"role": "system", "content": "Be brief."},
                   {"role": "user", "content": "Hi"}]})")
                             .value());
  EXPECT_TRUE(kDialect.ask(prompt, "gpt-9", {}).headers.fields().empty()) << "no key, no header";
}

TEST(ChatCompletionsTest, ToolsAndSettingsAreAskedForAsTheInterfaceHasThem) {
  Prompt prompt{.messages = {{.text = "Hi"}}, .tools = {{"look", "Looks."}, {"go"}}};
  EXPECT_FALSE(body_of(prompt).contains("parallel_tool_calls"));
  prompt.settings = {.temperature = 0.5, .output_tokens_max = 7, .parallel_tool_calls = false};
  prompt.settings.response_schema = parse_json(R"({"type": "object"})").value();
  const Json body = body_of(prompt);
  EXPECT_EQ(body["parallel_tool_calls"], false);
  EXPECT_EQ(body["temperature"], 0.5);
  EXPECT_FALSE(body.contains("reasoning_effort"));
  prompt.settings.thinks = true;
  EXPECT_EQ(body_of(prompt)["reasoning_effort"], "high");
  EXPECT_EQ(body["max_completion_tokens"], 7);
  EXPECT_EQ(body["tools"], parse_json(R"([
      {"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": {}}},
      {"type": "function", "function": {"name": "go", "parameters": {}}}])")
                               .value());
  EXPECT_EQ(body["response_format"],
            parse_json(R"({"type": "json_schema", "json_schema": {"name": "answer",
                           "schema": {"type": "object"}, "strict": false}})")
                .value());
  prompt.settings.response_schema =
      parse_json(R"({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"],
                     "additionalProperties": false})")
          .value();
  EXPECT_EQ(body_of(prompt)["response_format"]["json_schema"]["strict"], true);
}

TEST(ChatCompletionsTest, WhatToolsShowStandsBehindTheirResults) {
  const Media image{"image/png", "aW1n"};
  Message calls{.role = Role::kAssistant};
  calls.tool_calls = {{"a", "look", "{}"}, {"b", "look", "{\"at\": 1}"}};
  const Prompt prompt{
      .messages = {{.text = "What is it?", .media = {image, {"audio/mpeg", "c25k"}}},
                   calls,
                   {.role = Role::kTool, .text = "seen", .media = {image}, .tool_call_id = "a"},
                   {.role = Role::kTool, .text = "none", .tool_call_id = "b"},
                   {.text = "And?"}}};
  EXPECT_EQ(body_of(prompt)["messages"], parse_json(R"([
      {"role": "user", "content": [{"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aW1n"}},
        {"type": "input_audio", "input_audio": {"data": "c25k", "format": "mp3"}}]},
      {"role": "assistant", "content": null, "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}},
        {"id": "b", "type": "function", "function": {"name": "look", "arguments": "{\"at\": 1}"}}]},
      {"role": "tool", "tool_call_id": "a", "content": "seen"},
      {"role": "tool", "tool_call_id": "b", "content": "none"},
      {"role": "user", "content": [{"type": "text", "text": "What the call a returned:"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aW1n"}}]},
      {"role": "user", "content": "And?"}])")
                                             .value());
  EXPECT_TRUE(kDialect.takes("image/webp"));
  EXPECT_FALSE(kDialect.takes("audio/ogg"));
  EXPECT_FALSE(kDialect.takes("application/pdf"));
}

TEST(ChatCompletionsTest, TextComesInPieces) {
  const std::vector<std::string> events = {
      delta(R"("role": "assistant", "content": "")"),
      delta(R"("content": "Hel")"),
      delta(R"("content": "lo")"),
      delta("", R"("stop")"),
      R"({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}})",
      "[DONE]"};
  const Heard heard = heard_of(kDialect, "text/event-stream", {stream_of(events)});
  EXPECT_EQ(heard.deltas, "Hello");
  EXPECT_EQ(heard.completed, "stop, 9+2: Hello");
}

TEST(ChatCompletionsTest, CallsComeByTheirIndexAndAreToldWhole) {
  const std::vector<std::string> events = {
      call(R"("index": 0, "id": "a", "function": {"name": "look", "arguments": ""})"),
      call(R"("index": 1, "id": "b", "function": {"name": "go", "arguments": "{\"to"})"),
      call(R"("index": 0, "function": {"arguments": "{\"at\": 1}"})"),
      call(R"("index": 1, "function": {"arguments": "\": 2}"})"),
      delta("", R"("tool_calls")"),
      "[DONE]"};
  const Heard heard = heard_of(kDialect, "text/event-stream", {stream_of(events)});
  EXPECT_EQ(heard.deltas, R"( | a: look({"at": 1}) | b: go({"to": 2}))");
  EXPECT_EQ(heard.completed, R"(tool calls, about 6+20:  | a: look({"at": 1}) | b: go({"to": 2}))");
}

TEST(ChatCompletionsTest, WhatCompatibleServersLeaveOutIsMadeGood) {
  EXPECT_EQ(answer_to({call(R"("id": "a", "function": {"name": "look"})"),
                       call(R"("id": "b", "function": {"name": "go", "arguments": {"x": 1}})"),
                       delta("", R"("stop")")}),
            R"(tool calls, about 6+17:  | a: look({}) | b: go({"x":1}))")
      << "no index, no arguments or an object of them, and \"stop\"";
  EXPECT_EQ(answer_to({call(R"("index": 0, "function": {"name": "look"})"), "[DONE]"}),
            "tool calls, about 6+10:  | call_1: look({})")
      << "no id, no finish_reason";
  EXPECT_EQ(answer_to({delta(R"("content": "Hm")", R"("eos")")}), "stop, about 6+5: Hm");
}

TEST(ChatCompletionsTest, AnAnswerEndsForItsReason) {
  EXPECT_EQ(answer_to({delta(R"("content": "Hm")", R"("length")")}), "length, about 6+5: Hm");
  EXPECT_EQ(answer_to({delta("", R"("content_filter")")}), "refusal, about 6+4: ");
  EXPECT_EQ(answer_to({delta(R"("refusal": "No.")"), delta("", R"("stop")")}),
            "refusal, about 6+5: No.");
  EXPECT_EQ(answer_to({delta(R"("content": "Hm")")}), "unavailable: the answer was cut");
}

TEST(ChatCompletionsTest, WhatIsNotOfTheInterfaceIsUnreadable) {
  EXPECT_EQ(answer_to({"{\"choices\": ["}).substr(0, 45),
            "unreadable: a chunk of the answer is no JSON:");
  EXPECT_EQ(answer_to({"7"}), "unreadable: the answer is a number, expected an object");
  EXPECT_EQ(answer_to({call(R"("index": 3, "function": {"arguments": "{}"})")}),
            "unreadable: a piece of a call that has not begun");
}

TEST(ChatCompletionsTest, AnErrorWithinAStreamKeepsItsMeaning) {
  EXPECT_EQ(answer_to({R"({"error": {"message": "slow\ndown", "code": "rate_limit_exceeded"}})"}),
            "rate limit: slow down");
  EXPECT_EQ(answer_to({R"({"error": {"message": "oh", "type": "server_error", "code": null}})"}),
            "unavailable: oh");
  EXPECT_EQ(answer_to({R"({"error": "out of memory"})"}), "unavailable: out of memory");
}

TEST(ChatCompletionsTest, AServerThatDoesNotStreamIsReadAsWell) {
  EXPECT_EQ(heard_of(kDialect, "application/json; charset=utf-8", {R"({"choices": [{"index": 0,
                "message": {"role": "assistant", "content": "Hi", "refusal": null, "tool_calls": [
                  {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}},
                  {"id": "b", "type": "function", "function": {"name": "go", "arguments": "{}"}}]},
                "finish_reason": "tool_calls"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 2}})"})
                .completed,
            "tool calls, 1+2: Hi | a: look({}) | b: go({})");
  EXPECT_EQ(heard_of(kDialect, "application/json", {"{}"}).completed,
            "unreadable: the answer has no choices[0].finish_reason");
}

}  // namespace
}  // namespace plumbline::model
