// WatchedSpawner counts the children that another spawner starts, and hands on what each has
// written to stderr once it is let go.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/net/spawner.h"

namespace plumbline::scenarios {

class WatchedSpawner final : public net::Spawner {
 public:
  using OnStderr = std::function<void(const std::string& stderr_tail)>;

  // A child goes by the last word of its command. `inner` must outlive the spawner, and this its
  // children.
  WatchedSpawner(net::Spawner& inner, OnStderr on_stderr)
      : inner_(inner), on_stderr_(std::move(on_stderr)) {}

  // implements Spawner ---
  Result<std::unique_ptr<net::Child>> spawn(const net::Command& command) override;

  // started returns how many children of `name` were started.
  std::int64_t started(const std::string& name) const;

 private:
  net::Spawner& inner_;
  OnStderr on_stderr_;
  std::map<std::string, std::int64_t> started_;
};

}  // namespace plumbline::scenarios
