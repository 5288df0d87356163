// Whatever the dialect: the same bytes are the same answer, in whatever pieces they come.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/model/providers/answer_fixture.h"
#include "core/model/providers/chat_completions.h"
#include "core/wire/test_support.h"

namespace plumbline::model {
namespace {

const ChatCompletions kChat;

struct Spoken {
  const Dialect* dialect;
  const char* content_type;
  std::vector<std::string> words;  // Pieces of streams, sensible and not.
};

const std::vector<std::string> kFrames = {"data: ",    "\n\n", "\r\n\r\n",   "\n",
                                          ": quiet\n", "{}",   "event: x\n", "\xEF\xBB\xBF",
                                          "[",         "7",    "null"};

std::vector<std::string> with_frames(const std::vector<std::string>& events) {
  std::vector<std::string> words = kFrames;
  for (const std::string& event : events) {
    words.push_back("data: " + event + "\n\n");
    words.push_back("data: " + event + "\n\n");  // Twice, that more of them make sense.
    words.push_back(event.substr(0, event.size() / 2));
  }
  return words;
}

const std::vector<Spoken>& spoken() {
  static const std::vector<Spoken> all = {
      {&kChat, "text/event-stream",
       with_frames({R"({"choices": [{"index": 0, "delta": {"content": "héllo \u00e9\n"}}]})",
                    R"({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "a",
                "function": {"name": "look", "arguments": "{\"a"}}]}}]})",
                    R"({"choices": [{"delta": {"tool_calls": [{"index": 0,
                "function": {"arguments": "\": 1}"}}]}}]})",
                    R"({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})",
                    R"({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}})",
                    R"({"error": {"message": "busy", "code": "rate_limit_exceeded"}})",
                    "[DONE]"})}};
  return all;
}

RC_GTEST_PROP(AnswerParserProp, TheSameBytesAreTheSameAnswer, ()) {
  const Spoken& one = *rc::gen::elementOf(spoken());
  const std::string bytes = wire::any_of_words(one.words);
  const bool cut = *rc::gen::arbitrary<bool>();
  const std::size_t bytes_max = *rc::gen::element<std::size_t>(40, 300, 1U << 20U);
  const Heard whole = heard_of(*one.dialect, one.content_type, {bytes}, cut, bytes_max);
  RC_ASSERT(heard_of(*one.dialect, one.content_type, wire::cut_anywhere(bytes), cut, bytes_max) ==
            whole);
  RC_ASSERT(heard_of(*one.dialect, one.content_type, wire::cut_to_bytes(bytes), cut, bytes_max) ==
            whole);
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
