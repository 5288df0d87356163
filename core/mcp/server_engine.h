// ServerEngine is an MCP server without I/O: messages, Instants and finished work go in, actions
// come out. It answers by itself what needs no handler, and refuses what breaks the protocol.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/mcp/failure.h"
#include "core/mcp/server_era.h"
#include "core/mcp/server_options.h"
#include "core/rpc/batch.h"
#include "core/rpc/in_flight.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

class ServerEngine {
 public:
  // Key names one call to be finished. Never used twice.
  using Key = std::int64_t;

  struct Send {
    Json message;
  };
  // Call: run the handler of `method` for `target` (a tool, a prompt, a URI; empty for completion)
  // and finish() it. The target is known and the arguments are checked.
  struct Call {
    Key key = 0;
    std::string method;
    std::string target;
    Json params;
  };
  // Cancelled: the client has taken this call back. finish() is a no-op from now on.
  struct Cancelled {
    Key key = 0;
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

  explicit ServerEngine(ServerOptions options,
                        std::unique_ptr<ServerEra> era = stateful_server_era());

  // receive takes one message of the client, or one batch where the revision has them.
  void receive(Json message);

  // garbage answers bytes that are no JSON with kParseError and a null id.
  void garbage(std::string what);

  // finish answers a call. A Failure becomes a JSON-RPC error; kInvalidParams of a tool becomes an
  // isError result where the revision wants that. No-op for a call that is over.
  void finish(Key key, Reply<Json> reply);

  // progress reports on a call, if the client asked for it. Values that do not increase are left
  // out, the message where the revision has none.
  void progress(Key key, double value, std::optional<double> total, std::string message);

  // log sends a log message, unless logging is off or `level` is below what the client asked for.
  // `level` is one of the eight names of RFC 5424.
  void log(std::string_view level, std::string_view logger, Json data);

  // resource_updated tells the client if it has subscribed to `uri`.
  void resource_updated(const std::string& uri);

  // The setters replace what is offered and tell the client that the list has changed.
  void set_tools(std::vector<Json> tools);
  void set_resources(std::vector<Json> resources, std::vector<Json> templates);
  void set_prompts(std::vector<Json> prompts);

  // request asks the client: ping, roots/list, sampling/createMessage, elicitation/create. kRefused
  // when it did not declare the capability, or before notifications/initialized (ping excepted).
  Reply<std::int64_t> request(std::string method, Json params, Instant now, Instant deadline);

  // cancel takes a request of ours back. No-op when it does not wait.
  void cancel(std::int64_t id, std::string reason);

  // tick ends what is overdue. Call it at next_deadline().
  void tick(Instant now);
  Instant next_deadline() const { return in_flight_.next_deadline(); }

  // disconnected ends our requests as kDisconnected and every call as cancelled.
  void disconnected(std::string why);

  Actions take_actions() { return std::exchange(actions_, {}); }

  // client returns who is at the other end, nullptr before initialize.
  const ClientInfo* client() const { return era_->client(); }
  bool ready() const { return era_->ready() && !closed_; }
  bool closed() const { return closed_; }
  const ServerOptions& options() const { return options_; }
  std::size_t running() const { return calls_.size(); }
  std::int64_t violations() const { return violations_; }
  std::int64_t late_replies() const { return late_replies_; }

 private:
  using BatchKey = std::optional<rpc::BatchReplies::Key>;

  // Running is a call that waits for finish().
  struct Running {
    rpc::RpcId id;
    std::string method;
    Revision revision;
    BatchKey batch;
    Json progress_token;  // Null: no progress is wanted.
    std::optional<double> progress;
  };

  // What a method makes of a request: an answer, or a target to be called.
  struct Target {
    std::string name;
  };
  using Outcome = std::variant<Reply<Json>, Target>;

  void receive_one(Json value, BatchKey batch);
  void on_decode_error(const rpc::DecodeError& error, BatchKey batch);
  void on_request(rpc::Request request, BatchKey batch);
  void on_notification(rpc::Notification notification);
  void on_cancelled(const Json& params);
  void on_answer(const rpc::RpcId& id, Reply<Json> reply);
  void start_call(rpc::Request request, std::string target, const ClientInfo& client,
                  BatchKey batch);

  // In server_methods.cc: what each method does.
  Outcome dispatch(const rpc::Request& request, const ClientInfo& client);
  Reply<Json> list(const rpc::Request& request, const std::vector<Json>& items,
                   std::string_view member, Revision revision) const;
  Outcome call_tool(const Json& params, Revision revision) const;
  Outcome read_resource(const Json& params, Revision revision) const;
  Outcome get_prompt(const Json& params) const;
  Outcome complete(const Json& params) const;
  Reply<Json> subscribe(const Json& params, bool on, Revision revision);
  Reply<Json> set_level(const Json& params);
  bool offers(const std::string& uri) const;
  std::optional<std::string> missing_client_capability(std::string_view method,
                                                       const Json& params) const;

  void reply_to(Json message, BatchKey batch);
  void send(Json message) { actions_.emplace_back(Send{std::move(message)}); }
  void notify(std::string method, Json params);
  void list_changed(std::string_view area);
  void end(rpc::InFlight::Entry entry, Reply<Json> reply);
  void violation(std::string what);

  ServerOptions options_;
  std::unique_ptr<ServerEra> era_;
  bool closed_ = false;
  std::map<Key, Running> calls_;
  std::map<rpc::RpcId, Key> keys_;
  Key next_key_ = 1;
  rpc::InFlight in_flight_;
  rpc::BatchReplies batches_;
  std::set<std::string> subscriptions_;
  int level_min_ = 0;  // Index of the lowest severity that is sent.
  Actions actions_;
  std::int64_t violations_ = 0;
  std::int64_t late_replies_ = 0;
};

}  // namespace plumbline::mcp
