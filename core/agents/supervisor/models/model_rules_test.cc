#include "core/agents/supervisor/models/model_rules.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/supervisor/supervisor_fixture.h"

namespace plumbline::agents::supervisor {
namespace {

// ListedModels knows of each model what a test says.
class ListedModels final : public ModelShelf {
 public:
  explicit ListedModels(std::vector<model::ModelInfo> all) : all_(std::move(all)) {}

  // implements ModelShelf ---
  model::Model* find(std::string_view) override { return nullptr; }
  std::vector<std::string> names() const override {
    std::vector<std::string> out;
    for (const model::ModelInfo& each : all_) out.push_back(each.name);
    return out;
  }
  std::optional<model::ModelInfo> about(std::string_view name) const override {
    const auto found = std::ranges::find(all_, name, &model::ModelInfo::name);
    if (found == all_.end()) return std::nullopt;
    return *found;
  }

 private:
  std::vector<model::ModelInfo> all_;
};

model::ModelInfo info(std::string name, std::int64_t window, bool images, std::int64_t price) {
  return {.name = std::move(name),
          .provider = "p",
          .window_tokens = window,
          .images = images,
          .price = {price, price}};
}

ListedModels shelf() {
  return ListedModels(
      {info("usual", 100'000, true, 1'000'000), info("o3", 200'000, true, 9'000'000),
       info("gemini-2.0-flash", 1'000'000, true, 100'000), info("small", 8'000, false, 10'000)});
}

TEST(ModelRulesTest, TheRulesOfTheSeedHoldByDefault) {
  const ListedModels models = shelf();
  EXPECT_EQ(choose_name({.tool = "thinkdeep"}, {}, models).model, "o3");
  EXPECT_EQ(choose_name({.tool = "codereview", .files_bytes = 50'001}, {}, models).model,
            "gemini-2.0-flash");
  EXPECT_EQ(choose_name({.tool = "codereview", .files_bytes = 50'000}, {}, models).model, "usual");
  const ChosenName chosen = choose_name({.tool = "chat"}, {}, models);
  EXPECT_EQ(chosen.model, "usual");
  EXPECT_EQ(chosen.why, "default");
  EXPECT_EQ(choose_name({.asked = "mine", .tool = "thinkdeep"}, {}, models).model, "mine");
}

TEST(ModelRulesTest, SimpleQuestionsGoToTheCheapestWhereTheRulesSaySo) {
  const ListedModels models = shelf();
  ModelPolicy policy;
  policy.rules.push_back({.complexity_most = Complexity::kSimple});
  policy.rules.push_back({.complexity_least = Complexity::kHard, .model = "o3"});
  const auto by = [&](Complexity complexity, bool images) {
    return choose_name({.tool = "chat", .images = images, .complexity = complexity}, policy, models)
        .model;
  };
  EXPECT_EQ(by(Complexity::kSimple, false), "small");
  EXPECT_EQ(by(Complexity::kSimple, true), "gemini-2.0-flash");
  EXPECT_EQ(by(Complexity::kOrdinary, false), "usual");
  EXPECT_EQ(by(Complexity::kHard, false), "o3");
}

TEST(ModelRulesTest, AModelThatCannotTakeItIsPassedOver) {
  const ListedModels models = shelf();
  const ChosenName much = choose_name({.tool = "chat", .tokens = 150'000}, {}, models);
  EXPECT_EQ(much.model, "gemini-2.0-flash");
  EXPECT_EQ(much.why, "cheapest");
  EXPECT_EQ(much.passed_over.front(), "usual: it takes 100000 tokens, and there are 150000");
  const ChosenName dear = choose_name({.tool = "thinkdeep", .tokens = 100'000},
                                      {.prompt_cost_micros_max = 500'000}, models);
  EXPECT_EQ(dear.model, "usual");
  EXPECT_EQ(dear.passed_over.front(), "o3: the question would cost 900000 millionths");
  const ChosenName none = choose_name({.tool = "chat", .tokens = 5'000'000}, {}, models);
  EXPECT_EQ(none.model, "gemini-2.0-flash") << "it takes most of what there is";
  EXPECT_EQ(none.why, "only");
  EXPECT_EQ(choose_name({.tool = "chat"}, {}, ListedModels({})).model, "");
}

RC_GTEST_PROP(ModelRulesPropTest, WhoIsChosenTakesTheRequestIfAnybodyDoes, ()) {
  std::vector<model::ModelInfo> all;
  const auto count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    all.push_back(info("m" + std::to_string(i), *rc::gen::inRange(1, 20),
                       *rc::gen::arbitrary<bool>(), *rc::gen::inRange(0, 100)));
  }
  const ListedModels models(all);
  const ModelDemand demand{
      .tool = "chat", .tokens = *rc::gen::inRange(0, 20), .images = *rc::gen::arbitrary<bool>()};
  ModelPolicy policy;
  if (*rc::gen::arbitrary<bool>()) policy.rules.push_back({});
  const ChosenName chosen = choose_name(demand, policy, models);
  const auto takes = [&](const model::ModelInfo& each) {
    return each.window_tokens >= demand.tokens && (each.images || !demand.images);
  };
  const bool any = std::ranges::any_of(all, takes);
  RC_ASSERT(any == (chosen.why != "only"));
  if (any) RC_ASSERT(takes(*models.about(chosen.model)));
  if (chosen.why != "cheapest") return;
  for (const model::ModelInfo& each : all) {
    RC_ASSERT((!takes(each) ||
               each.price.input_micros >= models.about(chosen.model)->price.input_micros));
  }
}

}  // namespace
}  // namespace plumbline::agents::supervisor
