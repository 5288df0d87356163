// HostPipe is a stream that the host holds: a socket, the stdin and stdout of a child, or our own.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/task.h"
#include "core/base/wait.h"
#include "core/net/pipe.h"
#include "core/os/node/host.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

class HostPipe final : public net::Pipe, private host::Hearer {
 public:
  // The stream of this number; `peer` is the address at its other end.
  HostPipe(RealLoop& loop, std::uint32_t number, std::string peer = {});
  ~HostPipe() override;

  // opened waits until a dial has come about, or says why not.
  Task<Status> opened();

  // implements Pipe ---
  void start(net::PipeReader& reader) override;
  void write(std::string bytes) override;
  void close_write() override;
  void close() override;
  // queued_bytes asks the host to tell when the system has taken all: it does not tell of each.
  std::size_t queued_bytes() const override;
  void await_drained() override;
  std::string peer_address() const override { return peer_; }

 private:
  void hear(host::Event event, std::string_view payload) override;
  void end(const Error* error);
  void tell_end();
  void taken(std::size_t count);
  void ask_when_taken() const;

  RealLoop& loop_;
  std::uint32_t number_;
  std::string peer_;
  net::PipeReader* reader_ = nullptr;  // Null before start() and once nothing may be called.
  std::size_t queued_ = 0;
  bool writes_ = true;  // Until our direction is closed.
  bool open_ = true;    // Until close().
  bool awaits_drained_ = false;
  mutable bool asked_ = false;  // When all is taken.
  std::optional<Error> broken_by_;
  Event connected_;
  Alarm end_turn_;
};

}  // namespace plumbline::os
