// StdioRelay stands between whoever started us and a child: our standard streams are those of the
// child, byte for byte, and somebody listens.

#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/net/spawner.h"
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
  // outlive the relay. kInvalidInput: it cannot be started; our streams are then still ours.
  static Result<std::unique_ptr<StdioRelay>> start(RealLoop& loop, const net::Command& command,
                                                   StdioListener& listener);

  virtual ~StdioRelay() = default;

  // signal sends the signal of this number to the child's process group.
  virtual void signal(int number) = 0;

  // exit_status returns how the child ended, once all that it said has been passed on. What is left
  // open by processes that it left behind is waited for as long as they speak.
  virtual std::optional<net::ExitStatus> exit_status() const = 0;
};

}  // namespace plumbline::os
