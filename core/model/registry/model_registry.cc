#include "core/model/registry/model_registry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/wildcard.h"

namespace plumbline::model {

namespace {

constexpr std::int64_t kWindowTokensMax = 100'000'000;
constexpr double kPriceMax = 1e6;
constexpr double kMicros = 1e6;
constexpr std::array<std::string_view, 4> kInterfaceNames = {"chat-completions", "responses",
                                                             "messages", "ollama"};
constexpr std::array<std::string_view, 4> kRoleNames = {"default", "long-context", "reasoning",
                                                        "cheap"};

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

Provider read_provider(const std::string& name, const Json& item, const std::string& pointer,
                       std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a provider", problem);
  Provider provider{.name = name};
  reader.require("interface", "how the provider is asked");
  if (const auto choice = reader.choice("interface", kInterfaceNames)) {
    provider.interface = static_cast<Interface>(*choice);
  }
  const std::string url = reader.required_string("url");
  Result<wire::Url> parsed = wire::parse_url(url);
  if (!parsed.ok()) {
    reader.refuse("url", parsed.error().message);
  } else if (!parsed.value().scheme.starts_with("http")) {
    reader.refuse("url", "\"url\" is " + in_quotes(url) + ", expected http or https");
  } else {
    provider.url = std::move(parsed).value();
  }
  provider.key_variable = reader.string("key_variable").value_or("");
  provider.key_secret = reader.string("key_secret").value_or("");
  if (reader.has("key")) {
    reader.refuse("key", "a key in the file, expected \"key_variable\" or \"key_secret\"");
  }
  provider.organization = reader.string("organization").value_or("");
  provider.project = reader.string("project").value_or("");
  reader.finish();
  return provider;
}

std::int64_t read_price(ObjectReader& reader, std::string_view key) {
  const Json* const price = reader.take(key);
  if (price == nullptr) return 0;
  const double value = price->is_number() ? price->get<double>() : -1;
  if (!(value >= 0 && value <= kPriceMax)) {
    reader.refuse(key, in_quotes(key) + ": expected a price for a million tokens, 0 to 1000000");
    return 0;
  }
  return std::llround(value * kMicros);
}

ModelInfo read_model(const std::string& name, const Json& item, const std::string& pointer,
                     const std::map<std::string, Provider>& providers,
                     std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a model", problem);
  ModelInfo info{.name = name};
  info.provider = reader.required_string("provider");
  if (!info.provider.empty() && !providers.contains(info.provider)) {
    reader.refuse("provider", "no provider is called " + in_quotes(info.provider));
  }
  info.model = reader.string("model").value_or("");
  info.window_tokens = reader.integer("window_tokens", 1, kWindowTokensMax).value_or(8'192);
  info.output_tokens_max =
      reader.integer("output_tokens_max", 1, info.window_tokens)
          .value_or(
              std::min(info.output_tokens_max, std::max<std::int64_t>(info.window_tokens / 2, 1)));
  info.images = reader.boolean("images").value_or(info.images);
  info.audio = reader.boolean("audio").value_or(info.audio);
  info.tools = reader.boolean("tools").value_or(info.tools);
  info.reasoning = reader.boolean("reasoning").value_or(info.reasoning);
  info.price = {read_price(reader, "input_price"), read_price(reader, "output_price")};
  reader.finish();
  return info;
}

// for_each_member calls `read` with each member of the object `key`, which has to be there.
template <typename Read>
void for_each_member(ObjectReader& reader, std::string_view key, std::string_view what, Read read) {
  reader.require(key, what);
  const Json* const members = reader.object(key);
  if (members == nullptr) return;
  for (const auto& [name, value] : members->items()) {
    read(name, value, reader.pointer_to(key) + "/" + pointer_token(name));
  }
}

}  // namespace

std::string_view interface_name(Interface interface) {
  return kInterfaceNames[static_cast<std::size_t>(interface)];
}

std::string_view role_name(ModelRole role) { return kRoleNames[static_cast<std::size_t>(role)]; }

std::int64_t cost_micros(const Usage& usage, const Price& price) {
  constexpr std::int64_t kMillion = 1'000'000;
  const std::int64_t millionths =
      usage.input_tokens * price.input_micros + usage.output_tokens * price.output_micros;
  return (millionths + kMillion - 1) / kMillion;
}

Result<ModelRegistry, Problem> ModelRegistry::parse(const Json& settings) {
  std::optional<Problem> problem;
  ObjectReader reader(settings, "", "the settings of models", problem);
  ModelRegistry registry;
  for_each_member(reader, "providers", "who serves models",
                  [&](const std::string& name, const Json& item, const std::string& at) {
                    registry.providers_.emplace(name, read_provider(name, item, at, problem));
                  });
  for_each_member(reader, "models", "which models there are",
                  [&](const std::string& name, const Json& item, const std::string& at) {
                    registry.models_.emplace(
                        name, read_model(name, item, at, registry.providers_, problem));
                  });
  if (const Json* const roles = reader.object("roles")) {
    ObjectReader names(*roles, reader.pointer_to("roles"), "the roles", problem);
    for (std::size_t i = 0; i < kRoleNames.size(); ++i) {
      const std::optional<std::string> name = names.string(kRoleNames[i]);
      if (!name) continue;
      registry.roles_.emplace(static_cast<ModelRole>(i), *name);
      if (!registry.info(*name))
        names.refuse(kRoleNames[i], "no model is called " + in_quotes(*name));
    }
    names.finish();
  }
  reader.finish();
  if (problem) return *std::move(problem);
  return registry;
}

std::optional<ModelInfo> ModelRegistry::info(std::string_view name) const {
  const std::pair<const std::string, ModelInfo>* best = nullptr;
  for (const auto& entry : models_) {
    const auto& [pattern, unused] = entry;
    if (pattern != name && !fits(pattern, name)) continue;
    const bool more = best == nullptr || pattern.size() > best->first.size();
    if (more || pattern == name) best = &entry;
  }
  if (best == nullptr) return std::nullopt;
  ModelInfo info = best->second;
  info.name = name;
  if (info.model.empty()) info.model = name;
  return info;
}

const Provider* ModelRegistry::provider_for(std::string_view name) const {
  const std::optional<ModelInfo> known = info(name);
  if (!known) return nullptr;
  const auto provider = providers_.find(known->provider);
  return provider == providers_.end() ? nullptr : &provider->second;
}

std::optional<std::int64_t> ModelRegistry::window_of(std::string_view name) const {
  const std::optional<ModelInfo> known = info(name);
  if (!known) return std::nullopt;
  return known->window_tokens;
}

std::optional<ModelInfo> ModelRegistry::model_for(ModelRole role) const {
  auto named = roles_.find(role);
  if (named == roles_.end()) named = roles_.find(ModelRole::kDefault);
  if (named == roles_.end()) return std::nullopt;
  return info(named->second);
}

}  // namespace plumbline::model
