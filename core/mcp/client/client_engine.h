// ClientEngine is an MCP client without I/O: calls, messages and Instants go in, actions come out.
//
// Every request ends exactly once: by its answer, its deadline, a cancel, or the end of the
// connection. An answer that fits no waiting request never completes another.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/mcp/client/client_era.h"
#include "core/mcp/client/client_options.h"
#include "core/mcp/client/input_rounds.h"
#include "core/mcp/protocol/failure.h"
#include "core/mcp/protocol/server_info.h"
#include "core/rpc/batch.h"
#include "core/rpc/in_flight.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

class ClientEngine {
 public:
  // Send: put this on the wire.
  struct Send {
    Json message;
  };
  // Ended: request `id` is over. Exactly one for each id that call() or open() returned.
  struct Ended {
    std::int64_t id = 0;
    std::string method;
    Reply<Json> reply;
  };
  // Reopened: request `id`, which opened the conversation, is over with `reply`, and the opening
  // goes on as request `next`. Its Ended still names the first of them.
  struct Reopened {
    std::int64_t id = 0;
    std::string method;
    Reply<Json> reply;
    std::int64_t next = 0;
    std::string next_method;
  };
  // Notified: the server sent this notification.
  struct Notified {
    std::string method;
    Json params;
  };
  // Asked: the server sent this request and the capability for it is declared: answer() it.
  struct Asked {
    rpc::RpcId id;
    std::string method;
    Json params;
  };
  // Withdrawn: the server has taken an Asked back. answer() is a no-op from now on.
  struct Withdrawn {
    rpc::RpcId id;
  };
  // InputNeeded: request `id` can only go on with answers to `requests`, an object of
  // {"method", "params"?} by name, each of a declared kind: provide() them, or give_up_input().
  struct InputNeeded {
    std::int64_t id = 0;
    Json requests;
  };
  // Acknowledged: subscription `id` is open for what `honoured` says.
  struct Acknowledged {
    std::int64_t id = 0;
    Json honoured;
  };
  // Violation: the server broke the protocol. The engine has dropped what did.
  struct Violation {
    std::string what;
  };
  // Close: the conversation cannot go on; close the channel.
  struct Close {
    std::string why;
  };
  using Action = std::variant<Send, Ended, Reopened, Notified, Asked, Withdrawn, InputNeeded,
                              Acknowledged, Violation, Close>;
  using Actions = std::vector<Action>;

  explicit ClientEngine(ClientOptions options);

  // open opens the conversation, by server/discover or initialize as the options say, and returns
  // the id of its request. Its Ended carries null: what the server said is in server(). Call it
  // once.
  std::int64_t open(Instant now, Instant deadline);

  // call sends a request and returns its id. A Failure means that nothing was sent: kRefused when
  // the server lacks the capability, the revision the method, or too many requests wait,
  // kDisconnected when not open. Before the server has answered initialize only ping may go.
  //
  // The deadline of subscriptions/listen is that of its acknowledgement.
  Reply<std::int64_t> call(std::string method, Json params, Instant now, Instant deadline);

  // provide repeats a request that needs input, with `responses`: an object of results by name.
  // No-op when the request is over.
  //
  // Spec 2026-07-28, basic/patterns/mrtr (MUST a new id, the same requestState byte by byte).
  void provide(std::int64_t id, Json responses, Instant now);

  // give_up_input ends a request that needs input which nobody gives. No-op when it is over.
  void give_up_input(std::int64_t id, Failure why);

  // notify sends a notification. No-op unless open().
  void notify(std::string method, Json params);

  // cancel takes a request back: notifications/cancelled goes out (never for initialize, which
  // ends the conversation instead) and it ends as kCancelled. No-op when it does not wait.
  //
  // Spec 2025-11-25, basic/utilities/cancellation, Cancellation Flow (MUST, MUST NOT).
  void cancel(std::int64_t id, std::string reason);

  // answer replies to an Asked. No-op when the server has taken it back meanwhile.
  void answer(const rpc::RpcId& id, Reply<Json> reply);

  // receive takes one message of the server, or one batch where the revision has them.
  void receive(Json message, Instant now);

