#include "core/mcp/client/client_engine.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/rare.h"
#include "core/mcp/protocol/answer.h"
#include "core/mcp/protocol/meta_keys.h"
#include "core/mcp/protocol/methods.h"
#include "core/rpc/legible_answer.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;
using rpc::InFlight;

}  // namespace

ClientEngine::ClientEngine(ClientOptions options)
    : options_(std::move(options)),
      revision_(options_.preferred),
      in_flight_(options_.in_flight_max) {}

const ServerInfo& ClientEngine::server() const {
  check(server_.has_value(), "server() before the opening succeeded");
  return *server_;
}

std::int64_t ClientEngine::start(std::string method, Json params, Instant now, Instant deadline) {
  const std::int64_t id = in_flight_.start(method, now, deadline);
  if (!meta_.is_null()) {
    Json& meta = params["_meta"];
    if (!meta.is_object()) meta = Json::object();
    for (const auto& [key, value] : meta_.items()) meta.emplace(key, value);
  }
  if (method == "tools/call" && options_.ask_for_progress) {
    Json& meta = params["_meta"];
    if (find(meta, "progressToken") == nullptr) meta["progressToken"] = id;
  }
  if (const Json* const token = find_meta(params, "progressToken")) {
    in_flight_.find(id)->progress_token = rpc::read_id(*token);
  }
  send(rpc::encode(rpc::Request{in_flight_.named(id), std::move(method), std::move(params)}));
  return id;
}

std::optional<Failure> ClientEngine::refusal(std::string_view method) const {
  if (stage_ == Stage::kClosed) {
    return Failure(Kind::kDisconnected, std::string(method) + ": the session is closed");
  }
  const bool early_ping = method == "ping" && !is_stateless(revision_);
  if (stage_ == Stage::kNew || (stage_ == Stage::kOpening && !early_ping)) {
    return Failure(Kind::kRefused, std::string(method) + " has to wait for the opening");
  }
  if (in_flight_.full() || waiting() >= options_.in_flight_max) {
    return Failure(Kind::kRefused,
                   std::to_string(waiting()) + " requests wait already, which is the bound");
  }
  if (stage_ != Stage::kOpen) return std::nullopt;
  if (std::optional<std::string> why = not_of(revision_, method)) {
    return Failure(Kind::kRefused, *std::move(why));
  }
  if (const std::optional<std::string> missing = missing_capability(*server_, method)) {
    return Failure(Kind::kRefused,
                   std::string(method) + ": the server has not declared " + *missing);
  }
  return std::nullopt;
}

Reply<std::int64_t> ClientEngine::call(std::string method, Json params, Instant now,
                                       Instant deadline) {
  check(params.is_null() || params.is_object(), "params that are no object");
  if (std::optional<Failure> why = refusal(method)) return *std::move(why);
  if (!is_stateless(revision_) || !may_need_input(method)) {
    return start(std::move(method), std::move(params), now, deadline);
  }
  InputRounds::Round round{0, method, params, now, deadline, 1, std::nullopt};
  const std::int64_t id = round.id = start(std::move(method), std::move(params), now, deadline);
  rounds_.send(id, std::move(round));
  return id;
}

void ClientEngine::notify(std::string method, Json params) {
  if (!is_open()) return;
  send(rpc::encode(rpc::Notification{std::move(method), std::move(params)}));
}

void ClientEngine::set_log_level(std::string level) {
  options_.log_level = std::move(level);
  if (!meta_.is_null()) meta_ = request_meta(options_, revision_);
}

void ClientEngine::cancel(std::int64_t id, std::string reason) {
  if (const InputRounds::Round* const round = rounds_.find_waiting(id)) {
    return give_up_input(id, Failure(Kind::kCancelled, round->method + " was cancelled"));
  }
  const std::int64_t wire = id == opening_id_ ? opening_wire_ : rounds_.wire_of(id);
  if (in_flight_.find(wire) == nullptr) return;
  InFlight::Entry entry = in_flight_.abandon(wire);
  Failure why(Kind::kCancelled, entry.method + " was cancelled");
  if (wire == opening_wire_) {
    const std::string reason_to_close = why.message;
    end(std::move(entry), std::move(why));
    return close(reason_to_close);
  }
  send(cancelled_message(in_flight_.named(wire), std::move(reason)));
  end(std::move(entry), std::move(why));
}

