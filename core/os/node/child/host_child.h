// HostChild is one child process that the host holds.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/lifeline.h"
#include "core/net/spawner.h"
#include "core/os/node/host_pipe.h"
#include "core/os/real_loop.h"
#include "core/os/tail.h"

namespace plumbline::os {

class HostChild final : public net::Child, private host::Hearer {
 public:
  // The process and its streams have these numbers.
  HostChild(RealLoop& loop, std::uint32_t number, std::uint32_t stdio);
  ~HostChild() override;

  // implements Child ---
  net::Pipe& stdio() override { return stdio_; }
  std::string stderr_tail() const override { return std::string(stderr_.text()); }
  std::uint64_t stderr_bytes() const override { return stderr_bytes_; }
  std::optional<net::ExitStatus> exit_status() const override { return status_; }
  std::size_t memory_bytes() const override;
  void on_exit(std::function<void()> done) override;
  void signal(net::Signal which) override;

  // send_signal sends the signal of this number to the child's group.
  void send_signal(int number);

  // on_errors has `said` hear what the child writes to its stderr.
  void on_errors(std::function<void(std::string_view)> said) { said_ = std::move(said); }

 private:
  void hear(host::Event event, std::string_view payload) override;
  void tell();

  RealLoop& loop_;
  std::uint32_t number_;
  HostPipe stdio_;
  Tail stderr_;
  std::uint64_t stderr_bytes_ = 0;
  std::optional<net::ExitStatus> status_;
  std::function<void()> done_;
  std::function<void(std::string_view)> said_;
  Alarm tell_turn_;
};

// start_host_child starts `command`, as RealSpawner does.
Result<std::unique_ptr<HostChild>> start_host_child(RealLoop& loop, const net::Command& command);

}  // namespace plumbline::os
