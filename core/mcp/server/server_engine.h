// ServerEngine is an MCP server without I/O: messages, Instants and finished work go in, actions
// come out. It answers by itself what needs no handler, and refuses what breaks the protocol.
//
// It serves both kinds of revision at once: a request that names a protocol version in its _meta
// stands alone; any other needs initialize before.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"
#include "core/mcp/server/call_input.h"
#include "core/mcp/server/client_needs.h"
#include "core/mcp/server/listeners.h"
#include "core/mcp/server/server_era.h"
#include "core/mcp/server/server_methods.h"
#include "core/mcp/server/server_options.h"
#include "core/rpc/batch.h"
#include "core/rpc/in_flight.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

class ServerEngine {
 public:
  // Key names one call to be finished. Never used twice.
  using Key = std::int64_t;

  // Send: put this on the wire. `about`: the client's request that it belongs to.
  struct Send {
    Json message;
    std::optional<rpc::RpcId> about;
  };
  // Call: run the handler of `method` for `target` (a tool, a prompt, a URI; empty for completion)
  // and finish() it. The target is known and the arguments are checked.
  struct Call {
    Key key = 0;
    std::string method;
    std::string target;
    Json params;
    std::optional<TaskWish> task;
    std::string principal{};  // Whom the channel has authenticated; empty: nobody.
  };
  // Cancelled: the client has taken this call back. finish() is a no-op from now on.
  struct Cancelled {
    Key key = 0;
    rpc::RpcId id;
    std::string reason;
  };
  struct Notified {
    std::string method;
    Json params;
  };
  // Ended: a request of ours to the client is over. Exactly one for each id of request().
  struct Ended {
    std::int64_t id = 0;
    std::string method;
    Reply<Json> reply;
  };
  // Violation: the client broke the protocol; what can be answered has been.
  struct Violation {
    std::string what;
  };
  using Action = std::variant<Send, Call, Cancelled, Notified, Ended, Violation>;
  using Actions = std::vector<Action>;

  // `options` must outlive the engine. Whoever changes it tells by list_changed(). `principal`
  // names who is at the other end where that is known: state given to one is refused to another.
  explicit ServerEngine(const ServerOptions& options, std::string principal = {});

  // receive takes one message of the client, or one batch where the revision has them.
  void receive(Json message, Instant now);

  // garbage answers bytes that are no JSON with kParseError and a null id.
  void garbage(std::string what);

  // finish answers a call. A Failure becomes a JSON-RPC error; kInvalidParams of a tool becomes an
  // isError result where the revision wants that. In a stateless revision the result may be an
  // input_required one; its requestState is protected here. No-op for a call that is over.
  void finish(Key key, Reply<Json> reply, Instant now);

  // answer_of returns what the client has already answered to the question `name` of this call,
  // nullptr when it has not. Only in a stateless revision.
  const Json* answer_of(Key key, const std::string& name);

  // ask ends a call of a stateless revision by asking the client for `asks`, which are declared.
  // The client comes back with the same call, and what answer_of() has told so far is kept.
  //
  // Spec 2026-07-28, basic/patterns/mrtr.
  void ask(Key key, std::vector<Ask> asks, Instant now);

  // undeclared returns what to answer when the client of this call has not declared what `ask`
  // needs: -32021 in a stateless revision, kRefused before. Nothing when it has.
  std::optional<Failure> undeclared(Key key, const Ask& ask) const;

  // progress reports on a call, if the client asked for it. Values that do not increase are left
  // out, the message where the revision has none.
  void progress(Key key, double value, std::optional<double> total, std::string message);

  // log sends a log message about a call, unless logging is off or `level` is below what the
  // client asked for. `level` is one of the eight names of RFC 5424.
  void log(Key key, std::string_view level, std::string_view logger, Json data);

  // log_to_all is a log message about no call. Only the revisions with initialize have that.
  void log_to_all(std::string_view level, std::string_view logger, Json data);

  // resource_updated tells the client if it has subscribed to `uri`; list_changed that the list of
  // `area` ("tools", "resources", "prompts") is another now.
  void resource_updated(const std::string& uri);
  void list_changed(std::string_view area);

  // task_changed tells of a task of 2025-11-25, task_updated those who listen to one of 2026-07-28.
  void task_changed(Json task);
  void task_updated(const std::string& id, const Json& full);

