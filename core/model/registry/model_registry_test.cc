#include "core/model/registry/model_registry.h"

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "core/model/registry/provider_key.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::model {
namespace {

constexpr const char* kSettings = R"({
  "providers": {"a": {"interface": "chat-completions", "url": "https://a.example/v1",
                      "key_variable": "A_KEY", "key_secret": "a", "organization": "org"},
                "b": {"interface": "ollama", "url": "http://127.0.0.1:11434"}},
  "models": {"gpt-*": {"provider": "a", "window_tokens": 1000, "output_tokens_max": 100,
                       "images": true, "audio": true, "reasoning": true,
                       "input_price": 1.25, "output_price": 10},
             "gpt-9-*": {"provider": "b", "window_tokens": 2000, "tools": false},
             "gpt-9-mini": {"provider": "b", "model": "small", "window_tokens": 3000}},
  "roles": {"default": "gpt-7", "cheap": "gpt-9-mini"}})";

ModelRegistry registry_of(std::string_view settings) {
  Result<ModelRegistry, Problem> read =
      ModelRegistry::parse(parse_json(settings, {.comments = true}).value());
  EXPECT_TRUE(read.ok()) << read.error().message;
  return std::move(read).value();
}

// refusal returns what is wrong with settings that have these members.
std::string refusal(const std::string& provider, const std::string& model = "",
                    const std::string& roles = "") {
  const Result<ModelRegistry, Problem> read = ModelRegistry::parse(
      parse_json(R"({"providers": {"p": {)" + provider + R"(}}, "models": {"m": {)" + model +
                 R"(}}, "roles": {)" + roles + "}}")
          .value());
  return read.ok() ? "" : read.error().pointer + ": " + read.error().message;
}

constexpr const char* kProvider = R"("interface": "ollama", "url": "http://x")";
constexpr const char* kModel = R"("provider": "p")";

