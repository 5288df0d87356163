#include "fakes/world/sim_doors.h"

#include "core/base/wait.h"

namespace plumbline::fakes {

namespace {

Error locked(const std::string& name) {
  return {ErrorCode::kDeadlineExceeded, "secret " + name + ": nobody unlocked the store"};
}

}  // namespace

Task<Result<std::optional<std::string>>> SimSecretStore::get(std::string name) {
  const StoreTrouble trouble = troubles_ ? troubles_("read", name) : StoreTrouble();
  co_await Sleep(loop_, after(loop_.now(), trouble.before));
  if (trouble.fault != StoreFault::kNone) co_return locked(name);
  const auto found = seen_.find(name);
  if (found == seen_.end()) co_return std::optional<std::string>();
  co_return std::optional<std::string>(found->second);
}

// change keeps `secret`, or forgets what is kept under `name`.
Task<Status> SimSecretStore::change(std::string operation, std::string name,
                                    std::optional<std::string> secret) {
  const StoreTrouble trouble = troubles_ ? troubles_(operation, name) : StoreTrouble();
  co_await Sleep(loop_, after(loop_.now(), trouble.before));
  const StoreFault fault = trouble.fault;
  if (fault == StoreFault::kFail || fault == StoreFault::kConflict) co_return locked(name);
  if (fault == StoreFault::kTear && secret) secret->resize(secret->size() / 2);
  seen_.erase(name);
  if (secret) seen_[name] = std::move(*secret);
  if (fault != StoreFault::kLose) disk_ = seen_;
  co_await Sleep(loop_, after(loop_.now(), trouble.after));
  if (fault == StoreFault::kTear || fault == StoreFault::kFailAfter) co_return locked(name);
  co_return Done{};
}

Task<Status> SimSecretStore::set(std::string name, std::string secret) {
  return change("set", std::move(name), std::move(secret));
}

Task<Result<std::vector<std::string>>> SimSecretStore::names() {
  const StoreTrouble trouble = troubles_ ? troubles_("list", "") : StoreTrouble();
  co_await Sleep(loop_, after(loop_.now(), trouble.before));
  if (trouble.fault != StoreFault::kNone) co_return locked("names");
  std::vector<std::string> names;
  for (const auto& [name, unused] : seen_) names.push_back(name);
  co_return names;
}

Task<Status> SimSecretStore::remove(std::string name) {
  return change("remove", std::move(name), std::nullopt);
}

Task<Result<bool>> SimSecretStore::claim(std::string name, Duration time) {
  const StoreTrouble trouble = troubles_ ? troubles_("claim", name) : StoreTrouble();
  co_await Sleep(loop_, after(loop_.now(), trouble.before));
  if (trouble.fault != StoreFault::kNone) co_return locked(name);
  const auto [claim, fresh] = claims_.emplace(name, after(loop_.now(), time));
  if (!fresh && loop_.now() < claim->second) co_return false;
  claim->second = after(loop_.now(), time);
  co_return true;
}

Task<Status> SimSecretStore::release(std::string name) {
  claims_.erase(name);
  co_return Done{};
}

}  // namespace plumbline::fakes
