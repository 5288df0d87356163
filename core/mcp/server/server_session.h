// ServerSession runs a ServerEngine over a channel: handlers are Tasks, one for each call.
//
// A handler may do anything with its session but close() or destroy it.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/mcp/protocol/reply_waiters.h"
#include "core/mcp/protocol/session_trace.h"
#include "core/mcp/server/server_call.h"
#include "core/mcp/server/server_engine.h"
#include "core/mcp/server/task_runner.h"
#include "core/mcp/transport/message_channel.h"

namespace plumbline::mcp {

class ServerSession;

// ServerCommons is what all sessions of one server have in common.
struct ServerCommons {
  ServerOptions options;
  ServerHandlers handlers;
  std::unique_ptr<TaskRunner> tasks;  // Null: no call becomes a task.
  // Hears the notifications of the clients.
  std::function<void(ServerSession& session, std::string_view method, const Json& params)>
      on_notified;
};

class ServerSession final : public transport::MessageReceiver,
                            public CallHost,
                            public TaskClient,
                            private ReplyWaiters::Owner,
                            private Timer {
 public:
  // Starts receiving on `channel` at once. `loop`, `channel`, `commons` and `events` must outlive
  // the session. `name` is the `who` of every event. Null `events`: no event is built. `principal`
  // names whom the channel has authenticated; empty: nobody.
  ServerSession(Loop& loop, transport::MessageChannel& channel, const ServerCommons& commons,
                std::string name, EventSink* events, std::string principal = {});
  ServerSession(const ServerSession&) = delete;
  ServerSession& operator=(const ServerSession&) = delete;
  ~ServerSession();

  // on_end names who is told, once, that the channel is closed. It must not destroy the session.
  void on_end(std::function<void()> tell) { on_end_ = std::move(tell); }

  // These tell the client what concerns it: ServerEngine says whom.
  void log_to_all(std::string_view level, std::string_view logger, Json data);
  void resource_updated(const std::string& uri);
  void list_changed(std::string_view area);
  void task_updated(const TaskRecord& task, const Json& full);

  // close ends the subscriptions, drops every running call and closes our direction of the channel.
  void close();

  // client returns who has opened by initialize, nullptr before, and for a stateless client.
  const ClientInfo* client() const { return engine_.client(); }
  bool ready() const { return engine_.ready(); }
  bool closed() const { return engine_.closed(); }
  bool ended() const { return ended_; }
  const std::string& principal() const { return engine_.principal(); }
  std::size_t running() const { return engine_.running(); }
  std::size_t subscriptions() const { return engine_.subscriptions(); }
  std::int64_t violations() const { return engine_.violations(); }
  std::int64_t late_replies() const { return engine_.late_replies(); }
  const std::string& last_violation() const { return last_violation_; }

  // implements MessageReceiver ---
  void on_message(Json message) override;
  void on_garbage(std::string_view bytes, const Error& error) override;
  void on_lost(const rpc::RpcId& id, const Error& error) override;
  void on_closed(const Error* error) override;

  // implements TaskClient ---
  // Dropping the Task of a request takes the request back.
  Task<Reply<Json>> request(std::string method, Json params, Instant deadline) override;
  void task_changed(Json task) override;

  // implements CallHost ---
  const ClientInfo* client_of(ServerEngine::Key key) const override;
  Task<Reply<Json>> ask(ServerEngine::Key key, std::vector<Ask> asks, Instant deadline) override;
  Task<Reply<Json>> request(ServerEngine::Key key, std::string method, Json params,
                            Instant deadline) override;
  void progress(ServerEngine::Key key, double value, std::optional<double> total,
                std::string message) override;
  void log(ServerEngine::Key key, std::string_view level, std::string_view logger,
           Json data) override;
  void close_stream(ServerEngine::Key key) override;
  Reply<Json> become_task(ServerEngine::Call call, const ServerHandler& rest) override;

 private:
  void fire() override;
  void give_up(std::int64_t id) override;
  Task<Reply<Json>> wait_for(Reply<std::int64_t> id, std::string method);
  Task<Reply<Json>> ask_by_requests(ServerEngine::Key key, std::vector<Ask> asks, Instant deadline);
  Task<Reply<Json>> ask_by_result(ServerEngine::Key key, std::vector<Ask> asks);
  Task<void> run(ServerEngine::Key key, Task<Reply<Json>> answer);
  std::string owner() const;
  void on_call(ServerEngine::Call& call);
  Task<Reply<Json>> answer_of(ServerEngine::Call call);
  void pump();
  void act(ServerEngine::Action& action);

  Loop& loop_;
  transport::MessageChannel& channel_;
  const ServerCommons& commons_;
  std::int64_t serial_;  // Names this session among those of the server.
  SessionTrace trace_;
  ServerEngine engine_;
  ReplyWaiters waiters_;
  std::function<void()> on_end_;
  bool pumping_ = false;
  bool ended_ = false;
  std::string last_violation_;
  std::vector<ServerEngine::Key> asleep_;          // Handlers that have asked and never wake.
  Alarm sweep_;                                    // Drops them.
  std::map<ServerEngine::Key, Task<void>> tasks_;  // Last: dropped first.
};

}  // namespace plumbline::mcp
