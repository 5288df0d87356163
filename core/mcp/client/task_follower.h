// TaskFollower makes a call and, when the server makes a task of it, follows the task to its end.
//
// Spec 2025-11-25, basic/utilities/tasks; extension io.modelcontextprotocol/tasks (SEP-2663).

#pragma once

#include <functional>
#include <string>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/mcp/client/client_engine.h"

namespace plumbline::mcp {

class TaskFollower {
 public:
  // How a request is sent and its result waited for.
  using Request =
      std::function<Task<Reply<Json>>(std::string method, Json params, Instant deadline)>;

  // What the server needs to know for a task, the handlers of the options of `engine` say. `loop`
  // and `engine` must outlive it, and it every follow().
  TaskFollower(Loop& loop, const ClientEngine& engine, Request request)
      : loop_(loop), engine_(engine), request_(std::move(request)) {}

  // follow returns what came of the call or of the task: kCancelled when somebody has cancelled
  // that, kInvalidReply when the server knows it no more. A task may take as long as a call that
  // reports progress, each single answer only as long as there is until `deadline`.
  Task<Reply<Json>> follow(std::string method, Json params, Instant deadline);

 private:
  Task<Reply<Json>> hand_in(std::string id, Json asks, Instant deadline);

  Loop& loop_;
  const ClientEngine& engine_;
  Request request_;
};

}  // namespace plumbline::mcp
