// MemorySecretStore keeps secrets as long as the process lives.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/doors/secret_store.h"

namespace plumbline::auth {

class MemorySecretStore final : public SecretStore {
 public:
  // implements SecretStore ---
  Task<Result<std::optional<std::string>>> get(std::string name) override {
    const auto found = secrets_.find(name);
    if (found == secrets_.end()) co_return std::optional<std::string>();
    co_return std::optional<std::string>(found->second);
  }
  Task<Status> set(std::string name, std::string secret) override {
    secrets_[std::move(name)] = std::move(secret);
    co_return Done();
  }
  Task<Result<std::vector<std::string>>> names() override {
    std::vector<std::string> names;
    for (const auto& [name, unused] : secrets_) names.push_back(name);
    co_return names;
  }
  Task<Status> remove(std::string name) override {
    secrets_.erase(name);
    co_return Done();
  }
  Task<Result<bool>> claim(std::string name, Duration /*span*/) override {
    co_return claims_.insert(name).second;
  }
  Task<Status> release(std::string name) override {
    claims_.erase(name);
    co_return Done();
  }

 private:
  std::map<std::string, std::string> secrets_;
  std::set<std::string> claims_;
};

}  // namespace plumbline::auth
