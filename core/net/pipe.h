// Pipe is one bidirectional stream of bytes: a socket, or the stdin and stdout of a child.
//
// fakes::SimPipe implements it in simulation, core/os on Boost.Asio. Everything arrives through
// PipeReader, from the loop, never from inside a call on the Pipe.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace plumbline::net {

// A PipeReader may close or destroy the Pipe from either function.
class PipeReader {
 public:
  // on_bytes hands over the next bytes, at least one. `bytes` lives until it returns.
  virtual void on_bytes(std::string_view bytes) = 0;

  // on_end is called once, and nothing after it: the peer has closed its direction (`error` is
  // nullptr) or the stream broke (reset, write to a closed peer, write queue full).
  virtual void on_end(const Error* error) = 0;

  // on_drained is called from the loop, once for each Pipe::await_drained.
  virtual void on_drained() {}

 protected:
  ~PipeReader() = default;
};

class Pipe {
 public:
  virtual ~Pipe() = default;

  // start names who reads, once, before the first turn of the loop that could deliver.
  // `reader` must outlive the Pipe or its close().
  virtual void start(PipeReader& reader) = 0;

  // write queues bytes in order. What cannot be delivered any more is dropped, and on_end tells.
  // More than limits::kWriteQueueBytesMax queued ends the stream with kLimitReached.
  virtual void write(std::string bytes) = 0;

  // close_write ends our direction after what is queued: the peer reads end of file.
  virtual void close_write() = 0;

  // close drops the stream in both directions. Nothing is called any more.
  virtual void close() = 0;

  // queued_bytes returns how much was written and not yet taken by the peer, as far as is known.
  virtual std::size_t queued_bytes() const { return 0; }

  // held_bytes returns how much memory that takes: the block of what was written stays until the
  // peer has taken all of it.
  virtual std::size_t held_bytes() const { return queued_bytes(); }

  // await_drained asks to be told when no byte is queued any more. Only while one is.
  virtual void await_drained() {}

  // peer_address returns the address of who is at the other end ("192.0.2.7"), empty where there is
  // none or it is not known.
  virtual std::string peer_address() const { return {}; }
};

}  // namespace plumbline::net
