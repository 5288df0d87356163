// StdioRelay stands between whoever started us and a child: our standard streams are those of the
// child, byte for byte, and somebody listens.

#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/net/spawner.h"
#include "core/os/child/byte_copy.h"
#include "core/os/child/child_process.h"
#include "core/os/child/start_process.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

enum class StdioStream { kIn, kOut, kErr };  // Of the child.

class StdioListener {
 public:
  // on_bytes sees what goes over `stream` before it is passed on, and returns whether it may be: if
  // not, the stream ends on both sides. `bytes` lives until it returns.
  virtual bool on_bytes(StdioStream stream, std::string_view bytes) = 0;
  virtual void on_end(StdioStream stream) = 0;

 protected:
  ~StdioListener() = default;
};

class StdioRelay {
 public:
  // start starts `command` and takes our standard streams for it. `loop` and `listener` must
  // outlive the relay. As start_process fails; our streams are then still ours.
  static Result<std::unique_ptr<StdioRelay>> start(RealLoop& loop, const net::Command& command,
                                                   StdioListener& listener);

  // Made by start().
  StdioRelay(RealLoop& loop, StartedProcess started, StdioListener& listener);

  // signal sends the signal of this number to the child's process group.
  void signal(int number) { process_.signal(number); }

  // exit_status returns how the child ended, once all that it said has been passed on. What is left
  // open by processes that it left behind is waited for as long as they speak.
  std::optional<net::ExitStatus> exit_status() const { return told_ ? status_ : std::nullopt; }

 private:
  ByteCopy& copy(StdioStream stream);
  void look();

  RealLoop& loop_;
  StdioListener& listener_;
  std::array<std::unique_ptr<ByteCopy>, 3> copies_;
  std::optional<net::ExitStatus> status_;
  bool told_ = false;
  Alarm look_again_;
  ChildProcess process_;  // Last: it is ended before its streams are.
};

}  // namespace plumbline::os
