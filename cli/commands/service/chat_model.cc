#include "cli/commands/service/chat_model.h"

#include <array>
#include <map>
#include <utility>

#include "cli/config/json_text.h"
#include "cli/config/model_file.h"
#include "core/base/errors/errors.h"
#include "core/model/providers/dialects.h"
#include "core/model/providers/http_model.h"
#include "core/model/registry/provider_key.h"
#include "core/os/child/environment.h"
#include "fakes/model/scripted_model.h"

namespace plumbline::cli {

struct ChosenModel::Parts {
  std::optional<fakes::ModelScript> script;
  std::optional<fakes::ScriptedModel> scripted;
  std::unique_ptr<net::HttpClient> client;
  std::optional<model::HttpModel> asked;
};

ChosenModel::ChosenModel() = default;
ChosenModel::ChosenModel(ChosenModel&&) noexcept = default;
ChosenModel& ChosenModel::operator=(ChosenModel&&) noexcept = default;
ChosenModel::~ChosenModel() = default;

namespace {

constexpr const char* kOpenAi = "https://api.openai.com/v1";
constexpr const char* kOpenAiModel = "gpt-4.1";

// openai returns the settings that are meant where there are none.
Json openai(const std::string& name) {
  const std::string url = os::environment_variable("OPENAI_BASE_URL").value_or(kOpenAi);
  Json provider = {
      {"interface", "chat-completions"}, {"url", url}, {"key_variable", "OPENAI_API_KEY"}};
  Json info = {{"provider", "openai"},
               {"window_tokens", 128'000},
               {"output_tokens_max", 16'384},
               {"images", true}};
  return {{"providers", {{"openai", std::move(provider)}}},
          {"models", {{name, std::move(info)}}},
          {"roles", {{"default", name}}}};
}

Result<model::ModelRegistry> read_models_of(const ChatModel& which, Host& host) {
  if (which.settings.empty()) {
    const std::string name = which.name.empty() ? kOpenAiModel : which.name;
    Result<model::ModelRegistry, Problem> made = model::ModelRegistry::parse(openai(name));
    if (made.ok()) return std::move(made).value();
    return the_error("chat.model-url", made.error().message);
  }
  const Result<std::string> text = host.files().read_file(which.settings);
  if (!text.ok()) return text.error();
  std::optional<model::ModelRegistry> out;
  const Status read =
      read_json_text(text.value(), which.settings, [&out](const Json& root, auto& problem) {
        Result<model::ModelRegistry, Problem> parsed = model::ModelRegistry::parse(root);
        if (parsed.ok()) {
          out = std::move(parsed).value();
        } else {
          problem = std::move(parsed).error();
        }
      });
  if (!read.ok()) return read.error();
  return *std::move(out);
}

Result<model::ModelInfo> find_model(const model::ModelRegistry& registry, const ChatModel& which) {
  using Role = model::ModelRole;
  std::optional<model::ModelInfo> info;
  std::string wanted = which.name;
  if (!which.name.empty()) {
    info = registry.info(which.name);
  } else {
    wanted = "the role " + which.role;
    for (const Role role : {Role::kDefault, Role::kLongContext, Role::kReasoning, Role::kCheap}) {
      if (model::role_name(role) == which.role) info = registry.model_for(role);
    }
  }
  if (info) return *std::move(info);
  return the_error("chat.no-model", wanted);
}

}  // namespace

Result<model::ModelRegistry> read_models(const ChatModel& which, Host& host) {
  return read_models_of(which, host);
}

Result<ChosenModel> open_script(const std::string& file, Host& host) {
  const Result<std::string> text = host.files().read_file(file);
  if (!text.ok()) return text.error();
  Result<fakes::ModelScript> script = read_model_script(text.value(), file);
  if (!script.ok()) return script.error();
  ChosenModel out;
  out.parts = std::make_unique<ChosenModel::Parts>();
  out.window_tokens = script.value().context_tokens;
  out.parts->script = std::move(script).value();
  out.model = &out.parts->scripted.emplace(host.world().loop(), *out.parts->script);
  return out;
}

Result<ChosenModel> open_model(const model::ModelRegistry& registry, const std::string& name,
                               Host& host) {
  const std::optional<model::ModelInfo> info = registry.info(name);
  const model::Provider* const provider = registry.provider_for(name);
  if (!info || provider == nullptr) {
    return the_error("chat.nobody-serves", name);
  }
  std::map<std::string, std::string> variables;
  if (const auto key = os::environment_variable(provider->key_variable.c_str())) {
    variables[provider->key_variable] = *key;
    host.secrets().add(*key);
  }
  Task<Result<std::string>> finding = model::find_key(*provider, std::move(variables), nullptr);
  finding.start();
  const Result<std::string>& key = finding.result();
  ChosenModel out;
  if (!key.ok()) out.missing = key.error().message;
  out.key_variable = provider->key_variable;
  out.parts = std::make_unique<ChosenModel::Parts>();
  out.parts->client =
      std::make_unique<net::HttpClient>(host.world().loop(), host.world().network());
  model::Account account =
      model::account_for(*provider, *info, key.ok() ? key.value() : std::string());
  out.model = &out.parts->asked.emplace(*out.parts->client, model::dialect_of(provider->interface),
                                        info->model, std::move(account));
  out.info = *info;
  out.window_tokens = info->window_tokens;
  out.output_tokens_max = info->output_tokens_max;
  return out;
}

Result<ChosenModel> choose_model(const ChatModel& which, Host& host) {
  if (!which.script.empty()) return open_script(which.script, host);
  const Result<model::ModelRegistry> registry = read_models(which, host);
  if (!registry.ok()) return registry.error();
  const Result<model::ModelInfo> info = find_model(registry.value(), which);
  if (!info.ok()) return info.error();
  return open_model(registry.value(), info.value().name, host);
}

}  // namespace plumbline::cli