TEST(ModelRegistryTest, TheNameThatSaysMostCounts) {
  const ModelRegistry registry = registry_of(kSettings);
  const ModelInfo seven = *registry.info("gpt-7");
  EXPECT_EQ(seven.name, "gpt-7");
  EXPECT_EQ(seven.model, "gpt-7");
  EXPECT_EQ(seven.window_tokens, 1'000);
  EXPECT_EQ(seven.output_tokens_max, 100);
  EXPECT_TRUE(seven.images && seven.audio && seven.tools && seven.reasoning);
  EXPECT_EQ(seven.price.input_micros, 1'250'000);
  EXPECT_EQ(registry.provider_for("gpt-7")->name, "a");
  EXPECT_EQ(registry.provider_for("gpt-7")->url.host, "a.example");
  EXPECT_EQ(registry.window_of("gpt-9-large"), 2'000);
  EXPECT_FALSE(registry.info("gpt-9-large")->tools);
  EXPECT_EQ(registry.window_of("gpt-9-mini"), 3'000);
  EXPECT_EQ(registry.info("gpt-9-mini")->model, "small");
  EXPECT_EQ(registry.info("gpt-9-mini")->output_tokens_max, 1'500) << "half of the window";
  EXPECT_FALSE(registry.info("claude"));
  EXPECT_EQ(registry.provider_for("claude"), nullptr);
  EXPECT_EQ(registry.window_of("claude"), std::nullopt);
}

TEST(ModelRegistryTest, ARoleThatIsNotToldIsTheDefaults) {
  const ModelRegistry registry = registry_of(kSettings);
  EXPECT_EQ(registry.model_for(ModelRole::kCheap)->name, "gpt-9-mini");
  EXPECT_EQ(registry.model_for(ModelRole::kReasoning)->name, "gpt-7");
  EXPECT_FALSE(registry_of(R"({"providers": {}, "models": {}})").model_for(ModelRole::kDefault));
}

TEST(ModelRegistryTest, WhatIsWrongIsOneLine) {
  EXPECT_EQ(refusal(kProvider, kModel), "");
  EXPECT_EQ(refusal(R"("url": "http://x")", kModel),
            "/providers/p: a provider has no \"interface\", expected how the provider is asked");
  EXPECT_EQ(refusal(R"("interface": "ollama", "url": "ws://x")", kModel),
            "/providers/p/url: \"url\" is \"ws://x\", expected http or https");
  EXPECT_EQ(refusal(std::string(kProvider) + R"(, "key": "sk-1")", kModel),
            "/providers/p/key: a key in the file, expected \"key_variable\" or \"key_secret\"");
  EXPECT_EQ(refusal(kProvider, R"("provider": "q")"),
            "/models/m/provider: no provider is called \"q\"");
  EXPECT_EQ(refusal(kProvider, std::string(kModel) + R"(, "input_price": -1)"),
            "/models/m/input_price: \"input_price\": expected a price for a million tokens, 0 to "
            "1000000");
  EXPECT_EQ(
      refusal(kProvider, std::string(kModel) + R"(, "window_tokens": 10,
                                                          "output_tokens_max": 11)"),
      "/models/m/output_tokens_max: \"output_tokens_max\" is 11, expected a whole number from "
      "1 to 10");
  EXPECT_EQ(refusal(kProvider, kModel, R"("default": "n")"),
            "/roles/default: no model is called \"n\"");
  EXPECT_EQ(refusal(kProvider, kModel, R"("defualt": "m")").substr(0, 17), "/roles/defualt: u")
      << "the roles are those that there are";
}

TEST(ModelRegistryTest, TheExampleIsGood) {
  std::ifstream file(SOURCE_ROOT "/examples/models.json");
  std::stringstream text;
  text << file.rdbuf();
  const ModelRegistry registry = registry_of(text.str());
  for (const ModelRole role :
       {ModelRole::kDefault, ModelRole::kLongContext, ModelRole::kReasoning, ModelRole::kCheap}) {
    const std::optional<ModelInfo> info = registry.model_for(role);
    ASSERT_TRUE(info) << role_name(role);
    EXPECT_NE(registry.provider_for(info->name), nullptr);
  }
}

TEST(ModelRegistryTest, CostIsRoundedUp) {
  const Price price{.input_micros = 1'250'000, .output_micros = 10'000'000};
  EXPECT_EQ(cost_micros({.input_tokens = 1'000'000, .output_tokens = 100'000}, price), 2'250'000);
  EXPECT_EQ(cost_micros({.input_tokens = 1, .output_tokens = 0}, price), 2);
  EXPECT_EQ(cost_micros({}, price), 0);
}

// OneSecret is a store that holds "kept" under "a".
struct OneSecret final : SecretStore {
  Task<Result<std::optional<std::string>>> get(std::string name) override {
    co_return name == "a" ? std::optional<std::string>("kept") : std::nullopt;
  }
  Task<Status> set(std::string, std::string) override { co_return Done(); }
  Task<Result<std::vector<std::string>>> names() override {
    co_return std::vector<std::string>(1, "a");
  }
  Task<Status> remove(std::string) override { co_return Done(); }
  Task<Result<bool>> claim(std::string, Duration) override { co_return true; }
  Task<Status> release(std::string) override { co_return Done(); }
};

TEST(ProviderKeyTest, TheVariableComesBeforeTheStore) {
  fakes::SimLoop loop;
  OneSecret secrets;
  const auto key = [&](const Provider& provider, std::map<std::string, std::string> variables) {
    Task<Result<std::string>> task = find_key(provider, std::move(variables), &secrets);
    EXPECT_TRUE(loop.run_task(task).ok());
    const Result<std::string>& found = task.result();
    return found.ok() ? found.value() : found.error().message;
  };
  const Provider both{.name = "p", .key_variable = "A_KEY", .key_secret = "a"};
  EXPECT_EQ(key(both, {{"A_KEY", "told"}}), "told");
  EXPECT_EQ(key(both, {{"A_KEY", ""}}), "kept");
  EXPECT_EQ(key({.name = "p"}, {}), "");
  EXPECT_EQ(key({.name = "p", .key_variable = "A_KEY", .key_secret = "b"}, {}),
            "no key for the provider p: expected it in the variable A_KEY and the secret b");
}

}  // namespace
}  // namespace plumbline::model
