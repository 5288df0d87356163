// The small doors of a world: SimWallClock, which may be set and jumps, and SimSecretStore.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/doors/secret_store.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/loop.h"
#include "fakes/world/store_faults.h"

namespace plumbline::fakes {

// SimWallClock goes as its Loop does from the time it was set to last.
class SimWallClock final : public WallClock {
 public:
  // `loop` must outlive it.
  SimWallClock(const Loop& loop, Duration since_1970) : loop_(loop) { set(since_1970); }

  // set sets it, as an administrator does; jump moves it, also back.
  void set(Duration since_1970) { offset_ = since_1970 - loop_.now().time_since_epoch(); }
  void jump(Duration span) { offset_ += span; }

  // implements WallClock ---
  Duration since_1970() const override { return offset_ + loop_.now().time_since_epoch(); }

 private:
  const Loop& loop_;
  Duration offset_{};
};

// SimSecretStore keeps secrets in memory.
class SimSecretStore final : public SecretStore {
 public:
  explicit SimSecretStore(Loop& loop, StoreTroubles troubles = nullptr)
      : loop_(loop), troubles_(std::move(troubles)) {}

  // put keeps a secret before the world begins, whatever is wrong with the store.
  void put(const std::string& name, const std::string& secret) {
    seen_[name] = disk_[name] = secret;
  }

  // secrets are those that are kept; crash forgets what was told as kept and is lost.
  const std::map<std::string, std::string>& secrets() const { return seen_; }
  void crash() { seen_ = disk_; }

  // implements SecretStore ---
  Task<Result<std::optional<std::string>>> get(std::string name) override;
  Task<Status> set(std::string name, std::string secret) override;
  Task<Result<std::vector<std::string>>> names() override;
  Task<Status> remove(std::string name) override;
  Task<Result<bool>> claim(std::string name, Duration time) override;
  Task<Status> release(std::string name) override;

 private:
  Task<Status> change(std::string operation, std::string name, std::optional<std::string> secret);

  Loop& loop_;
  StoreTroubles troubles_;
  std::map<std::string, std::string> seen_;
  std::map<std::string, std::string> disk_;
  std::map<std::string, Instant> claims_;  // When they end.
};

}  // namespace plumbline::fakes
