#include "core/model/budget/budgeted_model.h"

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/model/tokens.h"
#include "fakes/model/scripted_model.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::model {
namespace {

using std::chrono::milliseconds;

const Prompt kPrompt{.messages = {{.text = "hello"}}};  // 6 tokens, by the estimate.

struct World {
  World(const char* script, Allowance allowance, Price price = {}) : ledger(allowance) {
    auto read = fakes::parse_model_script(parse_json(script).value());
    EXPECT_TRUE(read.ok()) << read.error().message;
    turns = std::move(read).value();
    scripted = std::make_unique<fakes::ScriptedModel>(loop, turns);
    scripted->on_prompt([this](const Prompt& prompt) { seen = prompt; });
    model = std::make_unique<BudgetedModel>(loop, *scripted, ledger, price);
  }

  // ask returns what was said, or what went wrong.
  std::string ask(const Prompt& prompt = kPrompt) {
    Task<Completed> task = model->complete(prompt, nullptr, kNever);
    EXPECT_TRUE(loop.run_task(task).ok());
    const auto* const whole = std::get_if<Completion>(&task.result());
    if (whole != nullptr) return whole->message.text;
    const auto& failure = std::get<Failure>(task.result());
    return failure.code.empty() ? failure.message : failure.code + ": " + failure.message;
  }

  fakes::SimLoop loop;
  fakes::ModelScript turns;
  std::unique_ptr<fakes::ScriptedModel> scripted;
  Ledger ledger;
  std::unique_ptr<BudgetedModel> model;
  Prompt seen;
};

constexpr const char* kTold =
    R"({"latency_ms": 10, "turns": [{"text": "Hi.", "always": true,
        "usage": {"input_tokens": 100, "output_tokens": 20}}]})";

TEST(BudgetTest, WhatTheProviderCountedIsWhatIsSpent) {
  World world(kTold, {}, {.input_micros = 1'000'000, .output_micros = 2'000'000});
  EXPECT_EQ(world.ask(), "Hi.");
  EXPECT_EQ(world.ask(), "Hi.");
  EXPECT_EQ(world.ledger.spent(),
            (Spent{.completions = 2, .tokens = 240, .time = milliseconds(20), .cost_micros = 280}));
  EXPECT_EQ(world.seen.settings.output_tokens_max, std::nullopt);
}

TEST(BudgetTest, WhatIsUsedUpIsRefusedUnasked) {
  World calls(kTold, {.completions = 1});
  EXPECT_EQ(calls.ask(), "Hi.");
  EXPECT_EQ(calls.ask(),
            "budget_exceeded: the budget of completions is used up: 1 of 1 are spent, and this "
            "takes 1 more");
  EXPECT_EQ(calls.scripted->completions(), 1);
  World tokens(kTold, {.tokens = 125});
  EXPECT_EQ(tokens.ask(), "Hi.");
  EXPECT_EQ(tokens.ask(),
            "budget_exceeded: the budget of tokens is used up: 120 of 125 are spent, and this "
            "takes 7 more");
  World cost(kTold, {.cost_micros = 125}, {.input_micros = 1'000'000, .output_micros = 1'000'000});
  EXPECT_EQ(cost.ask(), "Hi.");
  EXPECT_EQ(cost.ask().substr(0, 47), "budget_exceeded: the budget of cost in milliont");
  World time(kTold, {.time = milliseconds(10)});
  EXPECT_EQ(time.ask(), "Hi.");
  EXPECT_EQ(time.ask(), "budget_exceeded: the budget of time is used up: 10 ms are spent");
}

TEST(BudgetTest, AnAnswerMayTakeWhatIsLeft) {
  World tokens(kTold, {.tokens = 50});
  tokens.ask();
  EXPECT_EQ(tokens.seen.settings.output_tokens_max, 44);
  Prompt little = kPrompt;
  little.settings.output_tokens_max = 5;
  World same(kTold, {.tokens = 50});
  same.ask(little);
  EXPECT_EQ(same.seen.settings.output_tokens_max, 5);
  World time(kTold, {.time = milliseconds(9)});
  EXPECT_EQ(time.ask(), "the model did not answer in time");
  EXPECT_EQ(time.ledger.spent().time, milliseconds(9));
}

TEST(BudgetTest, WhatFailsOrIsDroppedCountsForItsPromptAndWhatWasHeard) {
  World cut(R"({"turns": [{"text": "One two three.", "cut_after": 2}]})", {});
  cut.ask();
  EXPECT_EQ(cut.ledger.spent().tokens, 6 + 2);
  World dropped(kTold, {.completions = 1});
  {
    Task<Completed> task = dropped.model->complete(kPrompt, nullptr, kNever);
    task.start();
  }
  EXPECT_EQ(dropped.ledger.spent().tokens, 6);
  EXPECT_EQ(dropped.ask().substr(0, 16), "budget_exceeded:");
}

TEST(BudgetTest, TwoAtTheSameTimeDoNotShareWhatIsLeft) {
  World world(kTold, {.tokens = 12});
  Task<Completed> first = world.model->complete(kPrompt, nullptr, kNever);
  first.start();
  EXPECT_EQ(world.ask().substr(0, 16), "budget_exceeded:");
  EXPECT_TRUE(world.loop.run_until([&first] { return first.done(); }).ok());
  EXPECT_TRUE(std::holds_alternative<Completion>(first.result()));
}

RC_GTEST_PROP(BudgetProp, NothingIsAskedBeyondTheAllowance, ()) {
  const std::int64_t allowed = *rc::gen::inRange<std::int64_t>(0, 100);
  World world(R"({"turns": [{"text": "Hi there.", "always": true}]})",
              {.completions = 8, .tokens = allowed});
  for (int i = 0; i < 12; ++i) world.ask();
  // The last answer may be longer than was left: nobody but the provider counts exactly.
  const std::int64_t one = 6 + estimated_tokens(Message{.text = "Hi there."});
  RC_ASSERT(world.ledger.spent().tokens <= allowed + one);
  RC_ASSERT(world.ledger.spent().completions <= 8);
  RC_ASSERT(world.scripted->completions() == world.ledger.spent().completions);
  RC_ASSERT(world.scripted->completions() == std::min<std::int64_t>(8, (allowed + one - 7) / one));
}

}  // namespace
}  // namespace plumbline::model
