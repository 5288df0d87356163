#include "cli/runs/watched_spawner.h"

#include <utility>

namespace plumbline::cli {

namespace {

class WatchedChild final : public net::Child {
 public:
  WatchedChild(std::unique_ptr<net::Child> child, const WatchedSpawner::OnStderr& on_stderr)
      : child_(std::move(child)), on_stderr_(on_stderr) {}
  ~WatchedChild() override { on_stderr_(child_->stderr_tail()); }

  // implements Child ---
  net::Pipe& stdio() override { return child_->stdio(); }
  std::string stderr_tail() const override { return child_->stderr_tail(); }
  std::optional<net::ExitStatus> exit_status() const override { return child_->exit_status(); }
  void on_exit(std::function<void()> done) override { child_->on_exit(std::move(done)); }
  void signal(net::Signal which) override { child_->signal(which); }

 private:
  std::unique_ptr<net::Child> child_;
  const WatchedSpawner::OnStderr& on_stderr_;
};

}  // namespace

Result<std::unique_ptr<net::Child>> WatchedSpawner::spawn(const net::Command& command) {
  Result<std::unique_ptr<net::Child>> child = inner_.spawn(command);
  if (!child.ok()) return child;
  ++started_[command.argv.back()];
  return std::unique_ptr<net::Child>(
      std::make_unique<WatchedChild>(std::move(child).value(), on_stderr_));
}

std::int64_t WatchedSpawner::started(const std::string& name) const {
  const auto found = started_.find(name);
  return found == started_.end() ? 0 : found->second;
}

}  // namespace plumbline::cli
