#include "core/model/message_json.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::model {

bool operator==(const Media& a, const Media& b) {
  return a.mime_type == b.mime_type && a.data_base64 == b.data_base64;
}
bool operator==(const ToolCall& a, const ToolCall& b) {
  return a.id == b.id && a.name == b.name && a.arguments == b.arguments;
}

namespace {

std::string some_text() { return *rc::gen::string<std::string>(); }

Message some_message() {
  Message out;
  out.role = *rc::gen::element(Role::kSystem, Role::kUser, Role::kAssistant, Role::kTool);
  out.text = some_text();
  for (int left = *rc::gen::inRange(0, 3); left > 0; --left) {
    out.media.push_back({some_text(), some_text()});
  }
  for (int left = *rc::gen::inRange(0, 3); left > 0; --left) {
    out.tool_calls.push_back({some_text(), some_text(), some_text()});
  }
  out.tool_call_id = some_text();
  out.is_error = *rc::gen::arbitrary<bool>();
  return out;
}

RC_GTEST_PROP(MessageJsonProp, NothingIsLost, ()) {
  const Message sent = some_message();
  const Result<Message> read = message_of(to_json(sent));
  RC_ASSERT(read.ok());
  RC_ASSERT(read.value().role == sent.role);
  RC_ASSERT(read.value().text == sent.text);
  RC_ASSERT(read.value().media == sent.media);
  RC_ASSERT(read.value().tool_calls == sent.tool_calls);
  RC_ASSERT(read.value().tool_call_id == sent.tool_call_id);
  RC_ASSERT(read.value().is_error == sent.is_error);
}

TEST(MessageJsonTest, SaysWhatIsWrong) {
  const auto refusal = [](std::string_view text) {
    return message_of(parse_json(text).value()).error().message;
  };
  EXPECT_EQ(refusal("[]"), "a kept message has no role");
  EXPECT_EQ(refusal(R"({"role": "pope", "content": ""})"), "a kept message has no role");
  EXPECT_EQ(refusal(R"({"role": "user"})"), "a kept message has no content");
  EXPECT_EQ(refusal(R"({"role": "user", "content": "", "media": [{"data": ""}]})"),
            "a kept message has no media of a type and data");
  EXPECT_EQ(refusal(R"({"role": "user", "content": "", "toolCalls": {}})"),
            "a kept message has no toolCalls of an id, a name and arguments");
}

}  // namespace
}  // namespace plumbline::model