  // end_subscriptions ends each open subscriptions/listen in good order.
  //
  // Spec 2026-07-28, basic/patterns/subscriptions, Graceful Closure (SHOULD);
  // basic/patterns/cancellation (MUST notifications/cancelled).
  void end_subscriptions();

  // request asks the client: ping, roots/list, sampling/createMessage, elicitation/create. kRefused
  // when it did not declare the capability, before notifications/initialized (ping excepted), and
  // in a stateless revision. `about`: the call on whose behalf it asks, or none.
  Reply<std::int64_t> request(std::string method, Json params, Instant now, Instant deadline,
                              std::optional<Key> about = std::nullopt);

  // cancel takes a request of ours back. No-op when it does not wait.
  void cancel(std::int64_t id, std::string reason);

  // lost ends a request of ours that gets no answer any more.
  void lost(const rpc::RpcId& id, std::string why);

  // tick ends what is overdue. Call it at next_deadline().
  void tick(Instant now);
  Instant next_deadline() const { return in_flight_.next_deadline(); }

  // disconnected ends our requests as kDisconnected and every call as cancelled.
  void disconnected(const std::string& why);

  Actions take_actions() { return std::exchange(actions_, {}); }

  // client returns who has opened by initialize, nullptr before; client_of who sent this call,
  // nullptr when it is over.
  const ClientInfo* client() const { return opening_.client(); }
  const ClientInfo* client_of(Key key) const;

  // id_of returns the id of a call's request, nullptr when it is over.
  const rpc::RpcId* id_of(Key key) const;

  const std::string& principal() const { return principal_; }
  bool ready() const { return opening_.ready() && !closed_; }
  bool closed() const { return closed_; }
  const ServerOptions& options() const { return options_; }
  std::size_t running() const { return calls_.size(); }
  std::size_t subscriptions() const { return listeners_.size(); }
  std::int64_t violations() const { return violations_; }
  std::int64_t late_replies() const { return late_replies_; }

 private:
  using BatchKey = std::optional<rpc::BatchReplies::Key>;

  // Asker is who sent a request, and how to answer it.
  struct Asker {
    rpc::RpcId id;
    std::string method;
    Revision revision = kLatestStateful;
    std::optional<ClientInfo> own;  // Of a stateless request; else the client of initialize.
    BatchKey batch;
  };
  // Running is a call that waits for finish().
  struct Running {
    Asker asker;
    Json progress_token;  // Null: no progress is wanted.
    std::optional<double> progress;
    CallInput input;
  };
  void receive_one(Json value, BatchKey batch, Instant now);
  void on_decode_error(const rpc::DecodeError& error, BatchKey batch);
  void on_request(rpc::Request&& request, BatchKey batch, Instant now);
  std::optional<Failure> admit(const rpc::Request& request, Asker& asker);
  void on_notification(rpc::Notification notification);
  void on_cancelled(const Json& params);
  void on_answer(const rpc::RpcId& id, Reply<Json> reply);
  void start_call(rpc::Request&& request, ServerMethods::Target&& target, Asker&& asker,
                  Instant now);
  void respond(Asker&& asker, Reply<Json>&& reply);
  const ClientInfo& client_of(const Asker& asker) const;

  Reply<Json> ask_by_result(Running& running, Json result, Instant now);

  // In server_events.cc: what the server tells on its own account.
  void listen(const rpc::Request& request, Asker&& asker);
  void notify(std::string method, Json params, std::optional<rpc::RpcId> about = std::nullopt);
  void notify_listener(const rpc::RpcId& listener, std::string method, Json params);
  void end_subscription(const rpc::RpcId& id);

  void reply_to(Json message, BatchKey batch);
  void send(Json message) { actions_.emplace_back(Send{std::move(message), std::nullopt}); }
  void end(rpc::InFlight::Entry entry, Reply<Json> reply);
  void violation(std::string what);

  const ServerOptions& options_;
  std::string principal_;
  ServerMethods methods_;
  Opening opening_;
  bool closed_ = false;
  std::map<Key, Running> calls_;
  std::map<rpc::RpcId, Key> keys_;
  Key next_key_ = 1;
  Listeners listeners_;
  rpc::InFlight in_flight_;
  rpc::BatchReplies batches_;
  Actions actions_;
  std::int64_t violations_ = 0;
  std::int64_t late_replies_ = 0;
};

}  // namespace plumbline::mcp
