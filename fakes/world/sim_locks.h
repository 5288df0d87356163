// SimLocks are the locks of one process among several of a simulated machine, which share `held`.

#pragma once

#include <map>
#include <string>

#include "core/base/doors/locks.h"

namespace plumbline::fakes {

class SimLocks final : public Locks {
 public:
  using Held = std::map<std::string, const SimLocks*>;

  explicit SimLocks(Held& held) : held_(held) {}
  SimLocks(const SimLocks&) = delete;
  SimLocks& operator=(const SimLocks&) = delete;
  ~SimLocks() {
    std::erase_if(held_, [this](const auto& lock) { return lock.second == this; });
  }

  // implements Locks ---
  Result<bool> take(const std::string& name) override {
    return held_.try_emplace(name, this).first->second == this;
  }
  void give_back(const std::string& name) override {
    const auto found = held_.find(name);
    if (found != held_.end() && found->second == this) held_.erase(found);
  }

 private:
  Held& held_;
};

}  // namespace plumbline::fakes
