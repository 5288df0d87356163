#include "core/model/providers/answer_builder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/model/conversation.h"
#include "core/model/providers/answer_fixture.h"

namespace plumbline::model {
namespace {

RC_GTEST_PROP(AnswerBuilderProp, WhateverIdsAProviderGivesTheConversationStaysValid, ()) {
  const auto any_id = rc::gen::element<std::string>("", "a", "b", "call_1", "call_2", "call_3");
  std::vector<Message> messages;
  const int answers = *rc::gen::inRange(1, 5);
  for (int i = 0; i < answers; ++i) {
    DeltaLog log;
    AnswerBuilder builder({.messages = messages}, &log);
    const int calls = *rc::gen::inRange(0, 4);
    for (int place = 0; place < calls; ++place) builder.call_begins(place % 2, *any_id, "look");
    builder.finish(FinishReason::kStop);
    Completed completed = builder.take();
    Message& message = std::get<Completion>(completed).message;
    RC_ASSERT(log.calls.size() == static_cast<std::size_t>(calls));
    messages.push_back(message);
    for (const ToolCall& call : message.tool_calls) {
      messages.push_back({.role = Role::kTool, .tool_call_id = call.id});
    }
    RC_ASSERT(fault_of(messages) == std::nullopt);
  }
}

TEST(AnswerBuilderTest, ACallIsToldOnceAndNothingIsToldBehindAFailure) {
  DeltaLog log;
  AnswerBuilder builder({}, &log);
  builder.call_begins(0, "a", "look");
  EXPECT_TRUE(builder.call_arguments(0, "{}"));
  EXPECT_TRUE(builder.call_ends(0));
  EXPECT_FALSE(builder.call_ends(0)) << "it is not open any more";
  EXPECT_FALSE(builder.call_arguments(0, "{}"));
  builder.call_begins(1, "b", "");
  builder.finish(FinishReason::kStop);
  builder.text("more");
  EXPECT_EQ(log.calls, std::vector<std::string>{"a: look({})"});
  EXPECT_EQ(log.text, "");
  EXPECT_EQ(shown(builder.take()), "unreadable: a call of no tool by name");
}

}  // namespace
}  // namespace plumbline::model
