// ServerSession runs a ServerEngine over a channel: handlers are Tasks, one for each call.
//
// A handler may do anything with its session but close() or destroy it.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/mcp/client_options.h"
#include "core/mcp/reply_waiters.h"
#include "core/mcp/server_engine.h"
#include "core/mcp/session_trace.h"
#include "core/transport/message_channel.h"

namespace plumbline::mcp {

class ServerSession;

// ServerCall is what a handler is given. `session` outlives the handler's Task.
struct ServerCall {
  ServerSession* session = nullptr;
  ServerEngine::Key key = 0;
  std::string target;  // The tool, the prompt or the URI.
  Json params;

  ServerCall() = default;
  ServerCall(ServerSession* owner, ServerEngine::Call call)
      : session(owner),
        key(call.key),
        target(std::move(call.target)),
        params(std::move(call.params)) {}
};

// ServerHandler answers one call. When the client cancels, or goes, the Task is dropped.
using ServerHandler = std::function<Task<Reply<Json>>(ServerCall call)>;

// at_once makes a handler of a function that does not wait.
ServerHandler at_once(std::function<Reply<Json>(const Json& params)> answer);

class ServerSession final : public transport::MessageReceiver,
                            private ReplyWaiters::Owner,
                            private Timer {
 public:
  // Starts receiving on `channel` at once. `loop`, `channel` and `events` must outlive the
  // session. `name` is the `who` of every event. Null `events`: no event is built.
  ServerSession(Loop& loop, transport::MessageChannel& channel, ServerOptions options,
                std::string name, EventSink* events);
  ServerSession(const ServerSession&) = delete;
  ServerSession& operator=(const ServerSession&) = delete;
  ~ServerSession();

  // handle names who answers `method` (tools/call, resources/read, prompts/get,
  // completion/complete) for `target`; an empty target answers for all that have no own handler.
  // A call nobody handles gets kInternalError.
  void handle(std::string method, std::string target, ServerHandler handler);

  // on_notified names who hears the client's notifications.
  void on_notified(NotificationHandler handler) { on_notified_ = std::move(handler); }

  // request asks the client and waits. Dropping the Task takes the request back.
  Task<Reply<Json>> request(std::string method, Json params, Instant deadline);

  void progress(ServerEngine::Key key, double value, std::optional<double> total,
                std::string message);
  void log(std::string_view level, std::string_view logger, Json data);
  void resource_updated(const std::string& uri);
  void set_tools(std::vector<Json> tools);
  void set_resources(std::vector<Json> resources, std::vector<Json> templates);
  void set_prompts(std::vector<Json> prompts);

  // close drops every running call and closes our direction of the channel.
  void close();

  const ClientInfo* client() const { return engine_.client(); }
  bool ready() const { return engine_.ready(); }
  bool closed() const { return engine_.closed(); }
  std::size_t running() const { return engine_.running(); }
  std::int64_t violations() const { return engine_.violations(); }
  std::int64_t late_replies() const { return engine_.late_replies(); }
  const std::string& last_violation() const { return last_violation_; }

  // implements MessageReceiver ---
  void on_message(Json message) override;
  void on_garbage(std::string_view bytes, const Error& error) override;
  void on_closed(const Error* error) override;

 private:
  using Target = std::pair<std::string, std::string>;  // Method, target.

  void fire() override;
  void give_up(std::int64_t id) override;
  Task<void> run(ServerEngine::Key key, Task<Reply<Json>> answer);
  void on_call(ServerEngine::Call& call);
  void pump();
  void act(ServerEngine::Action& action);

  Loop& loop_;
  transport::MessageChannel& channel_;
  SessionTrace trace_;
  ServerEngine engine_;
  ReplyWaiters waiters_;
  std::map<Target, ServerHandler> handlers_;
  NotificationHandler on_notified_;
  bool pumping_ = false;
  std::string last_violation_;
  std::map<ServerEngine::Key, Task<void>> tasks_;  // Last: dropped first.
};

}  // namespace plumbline::mcp