Instant ClientEngine::next_deadline() const {
  return std::min(in_flight_.next_deadline(), rounds_.next_deadline());
}

void ClientEngine::tick(Instant now) {
  const auto late = [now](const std::string& method, Instant started) {
    return Failure(Kind::kTimeout, method + " was not answered in " +
                                       std::to_string(milliseconds_of(now - started)) + " ms");
  };
  for (const std::int64_t id : in_flight_.due(now)) {
    if (in_flight_.find(id) == nullptr) continue;  // Ended with the session in this very tick.
    InFlight::Entry entry = in_flight_.abandon(id);
    Failure why = late(entry.method, entry.started);
    if (id == opening_wire_) {
      finish_opening(std::move(entry), std::move(why), now);
    } else {
      send(cancelled_message(in_flight_.named(id), "timed out"));
      end(std::move(entry), std::move(why));
    }
  }
  for (const std::int64_t id : rounds_.due(now)) {
    const InputRounds::Round& round = *rounds_.find_waiting(id);
    give_up_input(id, late(round.method, round.started));
  }
}

void ClientEngine::lost(const rpc::RpcId& id, const Error& error, Instant now) {
  const std::optional<std::int64_t> number = in_flight_.number_of(id);
  if (!number || in_flight_.find(*number) == nullptr) return;
  InFlight::Entry entry = in_flight_.abandon(*number);
  const bool refused = error.code == ErrorCode::kUnsupported;
  Failure why(refused ? Kind::kRefused : Kind::kDisconnected, entry.method + ": " + error.message);
  if (*number == opening_wire_) return finish_opening(std::move(entry), std::move(why), now);
  end(std::move(entry), std::move(why));
}

void ClientEngine::disconnected(const std::string& why) {
  if (stage_ == Stage::kClosed) return;
  stage_ = Stage::kClosed;
  asked_.clear();
  batches_ = {};
  for (const std::int64_t id : in_flight_.ids()) {
    InFlight::Entry entry = in_flight_.abandon(id);
    Failure gone(Kind::kDisconnected, entry.method + ": " + why);
    end(std::move(entry), std::move(gone));
  }
  for (const std::int64_t id : rounds_.all_waiting()) {
    const std::string& method = rounds_.find_waiting(id)->method;
    give_up_input(id, Failure(Kind::kDisconnected, method + ": " + why));
  }
}

void ClientEngine::close(std::string why) {
  if (stage_ == Stage::kClosed) return;
  disconnected(why);
  actions_.emplace_back(Close{std::move(why)});
}

// end reports a request under the id that the caller knows.
void ClientEngine::end(InFlight::Entry&& entry, Reply<Json>&& reply) {
  const std::int64_t id = entry.id == opening_wire_ ? opening_id_ : rounds_.end(entry.id);
  actions_.emplace_back(Ended{id, std::move(entry.method), std::move(reply)});
}

void ClientEngine::violation(std::string what) {
  ++violations_;
  actions_.emplace_back(Violation{std::move(what)});
}

void ClientEngine::garbage(std::string_view text, const std::string& why, Instant now) {
  violation("not a message: " + why);
  const std::optional<rpc::RpcId> id = rpc::legible_answer(text);
  if (id) unreadable(*id, why, now);
}

// unreadable ends the request that got an answer of which only the id can be used.
void ClientEngine::unreadable(const rpc::RpcId& id, const std::string& why, Instant now) {
  const std::optional<std::int64_t> number = in_flight_.number_of(id);
  if (!number || in_flight_.find(*number) == nullptr) return;
  InFlight::Entry entry = in_flight_.answer(*number);
  Failure broken(Kind::kInvalidReply, "the answer to " + entry.method + " cannot be used: " + why);
  if (*number == opening_wire_) return finish_opening(std::move(entry), std::move(broken), now);
  end(std::move(entry), std::move(broken));
}

