#include "scenarios/real/watched_spawner.h"

#include <utility>

#include "core/net/forwarding_child.h"

namespace plumbline::scenarios {

namespace {

class OverheardChild final : public net::ForwardingChild {
 public:
  OverheardChild(std::unique_ptr<net::Child> child, const WatchedSpawner::OnStderr& on_stderr)
      : ForwardingChild(std::move(child)), on_stderr_(on_stderr) {}
  ~OverheardChild() override { on_stderr_(stderr_tail()); }

 private:
  const WatchedSpawner::OnStderr& on_stderr_;
};

}  // namespace

Result<std::unique_ptr<net::Child>> WatchedSpawner::spawn(const net::Command& command) {
  Result<std::unique_ptr<net::Child>> child = inner_.spawn(command);
  if (!child.ok()) return child;
  ++started_[command.argv.back()];
  return std::unique_ptr<net::Child>(
      std::make_unique<OverheardChild>(std::move(child).value(), on_stderr_));
}

std::int64_t WatchedSpawner::started(const std::string& name) const {
  const auto found = started_.find(name);
  return found == started_.end() ? 0 : found->second;
}

}  // namespace plumbline::scenarios
