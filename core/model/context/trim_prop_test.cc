#include "core/model/context/trim.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/model/context/summary.h"
#include "core/model/conversation.h"
#include "core/model/tokens.h"
#include "fakes/model/scripted_model.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::model {
namespace {

std::string any_text() { return std::string(*rc::gen::inRange<std::size_t>(0, 60), 'x'); }

// any_conversation draws one that every provider takes, also one that ends in answers of tools.
std::vector<Message> any_conversation() {
  std::vector<Message> messages;
  const int systems = *rc::gen::inRange(0, 3);
  for (int i = 0; i < systems; ++i) messages.push_back({.role = Role::kSystem, .text = any_text()});
  const int rounds = *rc::gen::inRange(0, 12);
  int ids = 0;
  for (int i = 0; i < rounds; ++i) {
    const int kind = *rc::gen::inRange(0, 3);
    if (kind == 0) messages.push_back({.text = any_text()});
    if (kind == 1) messages.push_back({.role = Role::kAssistant, .text = any_text()});
    if (kind != 2) continue;
    Message calls{.role = Role::kAssistant, .text = any_text()};
    std::vector<Message> answers;
    const int count = *rc::gen::inRange(1, 4);
    for (int call = 0; call < count; ++call) {
      const std::string id = std::to_string(++ids);
      calls.tool_calls.push_back({id, "look", "{}"});
      answers.push_back({.role = Role::kTool, .text = any_text(), .tool_call_id = id});
    }
    messages.push_back(calls);
    messages.insert(messages.end(), answers.begin(), answers.end());
  }
  // No two are alike.
  for (std::size_t i = 0; i < messages.size(); ++i) messages[i].text += std::to_string(i);
  return messages;
}

std::int64_t tokens_of(const std::vector<Message>& messages) {
  return estimated_tokens(Prompt{.messages = messages});
}

std::string written(const std::vector<Message>& messages) {
  std::string out;
  for (const Message& message : messages) {
    out += std::to_string(static_cast<int>(message.role)) + message.text + message.tool_call_id;
    for (const ToolCall& call : message.tool_calls) out += "(" + call.id + ")";
    out += "\n";
  }
  return out;
}

// is_merged returns whether `all` is both parts, each in its order.
bool is_merged(const std::vector<Message>& all, const Trimmed& parts) {
  std::size_t kept = 0;
  std::size_t dropped = 0;
  for (const Message& message : all) {
    const std::string now = written({message});
    if (dropped < parts.dropped.size() && written({parts.dropped[dropped]}) == now) {
      ++dropped;
    } else if (kept < parts.kept.size() && written({parts.kept[kept]}) == now) {
      ++kept;
    } else {
      return false;
    }
  }
  return kept == parts.kept.size() && dropped == parts.dropped.size();
}

const Message* newest_of_user(const std::vector<Message>& messages) {
  for (auto at = messages.rbegin(); at != messages.rend(); ++at) {
    if (at->role == Role::kUser) return &*at;
  }
  return nullptr;
}

RC_GTEST_PROP(TrimProp, WhatIsKeptIsAConversationWithinTheBudget, ()) {
  const std::vector<Message> all = any_conversation();
  const std::int64_t budget = *rc::gen::inRange<std::int64_t>(0, tokens_of(all) + 20);
  const ToolOffers tools(std::vector<ToolOffer>(*rc::gen::inRange<std::size_t>(0, 3), {"look"}));
  const auto result = trim(all, tools, budget);
  const Trimmed* const trimmed = std::get_if<Trimmed>(&result);
  if (trimmed == nullptr) {
    RC_TAG("too long");
    RC_ASSERT(std::get<Failure>(result).kind == FailureKind::kTooLong);
    RC_ASSERT(estimated_tokens(Prompt{.messages = all, .tools = tools}) > budget);
    return;
  }
  RC_CLASSIFY(!trimmed->dropped.empty(), "something went");
  RC_ASSERT(fault_of(trimmed->kept) == std::nullopt);
  RC_ASSERT(fault_of(trimmed->dropped) == std::nullopt);
  RC_ASSERT(trimmed->tokens <= budget);
  RC_ASSERT(trimmed->tokens == estimated_tokens(Prompt{.messages = trimmed->kept, .tools = tools}));
  for (const Message& gone : trimmed->dropped) RC_ASSERT(gone.role != Role::kSystem);
  if (const Message* const newest = newest_of_user(all)) {
    RC_ASSERT(newest_of_user(trimmed->kept) != nullptr);
    RC_ASSERT(newest_of_user(trimmed->kept)->text == newest->text);
  }
  if (!all.empty()) RC_ASSERT(written({trimmed->kept.back()}) == written({all.back()}));
  const bool fits = estimated_tokens(Prompt{.messages = all, .tools = tools}) <= budget;
  RC_ASSERT(fits == trimmed->dropped.empty());
}

RC_GTEST_PROP(TrimProp, NothingIsLostAndTheOldestGoesFirst, ()) {
  const std::vector<Message> all = any_conversation();
  const auto result = trim(all, {}, *rc::gen::inRange<std::int64_t>(0, tokens_of(all) + 1));
  const Trimmed* const trimmed = std::get_if<Trimmed>(&result);
  if (trimmed == nullptr) RC_DISCARD("too long");
  RC_ASSERT(trimmed->kept.size() + trimmed->dropped.size() == all.size());
  RC_ASSERT(is_merged(all, *trimmed));
}

RC_GTEST_PROP(TrimProp, WhatHasToStayAloneIsTooLong, ()) {
  const std::vector<Message> all = any_conversation();
  // The smallest budget that is enough keeps the minimum, which is as small as it gets.
  std::int64_t enough = 0;
  while (!std::holds_alternative<Trimmed>(trim(all, {}, enough))) ++enough;
  const auto smallest = std::get<Trimmed>(trim(all, {}, enough));
  RC_ASSERT(tokens_of(smallest.kept) == enough);
  int of_user = 0;
  for (const Message& message : smallest.kept) of_user += message.role == Role::kUser ? 1 : 0;
  RC_ASSERT(of_user <= 1);
}

TEST(TrimTest, WhatIsKeptBeginsWithTheUser) {
  const std::vector<Message> all = {
      {.role = Role::kSystem, .text = "s"},         {.text = "first, which is long enough to go"},
      {.role = Role::kAssistant, .text = "answer"}, {.text = "second"},
      {.role = Role::kAssistant, .text = "answer"}, {.text = "third"}};
  const auto result = trim(all, {}, tokens_of(all) - 1);
  const Trimmed& trimmed = std::get<Trimmed>(result);
  EXPECT_EQ(text_of(trimmed.kept), "system: s\nuser: second\nassistant: answer\nuser: third\n");
  EXPECT_EQ(text_of(trimmed.dropped),
            "user: first, which is long enough to go\nassistant: answer\n");
}

TEST(TrimTest, OlderRoundsOfTheSameTurnGoBeforeTheLast) {
  std::vector<Message> all = {{.text = "do it"}};
  for (const char* const id : {"1", "2", "3"}) {
    all.push_back({.role = Role::kAssistant, .tool_calls = {{id, "look", "{}"}}});
    all.push_back({.role = Role::kTool, .text = std::string(40, 'x'), .tool_call_id = id});
  }
  const auto result = trim(all, {}, 40);
  EXPECT_EQ(text_of(std::get<Trimmed>(result).kept),
            "user: do it\nassistant calls look {}\ntool: " + std::string(40, 'x') + "\n");
  const auto none = trim(all, {}, 10);
  EXPECT_EQ(std::get<Failure>(none).message,
            "what has to stay has about 30 tokens, 10 are allowed");
}

class SummaryTest : public ::testing::Test {
 protected:
  // trimmed returns what is kept of a long conversation in a budget, by a model of this script.
  std::string trimmed(const char* script, std::int64_t budget, SummaryOptions options) {
    auto read = fakes::parse_model_script(parse_json(script).value());
    EXPECT_TRUE(read.ok()) << read.error().message;
    script_ = std::move(read).value();
    fakes::ScriptedModel model(loop_, script_);
    model.on_prompt([this](const Prompt& prompt) { seen_ = prompt; });
    const std::vector<Message> all = {{.role = Role::kSystem, .text = "Be brief."},
                                      {.text = std::string(200, 'a')},
                                      {.role = Role::kAssistant, .text = std::string(200, 'b')},
                                      {.text = "And now?"}};
    Task<std::variant<Trimmed, Failure>> task =
        trim_with_summary(model, all, {}, budget, options, kNever);
    EXPECT_TRUE(loop_.run_task(task).ok());
    const auto& result = std::get<Trimmed>(task.result());
    EXPECT_LE(estimated_tokens(Prompt{.messages = result.kept}), budget);
    EXPECT_EQ(result.tokens, estimated_tokens(Prompt{.messages = result.kept}));
    EXPECT_EQ(fault_of(result.kept), std::nullopt);
    return text_of(result.kept);
  }

