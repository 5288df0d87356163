#include "core/model/providers/ollama.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/model/providers/answer_fixture.h"

namespace plumbline::model {
namespace {

const Ollama kOllamaDialect;

// lines_answer returns what is read of these lines.
Heard lines_answer(const std::vector<std::string>& lines) {
  std::string bytes;
  for (std::string line : lines) {
    std::ranges::replace(line, '\n', ' ');  // Those that are written in several here.
    bytes += line + "\n";
  }
  return heard_of(kOllamaDialect, "application/x-ndjson", {bytes});
}

TEST(OllamaTest, AsksAsItsServerWantsIt) {
  Message calls{.role = Role::kAssistant};
  calls.tool_calls = {{"a", "look", "{\"at\": 1}"}};
  Prompt prompt{.messages = {{.role = Role::kSystem, .text = "Be brief."},
                             {.text = "See", .media = {{"image/png", "aW1n"}}},
                             calls,
                             {.role = Role::kTool, .text = "seen", .tool_call_id = "a"}},
                .tools = {{"look"}}};
  prompt.settings = {.temperature = 0.5, .output_tokens_max = 7, .thinks = true};
  prompt.settings.response_schema = parse_json(R"({"type": "object"})").value();
  const Asking asking = kOllamaDialect.ask(prompt, "qwen", {.window_tokens = 9'000});
  EXPECT_EQ(asking.path, "/api/chat");
  EXPECT_TRUE(asking.headers.fields().empty());
  EXPECT_EQ(asking.body, parse_json(R"({"model": "qwen", "stream": true, "messages": [
      {"role": "system", "content": "Be brief."},
      {"role": "user", "content": "See", "images": ["aW1n"]},
      {"role": "assistant", "content": "",
       "tool_calls": [{"function": {"name": "look", "arguments": {"at": 1}}}]},
      {"role": "tool", "content": "seen", "tool_name": "look"}],
      "tools": [{"type": "function", "function": {"name": "look", "parameters": {}}}],
      "format": {"type": "object"}, "think": true,
      "options": {"temperature": 0.5, "num_predict": 7, "num_ctx": 9000}})")
                             .value());
  EXPECT_FALSE(kOllamaDialect.takes("audio/wav"));
}

TEST(OllamaTest, LinesBecomeTextAndCalls) {
  const Heard heard = lines_answer(
      {R"({"message": {"role": "assistant", "content": "", "thinking": "hm"}, "done": false})",
       R"({"message": {"role": "assistant", "content": "Let me "}, "done": false})",
       R"({"message": {"role": "assistant", "content": "look."}, "done": false})",
       R"({"message": {"role": "assistant", "content": "", "tool_calls": [
           {"function": {"name": "look", "arguments": {"at": 1}}},
           {"id": "b", "function": {"name": "go"}}]}, "done": false})",
       R"({"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop",
           "prompt_eval_count": 7, "eval_count": 3})"});
  EXPECT_EQ(heard.deltas, R"(Let me look. | call_1: look({"at":1}) | b: go({}))");
  EXPECT_EQ(heard.completed,
            R"(tool calls, 7+3: Let me look. | call_1: look({"at":1}) | b: go({}))");
}

TEST(OllamaTest, AnAnswerEndsForItsReason) {
  const std::string text = R"({"message": {"content": "Hm"}, "done": false})";
  EXPECT_EQ(lines_answer({text, R"({"done": true, "done_reason": "length"})"}).completed,
            "length, about 6+5: Hm");
  EXPECT_EQ(lines_answer({text}).completed, "unavailable: the answer was cut");
  EXPECT_EQ(lines_answer({text, R"({"error": "out of memory"})"}).completed,
            "unavailable: out of memory");
  EXPECT_EQ(lines_answer({"nonsense"}).completed.substr(0, 44),
            "unreadable: a line of the answer is no JSON:");
}

TEST(OllamaTest, TheLastLineNeedNotEndInOne) {
  const std::string line = R"({"message": {"content": "Hm"}, "done": true})";
  EXPECT_EQ(heard_of(kOllamaDialect, "application/x-ndjson", {line}).completed,
            "stop, about 6+5: Hm");
  EXPECT_EQ(heard_of(kOllamaDialect, "application/json", {line}).completed, "stop, about 6+5: Hm");
  EXPECT_EQ(heard_of(kOllamaDialect, "application/json", {"{}"}).completed,
            "unreadable: the answer is not \"done\"");
}

}  // namespace
}  // namespace plumbline::model
