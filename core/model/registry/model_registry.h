// ModelRegistry is which language models there are, as settings say: whose they are, what they can
// do, and which one serves for what.
//
//   { "providers": { "openai": { "interface": "chat-completions", "url":
//   "https://api.openai.com/v1",
//                                "key_variable": "OPENAI_API_KEY" },
//                    "local":  { "interface": "ollama", "url": "http://127.0.0.1:11434" } },
//     "models": { "gpt-*": { "provider": "openai", "window_tokens": 400000, "images": true,
//                            "input_price": 1.25, "output_price": 10 },
//                 "small": { "provider": "local", "model": "qwen3:4b", "window_tokens": 32000 } },
//     "roles": { "default": "gpt-5", "cheap": "small" } }
//
// A name with * stands for all that fit; the one that says most counts. docs/models.md describes
// every member.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "core/model/model.h"
#include "core/wire/url.h"

namespace plumbline::model {

enum class Interface { kChatCompletions, kResponses, kMessages, kOllama };

// interface_name returns what settings call it: "chat-completions".
std::string_view interface_name(Interface interface);

// Provider is who serves models, and where its key is found; of both, the variable comes first.
struct Provider {
  std::string name{};
  Interface interface = Interface::kChatCompletions;
  wire::Url url{};
  std::string key_variable{};  // Of the environment; empty: none.
  std::string key_secret{};    // Of the secret store; empty: none.
  std::string organization{};
  std::string project{};
};

// Price is in millionths of the currency for a million tokens: 1.25 dollars are 1'250'000.
struct Price {
  std::int64_t input_micros = 0;
  std::int64_t output_micros = 0;
};

// cost_micros returns what `usage` costs, in millionths of the currency, rounded up.
std::int64_t cost_micros(const Usage& usage, const Price& price);

struct ModelInfo {
  std::string name{};                      // As it was asked for.
  std::string provider{};                  // As the settings name it.
  std::string model{};                     // As the provider names it.
  std::int64_t window_tokens = 8'192;      // Prompt and answer together.
  std::int64_t output_tokens_max = 4'096;  // At most the window.
  bool images = false;                     // It takes them.
  bool audio = false;
  bool tools = true;
  bool reasoning = false;
  Price price{};
};

// What a model serves for. Where a role is not told, it is the default's.
enum class ModelRole { kDefault, kLongContext, kReasoning, kCheap };
std::string_view role_name(ModelRole role);  // "long-context".

class ModelRegistry {
 public:
  // parse reads the settings. Unknown members, values out of range, a model of no provider and a
  // role of no model are refused; so is a key that stands in the file itself.
  static Result<ModelRegistry, Problem> parse(const Json& settings);

  // info returns what is known of a model; nothing: no name fits.
  std::optional<ModelInfo> info(std::string_view name) const;

  // provider_for returns who serves the model; nullptr: nobody. It lives as long as the registry.
  const Provider* provider_for(std::string_view name) const;

  // window_of returns how many tokens the model takes, prompt and answer together.
  std::optional<std::int64_t> window_of(std::string_view name) const;

  // model_for returns the model of a role; nothing: no role is told.
  std::optional<ModelInfo> model_for(ModelRole role) const;

  const std::map<std::string, Provider>& providers() const { return providers_; }
  const std::map<std::string, ModelInfo>& models() const { return models_; }

 private:
  std::map<std::string, Provider> providers_;
  std::map<std::string, ModelInfo> models_;  // By name or pattern.
  std::map<ModelRole, std::string> roles_;
};

}  // namespace plumbline::model