void ClientEngine::receive(Json message, Instant now) {
  if (stage_ == Stage::kClosed) return;
  if (stage_ == Stage::kNew) return violation("the server speaks before the opening");
  if (!rpc::is_batch(message)) return receive_one(std::move(message), now, std::nullopt);
  if (!is_open() || !has_batching(server_->revision)) {
    return violation("a batch, which this revision does not have");
  }
  receive_batch(std::move(message), now);
}

void ClientEngine::receive_batch(Json batch, Instant now) {
  std::vector<Json> members = rpc::split_batch(std::move(batch));
  if (members.empty()) return violation("an empty batch");
  const rpc::BatchReplies::Key key = batches_.open();
  for (Json& member : members) receive_one(std::move(member), now, key);
  if (std::optional<Json> answers = batches_.seal(key)) send(*std::move(answers));
}

void ClientEngine::receive_one(Json value, Instant now,
                               std::optional<rpc::BatchReplies::Key> batch) {
  Result<rpc::Message, rpc::DecodeError> decoded = rpc::decode(std::move(value));
  if (!decoded.ok()) return on_decode_error(decoded.error(), batch, now);
  std::visit(
      Overloaded{
          [&](rpc::Request& request) { on_request(std::move(request), batch); },
          [&](rpc::Notification& notification) { on_notification(std::move(notification), now); },
          [&](rpc::Response& response) { on_response(std::move(response), now); },
          [&](rpc::ErrorResponse& error) { on_error(std::move(error), now); },
      },
      decoded.value());
}

void ClientEngine::on_decode_error(const rpc::DecodeError& error,
                                   std::optional<rpc::BatchReplies::Key> batch, Instant now) {
  violation(error.what);
  if (!error.id) return;
  if (error.kind == rpc::DecodeError::Kind::kRequest) {
    if (is_stateless(revision_)) return;  // Nothing that a server asks is answered.
    if (batch) batches_.expect(*batch);
    return reply_to(answer_message(*error.id, Failure(rpc::kInvalidRequest, error.what)), batch);
  }
  unreadable(*error.id, error.what, now);
}

// awaited returns whether an answer to `id` ends a waiting request, and notes it when it does not.
bool ClientEngine::awaited(const rpc::RpcId& id) {
  InFlight::Judgement judgement = in_flight_.judge(id);
  if (judgement.late) ++late_replies_;
  if (!judgement.violation.empty()) violation(std::move(judgement.violation));
  return judgement.awaited;
}

void ClientEngine::on_response(rpc::Response&& response, Instant now) {
  if (!awaited(response.id)) return;
  InFlight::Entry entry = in_flight_.answer(*in_flight_.number_of(response.id));
  if (entry.id == opening_wire_) {
    return finish_opening(std::move(entry), std::move(response.result), now);
  }
  if (const InputRounds::Round* const round = rounds_.find_sent(entry.id)) {
    if (string_or(response.result, "resultType", "") == "input_required") {
      return need_input(std::move(entry), response.result, now);
    }
    // Spec 2026-07-28, server/utilities/caching (MUST NOT cache what a retry has brought).
    if (round->count > 1 && response.result.is_object()) response.result.erase("ttlMs");
  }
  // Extension io.modelcontextprotocol/tasks: the call goes on as a task.
  if (options_.tasks && entry.method == "tools/call" && is_stateless(revision_) &&
      string_or(response.result, "resultType", "") == "task" &&
      find_string(response.result, "taskId")) {
    return end(std::move(entry), std::move(response.result));
  }
  Reply<Json> reply = read_result(revision_, entry.method, std::move(response.result));
  if (!reply.ok()) violation(reply.error().message);
  end(std::move(entry), std::move(reply));
}

void ClientEngine::on_error(rpc::ErrorResponse error, Instant now) {
  if (!error.id) {
    return violation("the server could not read a message of ours: " + error.message);
  }
  if (!awaited(*error.id)) return;
  InFlight::Entry entry = in_flight_.answer(*in_flight_.number_of(*error.id));
  Failure why(error.code, std::move(error.message), std::move(error.data));
  if (entry.id == opening_wire_) return finish_opening(std::move(entry), std::move(why), now);
  end(std::move(entry), std::move(why));
}

}  // namespace plumbline::mcp
