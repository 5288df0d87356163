// Connection is one live way to a named server; Connector opens them.
//
// The orchestrator knows only these two: whether a server is a child process, a socket or a
// scripted peer in the same world is decided where the program is composed.

#pragma once

#include <memory>
#include <string>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/mcp/transport/message_channel.h"

namespace plumbline::transport {

// Place is where a connection leads. What is started or spoken to otherwise has another digest.
struct Place {
  std::string text;    // For people: the URL, or the command line and its folder.
  std::string digest;  // Also of what is not shown: values of variables and headers.
};

class Connection {
 public:
  virtual ~Connection() = default;

  // place returns the same as long as the Connection lives.
  virtual Place place() const = 0;

  // channel lives as long as the Connection.
  virtual MessageChannel& channel() = 0;

  // diagnosis returns what is known of how the peer ended or why it is silent, for people: its
  // exit status, the last lines of its stderr. Empty when there is nothing to say.
  virtual std::string diagnosis() const = 0;

  // ended returns when it is known how the peer ended, or at `deadline`; at once where that never
  // is. The Connection must outlive the Task.
  virtual Task<void> ended(Instant /*deadline*/) { co_return; }

  // close ends the connection in order, in bounded time. Dropping the Connection instead ends it
  // at once.
  virtual Task<void> close() = 0;
};

class Connector {
 public:
  // connect opens a connection to `server`. kInvalidInput: no such server, or its command cannot
  // be started; kDisconnected: it refused.
  virtual Task<Result<std::unique_ptr<Connection>>> connect(std::string server) = 0;

 protected:
  ~Connector() = default;
};

}  // namespace plumbline::transport
