// AgentDoor opens connections to one agent, as who we are, as nobody, or as somebody wrong.

#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/mcp/transport/connection.h"

namespace plumbline::connector {

enum class Credentials {
  kOwn,    // Those that are configured; none where none are.
  kNone,   // None.
  kWrong,  // Of the same kind, and wrong.
};

class AgentDoor {
 public:
  // has_credentials returns whether any are configured: else kNone and kWrong are not asked for.
  virtual bool has_credentials() const = 0;

  // may_authenticate returns whether the agent is one that could want any: not a child process.
  virtual bool may_authenticate() const = 0;

  // connect opens a connection; the errors are those of transport::Connector.
  virtual Task<Result<std::unique_ptr<transport::Connection>>> connect(Credentials as) = 0;

 protected:
  ~AgentDoor() = default;
};

}  // namespace plumbline::connector
