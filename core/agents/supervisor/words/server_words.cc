#include "core/agents/supervisor/words/server_words.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace plumbline::agents::supervisor {

namespace {

constexpr double kMicros = 1'000'000;

std::string usual_model(const SupervisorServices& services) {
  const std::vector<std::string> names = services.models.names();
  const std::string& named = services.models_policy.default_model;
  if (!named.empty()) return named;
  return names.empty() ? "" : names.front();
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

std::string price_text(std::int64_t micros) {
  Json dollars = static_cast<double>(micros) / kMicros;
  return dump_json(dollars);
}

Json facts_of_model(const std::string& name, const SupervisorServices& services) {
  const ModelShelf& shelf = services.models;
  const std::string missing = shelf.missing(name);
  Json out = {{"name", name}, {"available", missing.empty()}, {"roles", shelf.roles(name)}};
  if (!missing.empty()) out["why_not"] = missing;
  const std::optional<model::ModelInfo> info = shelf.about(name);
  if (!info) return out;
  out["provider"] = info->provider;
  if (!info->model.empty() && info->model != name) out["stands_for"] = info->model;
  out["window_tokens"] = info->window_tokens;
  out["output_tokens_max"] = info->output_tokens_max;
  out["images"] = info->images;
  out["reasoning"] = info->reasoning;
  out["input_price"] = static_cast<double>(info->price.input_micros) / kMicros;
  out["output_price"] = static_cast<double>(info->price.output_micros) / kMicros;
  return out;
}

// line_of_model is a model in a list for a person.
std::string line_of_model(const std::string& name, const SupervisorServices& services) {
  const ModelShelf& shelf = services.models;
  std::string out = "- `" + name + "`";
  const std::optional<model::ModelInfo> info = shelf.about(name);
  std::vector<std::string> said;
  if (info) {
    if (!info->model.empty() && info->model != name) said.push_back("asks for " + info->model);
    said.push_back(std::to_string(info->window_tokens) + " tokens, answers up to " +
                   std::to_string(info->output_tokens_max));
    if (info->images) said.emplace_back("images");
    if (info->reasoning) said.emplace_back("reasoning");
    if (info->price.input_micros + info->price.output_micros > 0) {
      said.push_back(price_text(info->price.input_micros) + " in, " +
                     price_text(info->price.output_micros) + " out, for a million tokens");
    }
  }
  const std::vector<std::string> roles = shelf.roles(name);
  if (!roles.empty()) said.push_back("for " + joined(roles));
  if (name == usual_model(services)) said.emplace_back("**chosen unless something else decides**");
  if (!said.empty()) out += ": " + joined(said);
  const std::string missing = shelf.missing(name);
  if (!missing.empty()) out += ". **Not available**: " + missing;
  return out;
}

std::string list_of_models(const SupervisorServices& services) {
  const std::vector<std::string> names = services.models.names();
  if (names.empty()) {
    return "No model is configured. Start the server with --models FILE or --model-script FILE, or "
           "set OPENAI_API_KEY.";
  }
  std::vector<std::string> providers;
  const auto provider_of = [&](const std::string& name) {
    const std::optional<model::ModelInfo> info = services.models.about(name);
    return info && !info->provider.empty() ? info->provider : std::string("scripted");
  };
  for (const std::string& name : names) {
    const std::string provider = provider_of(name);
    if (std::ranges::find(providers, provider) == providers.end()) providers.push_back(provider);
  }
  std::string out = "# Models";
  for (const std::string& provider : providers) {
    out += "\n\n## " + provider + "\n";
    for (const std::string& name : names) {
      if (provider_of(name) == provider) out += "\n" + line_of_model(name, services);
    }
  }
  const std::vector<std::string> patterns = services.models.patterns();
  if (!patterns.empty()) {
    out += "\n\nAny other name that fits one of these can be asked for, too: " + joined(patterns) +
           ".";
  }
  return out;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return dump_json(value);
  std::string out;
  for (const Json& item : value) out += (out.empty() ? "" : ", ") + text_of(item);
  return out.empty() ? "none" : out;
}

std::string words_of_version(const SupervisorServices& services) {
  std::string out = "Plumbline " + string_or(services.about, "version", "") + ", agents";
  for (const auto& [name, value] : services.about.items()) {
    if (name == "version") continue;
    std::string label = name;
    std::ranges::replace(label, '_', ' ');
    out += "\n- " + label + ": " + text_of(value);
  }
  std::vector<std::string> available;
  for (const std::string& name : services.models.names()) {
    if (services.models.missing(name).empty()) available.push_back(name);
  }
  out += "\n- models: " + (available.empty() ? "none can be asked" : joined(available));
  const std::string usual = usual_model(services);
  if (!usual.empty()) {
    const std::string missing = services.models.missing(usual);
    out += "\n- default model: " + usual + (missing.empty() ? "" : " (" + missing + ")");
  }
  return out;
}

}  // namespace

std::string words_of_server(const std::string& tool, const SupervisorServices& services) {
  return tool == "version" ? words_of_version(services) : list_of_models(services);
}

Json facts_of_server(const std::string& tool, const SupervisorServices& services) {
  if (tool == "version") {
    Json out = services.about;
    out["default_model"] = usual_model(services);
    return out;
  }
  Json models = Json::array();
  for (const std::string& name : services.models.names()) {
    models.push_back(facts_of_model(name, services));
  }
  return {{"models", std::move(models)},
          {"default", usual_model(services)},
          {"patterns", services.models.patterns()}};
}

}  // namespace plumbline::agents::supervisor
