#include "core/model/registry/provider_key.h"

#include <optional>
#include <utility>

namespace plumbline::model {

Task<Result<std::string>> find_key(Provider provider, std::map<std::string, std::string> variables,
                                   SecretStore* secrets) {
  std::string looked;
  if (!provider.key_variable.empty()) {
    const auto variable = variables.find(provider.key_variable);
    if (variable != variables.end() && !variable->second.empty()) co_return variable->second;
    looked = "the variable " + provider.key_variable;
  }
  if (!provider.key_secret.empty() && secrets != nullptr) {
    Result<std::optional<std::string>> kept = co_await secrets->get(provider.key_secret);
    if (!kept.ok()) co_return kept.error();
    if (kept.value()) co_return *std::move(kept.value());
  }
  if (!provider.key_secret.empty()) {
    looked += (looked.empty() ? "the secret " : " and the secret ") + provider.key_secret;
  }
  if (looked.empty()) co_return std::string();
  co_return Error{ErrorCode::kInvalidInput,
                  "no key for the provider " + provider.name + ": expected it in " + looked};
}

}  // namespace plumbline::model
