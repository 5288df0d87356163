#include "scenarios/judge/model_watch.h"

#include <gtest/gtest.h>

namespace plumbline::scenarios {
namespace {

using model::Message;
using model::Role;

Message called(std::vector<std::string> ids) {
  Message out{.role = Role::kAssistant};
  for (std::string& id : ids) out.tool_calls.push_back({std::move(id), "read", "{}"});
  return out;
}

Message answered(std::string id) {
  Message out{.role = Role::kTool};
  out.tool_call_id = std::move(id);
  return out;
}

std::string broken(const std::vector<Message>& messages) {
  ModelWatch watch;
  watch.request_begins("hello there");
  watch.on_prompt({messages});
  std::string ids;
  for (const RunFailure& failure : watch.failures()) ids += failure.check + ": " + failure.message;
  return ids;
}

TEST(ModelWatchTest, AGoodConversationBreaksNothing) {
  EXPECT_EQ(broken({{.role = Role::kSystem},
                    {.text = "hello there"},
                    called({"a", "b"}),
                    answered("b"),
                    answered("a"),
                    {.role = Role::kAssistant}}),
            "");
}

TEST(ModelWatchTest, ACallIsAnsweredExactlyOnceAndAtOnce) {
  const std::string lead = "invariant.model-history: a prompt: ";
  EXPECT_EQ(broken({called({"a"})}), lead + "a call is not answered");
  EXPECT_EQ(broken({called({"a"}), {.text = "hello there"}}),
            lead + "a call is not answered before the next message");
  EXPECT_EQ(broken({called({"a"}), answered("a"), answered("a")}),
            lead + "the call a is answered twice");
  EXPECT_EQ(broken({answered("a")}), lead + "an answer to no call: a");
  EXPECT_EQ(broken({called({"a"}), answered("a"), called({"a"}), answered("a")}),
            lead + "two calls have the id a");
  EXPECT_EQ(broken({{.text = "hello there"}, {.role = Role::kSystem}}),
            lead + "the system speaks in the middle");
}

TEST(ModelWatchTest, TheConversationAtTheEndIsJudgedToo) {
  ModelWatch watch;
  watch.request_ends({{"messages", {{{"role", "assistant"}, {"toolCalls", {{{"id", "a"}}}}}}}});
  ASSERT_EQ(watch.failures().size(), 1U);
  EXPECT_EQ(watch.failures()[0].message, "the conversation at the end: a call is not answered");
}

TEST(ModelWatchTest, RoundsAreBoundedForEachRequestAndLife) {
  ModelWatch watch;
  watch.request_begins("hello there");
  for (int i = 0; i < 24; ++i) watch.on_prompt({});
  EXPECT_TRUE(watch.failures().empty());
  watch.restarted();
  for (int i = 0; i < 24; ++i) watch.on_prompt({});
  EXPECT_TRUE(watch.failures().empty());
  watch.on_prompt({});
  ASSERT_EQ(watch.failures().size(), 1U);
  EXPECT_EQ(watch.failures()[0].check, ModelWatch::kRounds);
}

TEST(ModelWatchTest, NobodyHearsWhatAnotherUserHasSaid) {
  ModelWatch watch;
  watch.keep_apart({"hello there", "my salary is 5"});
  watch.request_begins("hello there");
  watch.on_prompt({{{.text = "hello there"}}});
  EXPECT_TRUE(watch.failures().empty());
  watch.on_prompt({{{.text = "my salary is 5"}, {.text = "hello there"}}});
  ASSERT_EQ(watch.failures().size(), 1U);
  EXPECT_EQ(watch.failures()[0].check, ModelWatch::kPrivacy);
}

}  // namespace
}  // namespace plumbline::scenarios
