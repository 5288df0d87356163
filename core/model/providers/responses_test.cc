#include "core/model/providers/responses.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/model/providers/answer_fixture.h"

namespace plumbline::model {
namespace {

const Responses kResponsesDialect;

std::string response_answer(const std::vector<std::string>& events) {
  return heard_of(kResponsesDialect, "text/event-stream", {stream_of(events)}).completed;
}

TEST(ResponsesTest, AConversationIsAListOfItems) {
  Message calls{.role = Role::kAssistant, .text = "Let me look."};
  calls.tool_calls = {{"a", "look", "{\"at\": 1}"}};
  const Prompt prompt{
      .messages = {{.role = Role::kSystem, .text = "Be brief."},
                   {.text = "See", .media = {{"image/png", "aW1n"}, {"application/pdf", "cGRm"}}},
                   calls,
                   {.role = Role::kTool, .text = "seen", .tool_call_id = "a"},
                   {.text = "And?"}}};
  EXPECT_EQ(kResponsesDialect.ask(prompt, "gpt-9", {}).body, parse_json(R"({
      "model": "gpt-9", "stream": true, "store": false, "input": [
      {"role": "system", "content": "Be brief."},
      {"role": "user", "content": [{"type": "input_text", "text": "See"},
        {"type": "input_image", "image_url": "data:image/png;base64,aW1n"},
        {"type": "input_file", "filename": "file.pdf",
         "file_data": "data:application/pdf;base64,cGRm"}]},
      {"role": "assistant", "content": "Let me look."},
      {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{\"at\": 1}"},
      {"type": "function_call_output", "call_id": "a", "output": "seen"},
      {"role": "user", "content": "And?"}]})")
                                                                 .value());
}

TEST(ResponsesTest, AsksWithItsOwnHeadersAndMembers) {
  Prompt prompt{.messages = {{.text = "Hi"}}, .tools = {{"look", "Looks."}}};
  prompt.settings = {
      .temperature = 0.5, .output_tokens_max = 7, .parallel_tool_calls = false, .thinks = true};
  prompt.settings.response_schema = parse_json(R"({"type": "object"})").value();
  const Asking asking =
      kResponsesDialect.ask(prompt, "gpt-9", {.key = "k-1", .organization = "org-1"});
  EXPECT_EQ(asking.path, "/responses");
  EXPECT_EQ(asking.headers.get("Authorization"), "Bearer k-1");
  EXPECT_EQ(asking.headers.get("OpenAI-Organization"), "org-1");
  EXPECT_EQ(asking.body["max_output_tokens"], 7);
  EXPECT_EQ(asking.body["temperature"], 0.5);
  EXPECT_EQ(asking.body["reasoning"]["effort"], "high");
  EXPECT_EQ(asking.body["parallel_tool_calls"], false);
  EXPECT_EQ(asking.body["tools"],
            parse_json(R"([{"type": "function", "name": "look", "description": "Looks.",
                            "parameters": {}, "strict": false}])")
                .value());
  EXPECT_EQ(asking.body["text"]["format"],
            parse_json(R"({"type": "json_schema", "name": "answer", "schema": {"type": "object"},
                           "strict": false})")
                .value());
}

std::string ended(const std::string& type, const std::string& members = "") {
  return R"({"type": "response.)" + type + R"(", "response": {"status": ")" + type + "\"" +
         members + "}}";
}

const std::string kAdded =
    R"({"type": "response.output_item.added", "output_index": 1, "item": {"type": "function_call",
        "id": "fc_1", "call_id": "a", "name": "look", "arguments": ""}})";

TEST(ResponsesTest, ItemsBecomeTextAndCalls) {
  const Heard heard = heard_of(
      kResponsesDialect, "text/event-stream",
      {stream_of(
          {R"({"type": "response.created", "response": {"status": "in_progress"}})",
           R"({"type": "response.output_item.added", "output_index": 0,
               "item": {"type": "message", "role": "assistant", "content": []}})",
           R"({"type": "response.output_text.delta", "output_index": 0, "delta": "Let me "})",
           R"({"type": "response.output_text.delta", "output_index": 0, "delta": "look."})",
           R"({"type": "response.output_text.done", "output_index": 0, "text": "Let me look."})",
           kAdded,
           R"({"type": "response.function_call_arguments.delta", "output_index": 1,
               "delta": "{\"at\":"})",
           R"({"type": "response.function_call_arguments.delta", "output_index": 1,
               "delta": " 1}"})",
           R"({"type": "response.function_call_arguments.done", "output_index": 1,
               "arguments": "{\"at\": 1}"})",
           R"({"type": "response.output_item.done", "output_index": 1, "item": {
               "type": "function_call", "call_id": "a", "name": "look",
               "arguments": "{\"at\": 1}"}})",
           ended("completed", R"(, "output": [{"type": "message", "content": [
               {"type": "output_text", "text": "Let me look."}]}],
               "usage": {"input_tokens": 7, "output_tokens": 3})")})});
  EXPECT_EQ(heard.deltas, R"(Let me look. | a: look({"at": 1}))");
  EXPECT_EQ(heard.completed, R"(tool calls, 7+3: Let me look. | a: look({"at": 1}))");
}

TEST(ResponsesTest, ArgumentsThatDoNotComeInPiecesComeWithTheItem) {
  EXPECT_EQ(response_answer({kAdded, R"({"type": "response.output_item.done", "output_index": 1,
                "item": {"type": "function_call", "call_id": "a", "name": "look",
                         "arguments": "{\"at\": 1}"}})",
                             ended("completed", R"(, "usage": {"input_tokens": 1,
                                                               "output_tokens": 2})")}),
            R"(tool calls, 1+2:  | a: look({"at": 1}))");
}

TEST(ResponsesTest, AnAnswerEndsForItsReason) {
  const std::string text = R"({"type": "response.output_text.delta", "delta": "Hm"})";
  EXPECT_EQ(response_answer({text, ended("incomplete", R"(, "incomplete_details":
                {"reason": "max_output_tokens"})")}),
            "length, about 6+5: Hm");
  EXPECT_EQ(response_answer({text, ended("incomplete", R"(, "incomplete_details":
                {"reason": "content_filter"})")}),
            "refusal, about 6+5: Hm");
  EXPECT_EQ(response_answer(
                {R"({"type": "response.refusal.delta", "delta": "No."})", ended("completed")}),
            "refusal, about 6+5: No.");
  EXPECT_EQ(response_answer({text}), "unavailable: the answer was cut");
  EXPECT_EQ(response_answer({ended("failed", R"(, "error": {"code": "rate_limit_exceeded",
                                                            "message": "slow"})")}),
            "rate limit: slow");
  EXPECT_EQ(response_answer({R"({"type": "error", "code": "server_error", "message": "oh"})"}),
            "unavailable: oh");
  EXPECT_EQ(response_answer({"nonsense"}).substr(0, 47),
            "unreadable: an event of the answer is no JSON: ");
}

TEST(ResponsesTest, AnAnswerInOnePieceIsReadAsWell) {
  EXPECT_EQ(heard_of(kResponsesDialect, "application/json", {R"({"status": "completed", "output": [
                {"type": "reasoning", "summary": []},
                {"type": "message", "content": [{"type": "output_text", "text": "Hi"}]},
                {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"}],
                "usage": {"input_tokens": 1, "output_tokens": 2}})"})
                .completed,
            "tool calls, 1+2: Hi | a: look({})");
  EXPECT_EQ(heard_of(kResponsesDialect, "application/json", {"{}"}).completed,
            "unreadable: the answer has no status of one that has ended");
}

}  // namespace
}  // namespace plumbline::model
