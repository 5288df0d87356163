// ClientSession is the face of one MCP client connection for scripts: it drives a ClientEngine
// over a channel, and every request is a Task that ends exactly once.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/events/trace_event.h"
#include "core/mcp/client/client_engine.h"
#include "core/mcp/client/client_options.h"
#include "core/mcp/client/peer_work.h"
#include "core/mcp/client/response_cache.h"
#include "core/mcp/client/task_follower.h"
#include "core/mcp/protocol/reply_waiters.h"
#include "core/mcp/protocol/server_info.h"
#include "core/mcp/protocol/session_trace.h"
#include "core/mcp/transport/message_channel.h"

namespace plumbline::mcp {

// Dropping the Task of a request that waits cancels the request: the server is told and it ends as
// cancelled. The session may be destroyed by the very Task it resumes; Tasks that still wait then
// never end and have to be dropped.
class ClientSession final : public transport::MessageReceiver,
                            private ReplyWaiters::Owner,
                            private Timer {
 public:
  // Starts receiving on `channel` at once. `loop`, `channel` and `events` must outlive the
  // session. `name` is the `who` of every event. Null `events`: no event is built.
  ClientSession(Loop& loop, transport::MessageChannel& channel, ClientOptions options,
                std::string name, EventSink* events);
  ClientSession(const ClientSession&) = delete;
  ClientSession& operator=(const ClientSession&) = delete;
  ~ClientSession();

  // initialize opens the conversation, whichever way the options say; the first thing to do, once.
  // On any failure the session is closed.
  Task<Reply<ServerInfo>> initialize(Instant deadline);

  // request sends `method` and waits for its result, checked for its shape where the method is
  // known. `params` is an object, or null for none. Where the server needs input to answer, the
  // handlers of the options give it, and only the end is returned.
  Task<Reply<Json>> request(std::string method, Json params, Instant deadline);

  // discover asks a server of a stateless revision again what it is.
  Task<Reply<Json>> discover(Instant deadline);

  // List is what could be read of a list: `cut` is why it is not all.
  struct List {
    std::vector<Json> items;
    std::optional<Failure> cut;
  };

  // list follows nextCursor to the end, within the bounds of the options. A page that cannot be
  // had, a repeated cursor and too many pages cut the list; the first page must come.
  Task<Reply<List>> list(std::string method, Instant deadline);

  // These want the whole list: one that is cut is its Failure. They, list(), discover() and
  // read_resource() return what is still fresh without asking again.
  Task<Reply<std::vector<Json>>> list_tools(Instant deadline);
  Task<Reply<std::vector<Json>>> list_resources(Instant deadline);
  Task<Reply<std::vector<Json>>> list_resource_templates(Instant deadline);
  Task<Reply<std::vector<Json>>> list_prompts(Instant deadline);

  // call_tool returns the whole result object; one with isError is a success here. With
  // ClientOptions::tasks a call that the server makes a task of is followed to its end, which may
  // come as late as that of a call that reports progress. `meta` is the _meta of the call, an
  // object; null: it has none of its own.
  Task<Reply<Json>> call_tool(std::string name, Json arguments, Instant deadline,
                              Json meta = nullptr);

  // call_as_task calls a tool that is to be called so (execution.taskSupport) and follows the task.
  // kRefused where the server has no tasks.
  //
  // Spec 2025-11-25, basic/utilities/tasks; extension io.modelcontextprotocol/tasks.
  Task<Reply<Json>> call_as_task(std::string name, Json arguments, Instant deadline,
                                 Json meta = nullptr);
  Task<Reply<Json>> read_resource(std::string uri, Instant deadline);
  Task<Reply<Json>> get_prompt(std::string name, Json arguments, Instant deadline);
  // complete asks for completions of argument {"name", "value"} of a ref
  // {"type": "ref/prompt", "name"} or {"type": "ref/resource", "uri"}. `known`: the arguments
  // chosen before, by name; left out where the revision does not take them.
  Task<Reply<Json>> complete(Json ref, Json argument, Instant deadline, Json known = nullptr);

  // ping, subscribe and unsubscribe are kRefused in a stateless revision; set_logging_level there
  // is at once and holds for the requests to come.
  Task<Reply<Json>> ping(Instant deadline);
  Task<Reply<Json>> set_logging_level(std::string level, Instant deadline);
  Task<Reply<Json>> subscribe(std::string uri, Instant deadline);
  Task<Reply<Json>> unsubscribe(std::string uri, Instant deadline);

  // Subscription is an open subscriptions/listen: `honoured` is what the server agreed to tell.
  struct Subscription {
    std::int64_t id = 0;
    Json honoured;
  };

  // listen asks to be told what `filter` says ({"toolsListChanged"?, "promptsListChanged"?,
  // "resourcesListChanged"?, "resourceSubscriptions"?: [uri]}) and waits until the server has
  // acknowledged it. What it tells comes through on_notified, the end through
  // on_subscription_ended. kRefused in a revision with initialize.
  Task<Reply<Subscription>> listen(Json filter, Instant deadline);

  // unlisten ends a subscription. No-op for one that is over.
  void unlisten(std::int64_t id);

  // forget_cache makes the lists and resources be asked for again: other credentials may see
  // others.
  void forget_cache() { cache_.clear(); }

  // forget_list and forget_lists do so with one list, by its method, and with all of them.
  void forget_list(const std::string& method) { cache_.forget(method); }
  void forget_lists();

  // roots_changed tells the server that on_list_roots would answer differently now. No-op when the
  // capability was not declared or the session is not open.
  void roots_changed();

  // open returns whether requests can be sent: initialized, and nobody has closed.
  bool open() const { return engine_.is_open(); }

  // server returns what initialize told. Aborts before it succeeded.
  const ServerInfo& server() const { return engine_.server(); }

  // close ends every waiting request as disconnected and closes our direction of the channel.
  void close(std::string why = "closed by the client");

  // heard counts what came from the server: messages, and what was none.
  std::int64_t heard() const { return heard_; }

  std::int64_t violations() const { return engine_.violations(); }
  std::int64_t late_replies() const { return engine_.late_replies(); }
  const std::string& name() const { return trace_.name(); }

  // last_violation says what the peer got wrong last; empty when nothing.
  const std::string& last_violation() const { return last_violation_; }

  // close_reason says why the session is closed; empty while it is not.
  const std::string& close_reason() const { return close_reason_; }

  // implements MessageReceiver ---
  void on_message(Json message) override;
  void on_garbage(std::string_view bytes, const Error& error) override;
  void on_lost(const rpc::RpcId& id, const Error& error) override;
  void on_closed(const Error* error) override;

 private:
  void fire() override;
  void give_up(std::int64_t id) override;
  void ping_ahead(Instant deadline, bool take_back);
  Task<Reply<Json>> cached(std::string method, Json params, Instant deadline);
  Task<Reply<std::vector<Json>>> whole_list(std::string method, Instant deadline);
  void pump();
  void act(ClientEngine::Action& action);
  void on_ended(ClientEngine::Ended& ended);
  void trace_ended(const ClientEngine::Ended& ended);
  void rearm();

  Loop& loop_;
  transport::MessageChannel& channel_;
  SessionTrace trace_;
  std::int64_t opening_id_ = 0;    // Of the opening's first request.
  std::int64_t opening_wire_ = 0;  // Of its present one.
  ClientEngine engine_;
  ReplyWaiters waiters_;
  bool pumping_ = false;
  bool* destroyed_ = nullptr;  // Set while pumping: where to tell that this object is gone.
  std::int64_t heard_ = 0;
  std::string last_violation_;
  std::string close_reason_;
  ResponseCache cache_;
  ReplyWaiters acknowledgements_;
  TaskFollower tasks_;
  PeerWork work_;  // Last: its handlers are dropped first.
};

}  // namespace plumbline::mcp