  fakes::SimLoop loop_;
  fakes::ModelScript script_;
  Prompt seen_;
};

TEST_F(SummaryTest, WhatWentIsToldInOneMessageOfTheUser) {
  EXPECT_EQ(trimmed(R"({"turns": [{"text": "Letters."}]})", 100, {.tokens_max = 40}),
            "system: Be brief.\nuser: Summary of the conversation before this point: Letters.\n"
            "user: And now?\n");
  EXPECT_EQ(seen_.messages.at(1).text,
            "user: " + std::string(200, 'a') + "\nassistant: " + std::string(200, 'b') + "\n");
  EXPECT_EQ(seen_.settings.output_tokens_max, 40);
}

TEST_F(SummaryTest, ALongSummaryIsCutAndItsModelReadsNoMoreThanItMay) {
  const std::string kept = trimmed(R"({"turns": [{"text": "Words and words. ", "bytes": 5000}]})",
                                   100, {.tokens_max = 40, .reads_tokens_max = 20});
  EXPECT_NE(kept.find("point: Words and words."), std::string::npos);
  EXPECT_LE(estimated_tokens(seen_.messages.at(1).text), 20);
  EXPECT_TRUE(seen_.messages.at(1).text.ends_with("bbb\n"));
}

TEST_F(SummaryTest, WithoutOneTheRestIsAsGood) {
  const std::string plain = "system: Be brief.\nuser: And now?\n";
  EXPECT_EQ(trimmed(R"({"turns": [{"fails": {"status": 500}}]})", 100, {.tokens_max = 40}), plain);
  EXPECT_EQ(trimmed(R"({"turns": [{"text": ""}]})", 100, {.tokens_max = 40}), plain);
  EXPECT_EQ(trimmed(R"({"turns": [{"text": "Letters."}]})", 20, {.tokens_max = 15}), plain)
      << "no room";
  EXPECT_EQ(trimmed(R"({"turns": []})", 1'000, {}).find("Summary"), std::string::npos)
      << "nothing went, and nobody was asked";
}

}  // namespace
}  // namespace plumbline::model
