// ForwardingChild is a Child that passes everything on to the one it owns. What watches or breaks a
// child overrides what it is about.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/net/spawner.h"

namespace plumbline::net {

class ForwardingChild : public Child {
 public:
  explicit ForwardingChild(std::unique_ptr<Child> child) : child_(std::move(child)) {}

  // implements Child ---
  Pipe& stdio() override { return child_->stdio(); }
  std::string stderr_tail() const override { return child_->stderr_tail(); }
  std::uint64_t stderr_bytes() const override { return child_->stderr_bytes(); }
  std::optional<ExitStatus> exit_status() const override { return child_->exit_status(); }
  std::size_t memory_bytes() const override { return child_->memory_bytes(); }
  void on_exit(std::function<void()> done) override { child_->on_exit(std::move(done)); }
  void signal(Signal which) override { child_->signal(which); }

 private:
  std::unique_ptr<Child> child_;
};

}  // namespace plumbline::net