  // garbage notes a text that was no message. A request of ours that it would have answered ends as
  // kInvalidReply.
  void garbage(std::string_view text, const std::string& why, Instant now);

  // lost tells that a request of ours gets no answer: kUnsupported, it was refused; any other code,
  // its exchange broke off.
  void lost(const rpc::RpcId& id, const Error& error, Instant now);

  // tick ends what is overdue. Call it at next_deadline().
  void tick(Instant now);
  Instant next_deadline() const;

  // disconnected ends every waiting request with kDisconnected. Nothing is sent any more.
  void disconnected(const std::string& why);

  // take_actions returns what has to be done since the last call, in order.
  Actions take_actions() { return std::exchange(actions_, {}); }

  // set_log_level changes what requests of a stateless revision ask for; empty: no log messages.
  void set_log_level(std::string level);

  // refuses returns why the server may not ask `method` of us, nothing when it may.
  std::optional<Failure> refuses(const std::string& method, const Json& params) const;

  bool is_open() const { return stage_ == Stage::kOpen; }
  bool closed() const { return stage_ == Stage::kClosed; }
  const ServerInfo& server() const;
  const ClientOptions& options() const { return options_; }
  std::size_t waiting() const { return in_flight_.size() + rounds_.waiting(); }
  std::int64_t violations() const { return violations_; }
  std::int64_t late_replies() const { return late_replies_; }

 private:
  using BatchKey = std::optional<rpc::BatchReplies::Key>;
  enum class Stage { kNew, kOpening, kOpen, kClosed };

  // Question is a request of the server; its answer names the same task, if it names one.
  struct Question {
    BatchKey batch;
    Json related;
  };

  std::int64_t start(std::string method, Json params, Instant now, Instant deadline);
  void start_opening(Instant now);
  void reopen(rpc::InFlight::Entry&& entry, Reply<Json>&& reply, Instant now);
  std::optional<Failure> refusal(std::string_view method) const;
  void receive_batch(Json batch, Instant now);
  void receive_one(Json value, Instant now, BatchKey batch);
  void on_decode_error(const rpc::DecodeError& error, BatchKey batch, Instant now);
  void unreadable(const rpc::RpcId& id, const std::string& why, Instant now);
  void on_request(rpc::Request request, BatchKey batch);
  void on_notification(rpc::Notification notification, Instant now);
  void on_response(rpc::Response&& response, Instant now);
  void on_error(rpc::ErrorResponse error, Instant now);
  bool on_progress(const Json& params, Instant now);
  void on_cancelled(const Json& params);
  void on_acknowledged(const Json& params);
  bool belongs(const rpc::Notification& notification);
  bool awaited(const rpc::RpcId& id);
  bool declared(std::string_view method) const;
  std::optional<Failure> bad_ask(const rpc::Request& request);
  void finish_opening(rpc::InFlight::Entry&& entry, Reply<Json>&& answer, Instant now);
  void need_input(rpc::InFlight::Entry entry, const Json& result, Instant now);
  void end(rpc::InFlight::Entry&& entry, Reply<Json>&& reply);
  void reply_to(Json message, BatchKey batch);
  void send(Json message) { actions_.emplace_back(Send{std::move(message)}); }
  void violation(std::string what);
  void close(std::string why);

  ClientOptions options_;
  Stage stage_ = Stage::kNew;
  std::optional<ServerInfo> server_;
  Revision revision_;  // Tried, then agreed on.
  bool second_discover_ = false;
  std::int64_t opening_id_ = 0;    // What the caller knows the opening by.
  std::int64_t opening_wire_ = 0;  // The id of its present request.
  Instant opening_deadline_ = kNever;
  Json meta_;  // What each request carries; null: nothing.
  rpc::InFlight in_flight_;
  InputRounds rounds_;
  rpc::BatchReplies batches_;
  std::map<rpc::RpcId, Question> asked_;  // Not yet answered.
  Actions actions_;
  std::int64_t violations_ = 0;
  std::int64_t late_replies_ = 0;
};

}  // namespace plumbline::mcp
