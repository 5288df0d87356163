#include "core/mcp/client_engine.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/mcp/answer.h"
#include "core/mcp/methods.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;
using rpc::InFlight;

}  // namespace

ClientEngine::ClientEngine(ClientOptions options, std::unique_ptr<ClientEra> era)
    : options_(std::move(options)), era_(std::move(era)), in_flight_(options_.in_flight_max) {
  check(era_ != nullptr, "a client engine without an era");
}

const ServerInfo& ClientEngine::server() const {
  check(server_.has_value(), "server() before initialize succeeded");
  return *server_;
}

std::int64_t ClientEngine::initialize(Instant now, Instant deadline) {
  check(stage_ == Stage::kNew, "initialize() twice");
  stage_ = Stage::kOpening;
  ClientEra::Opening opening = era_->opening(options_);
  opening_id_ = start(std::move(opening.method), std::move(opening.params), now, deadline);
  return opening_id_;
}

std::int64_t ClientEngine::start(std::string method, Json params, Instant now, Instant deadline) {
  const std::int64_t id = in_flight_.start(method, now, deadline);
  if (options_.ask_for_progress && method == "tools/call") {
    Json& meta = params["_meta"];
    if (find(meta, "progressToken") == nullptr) meta["progressToken"] = id;
  }
  if (const Json* const meta = find(params, "_meta")) {
    if (const Json* const token = find(*meta, "progressToken")) {
      in_flight_.find(id)->progress_token = rpc::read_id(*token);
    }
  }
  send(rpc::encode(rpc::Request{rpc::RpcId(id), std::move(method), std::move(params)}));
  return id;
}

std::optional<Failure> ClientEngine::refusal(std::string_view method) const {
  if (stage_ == Stage::kClosed) {
    return Failure(Kind::kDisconnected, std::string(method) + ": the session is closed");
  }
  if (stage_ == Stage::kNew || (stage_ == Stage::kOpening && method != "ping")) {
    return Failure(Kind::kRefused, std::string(method) + " has to wait for initialize");
  }
  if (in_flight_.full()) {
    return Failure(Kind::kRefused, std::to_string(in_flight_.size()) +
                                       " requests wait already, which is the bound");
  }
  if (stage_ != Stage::kOpen) return std::nullopt;
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
  era_->dress(params);
  return start(std::move(method), std::move(params), now, deadline);
}

void ClientEngine::notify(std::string method, Json params) {
  if (!open()) return;
  era_->dress(params);
  send(rpc::encode(rpc::Notification{std::move(method), std::move(params)}));
}

void ClientEngine::cancel(std::int64_t id, std::string reason) {
  if (in_flight_.find(id) == nullptr) return;
  InFlight::Entry entry = in_flight_.abandon(id);
  Failure why(Kind::kCancelled, entry.method + " was cancelled");
  if (id == opening_id_) {
    end(std::move(entry), std::move(why));
    close("initialize was cancelled");
    return;
  }
  send(cancelled_message(id, std::move(reason)));
  end(std::move(entry), std::move(why));
}

void ClientEngine::tick(Instant now) {
  for (const std::int64_t id : in_flight_.due(now)) {
    if (in_flight_.find(id) == nullptr) continue;  // Ended with the session in this very tick.
    InFlight::Entry entry = in_flight_.abandon(id);
    const std::int64_t waited_ms = milliseconds_of(now - entry.started);
    Failure why(Kind::kTimeout,
                entry.method + " was not answered in " + std::to_string(waited_ms) + " ms");
    if (id == opening_id_) {
      end(std::move(entry), std::move(why));
      close("initialize was not answered in time");
    } else {
      send(cancelled_message(id, "timed out"));
      end(std::move(entry), std::move(why));
    }
  }
}

void ClientEngine::disconnected(std::string why) {
  if (stage_ == Stage::kClosed) return;
  stage_ = Stage::kClosed;
  asked_.clear();
  batches_ = {};
  for (const std::int64_t id : in_flight_.ids()) {
    InFlight::Entry entry = in_flight_.abandon(id);
    Failure lost(Kind::kDisconnected, entry.method + ": " + why);
    end(std::move(entry), std::move(lost));
  }
}

