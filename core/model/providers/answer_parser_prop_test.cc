// Whatever the dialect: the same bytes are the same answer, in whatever pieces they come.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/model/providers/answer_fixture.h"
#include "core/model/providers/dialects.h"
#include "core/wire/test_support.h"

namespace plumbline::model {
namespace {

const Dialect& kChat = dialect_of(Interface::kChatCompletions);

struct Spoken {
  const Dialect* dialect;
  const char* content_type;
  std::string good;                // A stream that is whole.
  std::vector<std::string> words;  // Pieces of streams, sensible and not.
};

const std::vector<std::string> kFrames = {"data: ",    "\n\n", "\r\n\r\n",   "\n",
                                          ": quiet\n", "{}",   "event: x\n", "\xEF\xBB\xBF",
                                          "[",         "7",    "null"};

std::vector<std::string> with_frames(const std::vector<std::string>& events) {
  std::vector<std::string> words = kFrames;
  for (const std::string& event : events) {
    words.push_back(stream_of({event}));
    words.push_back(stream_of({event}));  // Twice, that more of them make sense.
    words.push_back(event.substr(0, event.size() / 2));
  }
  return words;
}

Spoken in_events(Interface interface, const std::vector<std::string>& good) {
  std::vector<std::string> events = good;
  events.emplace_back(R"({"error": {"message": "busy", "code": "rate_limit_exceeded"}})");
  events.emplace_back(R"({"type": "error", "error": {"type": "overloaded_error"}})");
  return {&dialect_of(interface), "text/event-stream", stream_of(good), with_frames(events)};
}

const std::vector<Spoken>& spoken() {
  static const std::vector<Spoken> all = {
      in_events(
          Interface::kChatCompletions,
          {R"({"choices": [{"index": 0, "delta": {"content": "héllo \u00e9\n"}}]})",
           R"({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "a",
                "function": {"name": "look", "arguments": "{\"a"}}]}}]})",
           R"({"choices": [{"delta": {"tool_calls": [{"index": 0,
                "function": {"arguments": "\": 1}"}}]}}]})",
           R"({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})",
           R"({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}})", "[DONE]"}),
      in_events(Interface::kResponses,
                {R"({"type": "response.output_text.delta", "delta": "héllo"})",
                 R"({"type": "response.output_item.added", "output_index": 1, "item":
                        {"type": "function_call", "call_id": "a", "name": "look"}})",
                 R"({"type": "response.function_call_arguments.delta", "output_index": 1,
                        "delta": "{}"})",
                 R"({"type": "response.output_item.done", "output_index": 1, "item":
                        {"type": "function_call", "call_id": "a", "name": "look"}})",
                 R"({"type": "response.completed", "response": {"status": "completed",
                        "usage": {"input_tokens": 1, "output_tokens": 2}}})"}),
      in_events(Interface::kMessages,
                {R"({"type": "content_block_start", "index": 0,
                        "content_block": {"type": "text", "text": "héllo"}})",
                 R"({"type": "content_block_start", "index": 1, "content_block":
                        {"type": "tool_use", "id": "a", "name": "look"}})",
                 R"({"type": "content_block_delta", "index": 1, "delta":
                        {"type": "input_json_delta", "partial_json": "{}"}})",
                 R"({"type": "content_block_stop", "index": 1})",
                 R"({"type": "message_delta", "delta": {"stop_reason": "tool_use"}})",
                 R"({"type": "message_stop"})"}),
      {&dialect_of(Interface::kOllama),
       "application/x-ndjson",
       "{\"message\": {\"content\": \"h\\u00e9llo\"}}\n{\"message\": {\"content\": \"more\"}}\r\n"
       "{\"message\": {\"tool_calls\": [{\"function\": {\"name\": \"look\"}}]}}\n\n"
       "{\"done\": true, \"eval_count\": 3}",
       {R"({"message": {"content": "héllo"}})", "\n", "\n", "\r\n", "7\n", "{", "}",
        "{\"message\": {\"tool_calls\": [{\"function\": {\"name\": \"look\"}}]}}\r\n",
        "{\"message\": {\"content\": \"more\"}}\n", "{\"done\": true, \"eval_count\": 3}\n",
        "{\"done\": true}", "{\"error\": \"oh\"}\n"}}};
  return all;
}

RC_GTEST_PROP(AnswerParserProp, TheSameBytesAreTheSameAnswer, ()) {
  const Spoken& one = *rc::gen::resize(100, rc::gen::elementOf(spoken()));
  const bool good = *rc::gen::arbitrary<bool>();
  const std::string bytes = good ? one.good : wire::any_of_words(one.words);
  const bool cut = *rc::gen::arbitrary<bool>();
  const std::size_t bytes_max = *rc::gen::element<std::size_t>(40, 300, 1U << 20U);
  RC_TAG(std::string(one.dialect->name()));
  const Heard whole = heard_of(*one.dialect, one.content_type, {bytes}, cut, bytes_max);
  RC_CLASSIFY(whole.completed.starts_with("stop") || whole.completed.starts_with("tool"), "whole");
  RC_ASSERT(heard_of(*one.dialect, one.content_type, wire::cut_anywhere(bytes), cut, bytes_max) ==
            whole);
  RC_ASSERT(heard_of(*one.dialect, one.content_type, wire::cut_to_bytes(bytes), cut, bytes_max) ==
            whole);
}

TEST(AnswerParserTest, TheGoodStreamsAreGood) {
  for (const Spoken& one : spoken()) {
    const Heard heard = heard_of(*one.dialect, one.content_type, {one.good});
    EXPECT_TRUE(heard.completed.starts_with("tool calls, ")) << heard.completed;
  }
}

TEST(AnswerParserTest, AnAnswerThatHasNoEndIsStoppedAtItsBound) {
  const std::string event = stream_of({R"({"choices": [{"delta": {"content": "more"}}]})"});
  std::string bytes;
  while (bytes.size() < 1'000) bytes += event;
  const Heard heard = heard_of(kChat, "text/event-stream", {bytes}, false, 200);
  EXPECT_EQ(heard.completed, "unreadable: the answer has more than 200 bytes");
  EXPECT_EQ(heard.deltas, "moremoremore");
}

}  // namespace
}  // namespace plumbline::model
