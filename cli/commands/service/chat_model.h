// Which model answers a chat.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/config/chat_config.h"
#include "cli/host.h"
#include "core/model/model.h"
#include "core/model/registry/model_registry.h"
#include "core/net/http_client.h"

namespace plumbline::cli {

// ChosenModel is a model with all that it needs.
struct ChosenModel {
  struct Parts;

  ChosenModel();
  ChosenModel(ChosenModel&&) noexcept;
  ChosenModel& operator=(ChosenModel&&) noexcept;
  ~ChosenModel();

  std::unique_ptr<Parts> parts;
  model::Model* model = nullptr;         // Of the parts.
  std::optional<model::ModelInfo> info;  // What settings say of it; nothing: a script.
  std::optional<std::int64_t> window_tokens;
  std::optional<std::int64_t> output_tokens_max;
  std::string missing;       // Why it cannot be asked: there is no key. Empty: it can.
  std::string key_variable;  // Where the key came from; empty: it needs none.
};

// read_models reads the models that `which` names: those of its file, or without one OpenAI's. It
// is not for a script. kInvalidInput: one line.
Result<model::ModelRegistry> read_models(const ChatModel& which, Host& host);

// open_model opens the model `name` of `registry`. kInvalidInput: there is none. `host` must
// outlive it.
Result<ChosenModel> open_model(const model::ModelRegistry& registry, const std::string& name,
                               Host& host);

// open_script opens the scripted model in `file`.
Result<ChosenModel> open_script(const std::string& file, Host& host);

// choose_model reads the files that `which` names. Without any it is OpenAI's at OPENAI_BASE_URL,
// or where OpenAI is, with the key OPENAI_API_KEY, which `host` hides from then on. kInvalidInput:
// one line. `host` must outlive the model.
Result<ChosenModel> choose_model(const ChatModel& which, Host& host);

}  // namespace plumbline::cli