void ClientEngine::close(std::string why) {
  if (stage_ == Stage::kClosed) return;
  disconnected(why);
  actions_.emplace_back(Close{std::move(why)});
}

void ClientEngine::end(InFlight::Entry entry, Reply<Json> reply) {
  actions_.emplace_back(Ended{entry.id, std::move(entry.method), std::move(reply)});
}

void ClientEngine::violation(std::string what) {
  ++violations_;
  actions_.emplace_back(Violation{std::move(what)});
}

void ClientEngine::garbage(std::string what) { violation("not a message: " + std::move(what)); }

void ClientEngine::receive(Json message, Instant now) {
  if (stage_ == Stage::kClosed) return;
  if (stage_ == Stage::kNew) return violation("the server speaks before initialize");
  if (!rpc::is_batch(message)) return receive_one(std::move(message), now, std::nullopt);
  if (!open() || !has_batching(server_->revision)) {
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
  if (!decoded.ok()) return on_decode_error(decoded.error(), batch);
  std::visit(
      Overloaded{
          [&](rpc::Request& request) { on_request(std::move(request), batch); },
          [&](rpc::Notification& notification) { on_notification(std::move(notification), now); },
          [&](rpc::Response& response) { on_response(std::move(response)); },
          [&](rpc::ErrorResponse& error) { on_error(std::move(error)); },
      },
      decoded.value());
}

void ClientEngine::on_decode_error(const rpc::DecodeError& error,
                                   std::optional<rpc::BatchReplies::Key> batch) {
  violation(error.what);
  if (!error.id) return;
  if (error.kind == rpc::DecodeError::Kind::kRequest) {
    if (batch) batches_.expect(*batch);
    return reply_to(answer_message(*error.id, Failure(rpc::kInvalidRequest, error.what)), batch);
  }
  const std::int64_t* const id = error.id->number();
  if (id == nullptr || in_flight_.find(*id) == nullptr) return;
  InFlight::Entry entry = in_flight_.answer(*id);
  const bool opening = *id == opening_id_;
  end(std::move(entry), Failure(Kind::kInvalidReply, error.what));
  if (opening) close("initialize was answered by something that is no response");
}

// awaited returns whether an answer to `id` ends a waiting request, and notes it when it does not.
bool ClientEngine::awaited(const rpc::RpcId& id) {
  InFlight::Judgement judgement = in_flight_.judge(id);
  if (judgement.late) ++late_replies_;
  if (!judgement.violation.empty()) violation(std::move(judgement.violation));
  return judgement.awaited;
}

void ClientEngine::on_response(rpc::Response response) {
  if (!awaited(response.id)) return;
  InFlight::Entry entry = in_flight_.answer(*response.id.number());
  if (entry.id == opening_id_) return finish_opening(std::move(entry), std::move(response.result));
  Reply<Json> reply = era_->read_result(entry.method, std::move(response.result));
  if (!reply.ok()) violation(reply.error().message);
  end(std::move(entry), std::move(reply));
}

void ClientEngine::on_error(rpc::ErrorResponse error) {
  if (!error.id) {
    return violation("the server could not read a message of ours: " + error.message);
  }
  if (!awaited(*error.id)) return;
  InFlight::Entry entry = in_flight_.answer(*error.id->number());
  const bool opening = entry.id == opening_id_;
  end(std::move(entry), Failure(error.code, std::move(error.message), std::move(error.data)));
  if (opening) close("the server refused initialize");
}

void ClientEngine::finish_opening(InFlight::Entry entry, Json result) {
  Reply<ServerInfo> info = era_->read_opening(options_, std::move(result));
  if (!info.ok()) {
    Failure why = std::move(info).error();
    const std::string reason = why.message;
    if (why.kind == Kind::kInvalidReply) violation(reason);
    end(std::move(entry), std::move(why));
    return close(reason);
  }
  server_ = std::move(info).value();
  stage_ = Stage::kOpen;
  if (std::optional<rpc::Notification> told = era_->confirmation()) {
    send(rpc::encode(*std::move(told)));
  }
  end(std::move(entry), Json());
}

}  // namespace plumbline::mcp
