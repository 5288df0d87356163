#include "fakes/model/chat_request.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::fakes {
namespace {

using model::Role;

ChatRequest read(std::string_view body) {
  Result<ChatRequest, std::string> request = read_chat_request(parse_json(body).value());
  EXPECT_TRUE(request.ok()) << request.error();
  return std::move(request).value();
}

// refusal_of_request returns what is wrong with a request that has these messages, and members
// beside them.
std::string refusal_of_request(const std::string& messages, const std::string& members = "") {
  const Result<ChatRequest, std::string> request = read_chat_request(
      parse_json(R"({"model": "m", "messages": )" + messages + members + "}").value());
  return request.ok() ? "" : request.error();
}

constexpr const char* kHello = R"([{"role": "user", "content": "hello"}])";

TEST(ChatRequestTest, ReadsAWholeConversation) {
  const ChatRequest request = read(R"({"model": "m", "messages": [
      {"role": "developer", "content": "Be brief."},
      {"role": "user", "content": [
        {"type": "text", "text": "See "}, {"type": "text", "text": "this"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aW1n"}},
        {"type": "image_url", "image_url": {"url": "https://elsewhere.example/x.png"}},
        {"type": "input_audio", "input_audio": {"format": "mp3", "data": "c25k"}}]},
      {"role": "assistant", "content": null, "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{"}}]},
      {"role": "tool", "tool_call_id": "a", "content": "seen"}]})");
  EXPECT_EQ(request.model, "m");
  const std::vector<model::Message>& messages = request.prompt.messages;
  ASSERT_EQ(messages.size(), 4U);
  EXPECT_EQ(messages[0].role, Role::kSystem);
  EXPECT_EQ(messages[1].text, "See this");
  ASSERT_EQ(messages[1].media.size(), 2U) << "what is at a URL is nobody's to fetch";
  EXPECT_EQ(messages[1].media[0].mime_type, "image/png");
  EXPECT_EQ(messages[1].media[0].data_base64, "aW1n");
  EXPECT_EQ(messages[1].media[1].mime_type, "audio/mp3");
  EXPECT_EQ(messages[2].tool_calls.at(0).arguments, "{");
  EXPECT_EQ(messages[3].tool_call_id, "a");
}

TEST(ChatRequestTest, ReadsToolsAndSettings) {
  const ChatRequest request = read(R"({"model": "m", "messages": [{"role": "user", "content": "x"}],
      "tools": [{"type": "function", "function": {"name": "look", "description": "Looks.",
                 "parameters": {"type": "object"}}}],
      "temperature": 0.5, "max_tokens": 3, "max_completion_tokens": 5, "parallel_tool_calls": false,
      "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "string"}}}})");
  EXPECT_EQ(request.prompt.tools[0].name, "look");
  EXPECT_EQ(request.prompt.tools[0].input_schema, Json({{"type", "object"}}));
  EXPECT_EQ(request.prompt.settings.temperature, 0.5);
  EXPECT_EQ(request.prompt.settings.output_tokens_max, 5);
  EXPECT_EQ(request.prompt.settings.response_schema, Json({{"type", "string"}}));
  EXPECT_FALSE(request.prompt.settings.parallel_tool_calls);
  EXPECT_FALSE(request.stream);
  EXPECT_TRUE(request.wants_usage);
}

TEST(ChatRequestTest, UsageOfAStreamIsToldToWhoAsks) {
  const std::string start = std::string(R"({"model": "m", "messages": )") + kHello;
  EXPECT_FALSE(read(start + R"(, "stream": true})").wants_usage);
  EXPECT_TRUE(
      read(start + R"(, "stream": true, "stream_options": {"include_usage": true}})").wants_usage);
}

TEST(ChatRequestTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(read_chat_request(Json::array()).error(), "the body: expected an object");
  EXPECT_EQ(refusal_of_request(kHello), "");
  EXPECT_EQ(refusal_of_request("[]"), "messages: expected an array of at least one");
  EXPECT_EQ(refusal_of_request(R"([{"role": "user"}])"),
            "messages[0].content: expected a string or parts");
  EXPECT_EQ(refusal_of_request(R"([{"role": "user", "content": [{"type": "video"}]}])"),
            "messages[0].content[0].type: expected text, image_url or input_audio");
  EXPECT_EQ(refusal_of_request(R"([{"role": "assistant", "tool_calls": {}}])"),
            "messages[0].tool_calls: expected an array");
  EXPECT_EQ(refusal_of_request(R"([{"role": "assistant", "tool_calls": [{"id": "a"}]}])"),
            "messages[0].tool_calls[0].function: expected an object");
  EXPECT_EQ(refusal_of_request(R"([{"role": "tool", "content": "x"}])"),
            "messages[0].tool_call_id: expected a string");
  EXPECT_EQ(refusal_of_request(kHello, R"(, "tools": [{"type": "function"}])"),
            "tools[0].function: expected an object");
  EXPECT_EQ(refusal_of_request(kHello, R"(, "max_tokens": "many")"),
            "max_tokens: expected a whole number");
}

}  // namespace
}  // namespace plumbline::fakes
