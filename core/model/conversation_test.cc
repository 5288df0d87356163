#include "core/model/conversation.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::model {
namespace {

Message calls(std::vector<std::string> ids) {
  Message message{.role = Role::kAssistant};
  for (std::string& id : ids) message.tool_calls.push_back({std::move(id), "list", "{}"});
  return message;
}

Message answer(std::string id) {
  return {.role = Role::kTool, .text = "done", .tool_call_id = std::move(id)};
}

std::string fault(const std::vector<Message>& messages) { return fault_of(messages).value_or(""); }

TEST(ConversationTest, CallsAndAnswersStandTogether) {
  const Message system{.role = Role::kSystem, .text = "be brief"};
  const Message user{.text = "hello"};
  EXPECT_EQ(fault({}), "");
  EXPECT_EQ(fault({system, user, calls({"1", "2"}), answer("2"), answer("1"), user}), "");
  EXPECT_EQ(fault({user, calls({"1"})}), "the call \"1\" has no answer behind it");
  EXPECT_EQ(fault({user, calls({"1"}), user, answer("1")}),
            "the call \"1\" has no answer behind it");
  EXPECT_EQ(fault({calls({"1"}), answer("1"), answer("1")}), "a second answer to the call \"1\"");
  EXPECT_EQ(fault({answer("1")}), "an answer to no call: \"1\"");
  EXPECT_EQ(fault({calls({"1"}), answer("1"), calls({"1"})}), "two calls have the id \"1\"");
  EXPECT_EQ(fault({calls({""})}), "a call of \"list\" without an id");
  EXPECT_EQ(fault({user, system}), "a system message behind others");
}

}  // namespace
}  // namespace plumbline::model
