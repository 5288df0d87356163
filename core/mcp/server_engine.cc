#include "core/mcp/server_engine.h"

#include <utility>

#include "core/base/check.h"
#include "core/mcp/answer.h"
#include "core/mcp/downgrade.h"
#include "core/mcp/log_level.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;
using rpc::InFlight;

Json unreadable(std::int64_t code, std::string why) {
  return rpc::encode(rpc::ErrorResponse{std::nullopt, code, std::move(why), nullptr});
}

}  // namespace

ServerEngine::ServerEngine(ServerOptions options, std::unique_ptr<ServerEra> era)
    : options_(std::move(options)), era_(std::move(era)), in_flight_(options_.in_flight_max) {
  check(era_ != nullptr, "a server engine without an era");
  check(options_.page_items_max > 0, "pages without items");
}

void ServerEngine::violation(std::string what) {
  ++violations_;
  actions_.emplace_back(Violation{std::move(what)});
}

void ServerEngine::reply_to(Json message, BatchKey batch) {
  if (!batch) return send(std::move(message));
  if (std::optional<Json> answers = batches_.add(*batch, std::move(message))) {
    send(*std::move(answers));
  }
}

void ServerEngine::garbage(std::string what) {
  if (closed_) return;
  violation("not a message: " + what);
  send(unreadable(rpc::kParseError, std::move(what)));
}

// Spec 2025-03-26, basic, Batching (MUST receive); JSON-RPC 2.0 section 6 for the empty array.
void ServerEngine::receive(Json message) {
  if (closed_) return;
  if (!rpc::is_batch(message)) return receive_one(std::move(message), std::nullopt);
  if (client() == nullptr || !has_batching(client()->revision) || message.empty()) {
    const char* const why = message.empty() ? "an empty batch" : "batches are not supported";
    violation(why);
    return send(unreadable(rpc::kInvalidRequest, why));
  }
  const rpc::BatchReplies::Key key = batches_.open();
  for (Json& member : rpc::split_batch(std::move(message))) receive_one(std::move(member), key);
  if (std::optional<Json> answers = batches_.seal(key)) send(*std::move(answers));
}

void ServerEngine::receive_one(Json value, BatchKey batch) {
  Result<rpc::Message, rpc::DecodeError> decoded = rpc::decode(std::move(value));
  if (!decoded.ok()) return on_decode_error(decoded.error(), batch);
  std::visit(
      Overloaded{
          [&](rpc::Request& request) { on_request(std::move(request), batch); },
          [&](rpc::Notification& notification) { on_notification(std::move(notification)); },
          [&](rpc::Response& response) { on_answer(response.id, std::move(response.result)); },
          [&](rpc::ErrorResponse& error) {
            if (!error.id) return violation("an error without id: " + error.message);
            on_answer(*error.id,
                      Failure(error.code, std::move(error.message), std::move(error.data)));
          },
      },
      decoded.value());
}

void ServerEngine::on_decode_error(const rpc::DecodeError& error, BatchKey batch) {
  violation(error.what);
  if (error.kind == rpc::DecodeError::Kind::kRequest) {
    if (batch) batches_.expect(*batch);
    return reply_to(
        rpc::encode(rpc::ErrorResponse{error.id, rpc::kInvalidRequest, error.what, nullptr}),
        batch);
  }
  const std::int64_t* const id = error.id ? error.id->number() : nullptr;
  if (id == nullptr || in_flight_.find(*id) == nullptr) return;
  end(in_flight_.answer(*id), Failure(Kind::kInvalidReply, error.what));
}

void ServerEngine::on_request(rpc::Request request, BatchKey batch) {
  if (keys_.find(request.id) != keys_.end()) {
    return violation("request id " + rpc::describe(request.id) + " is used twice at a time");
  }
  if (batch) batches_.expect(*batch);
  ServerEra::Admission admission = era_->admit(options_, request);
  if (auto* const reply = std::get_if<Reply<Json>>(&admission)) {
    if (!reply->ok()) violation(reply->error().message);
    return reply_to(answer_message(std::move(request.id), std::move(*reply)), batch);
  }
  const ClientInfo& client = *std::get<const ClientInfo*>(admission);
  Outcome outcome = dispatch(request, client);
  if (auto* const target = std::get_if<Target>(&outcome)) {
    return start_call(std::move(request), std::move(target->name), client, batch);
  }
  Reply<Json>& reply = std::get<Reply<Json>>(outcome);
  reply_to(answer_message(std::move(request.id), std::move(reply)), batch);
}

void ServerEngine::start_call(rpc::Request request, std::string target, const ClientInfo& client,
                              BatchKey batch) {
  if (calls_.size() >= options_.in_flight_max) {
    Failure busy(rpc::kInternalError, "too many requests are running");
    return reply_to(answer_message(std::move(request.id), std::move(busy)), batch);
  }
  const Key key = next_key_++;
  Running running{request.id, request.method, client.revision, batch, nullptr, std::nullopt};
  if (const Json* const meta = find(request.params, "_meta")) {
    const Json* const token = find(*meta, "progressToken");
    if (token != nullptr && rpc::read_id(*token)) running.progress_token = *token;
  }
  calls_.emplace(key, std::move(running));
  keys_.emplace(std::move(request.id), key);
  actions_.emplace_back(
      Call{key, std::move(request.method), std::move(target), std::move(request.params)});
}

// Spec 2025-11-25, server/tools, Error Handling (input validation errors are tool results).
void ServerEngine::finish(Key key, Reply<Json> reply) {
  const auto found = calls_.find(key);
  if (found == calls_.end()) return;
  Running running = std::move(found->second);
  calls_.erase(found);
  keys_.erase(running.id);
  if (!reply.ok() && running.method == "tools/call" && reply.error().code == rpc::kInvalidParams &&
      argument_errors_are_results(running.revision)) {
    reply = tool_error(reply.error().message);
  }
  if (reply.ok()) downgrade_result(running.method, reply.value(), running.revision);
  reply_to(answer_message(std::move(running.id), std::move(reply)), running.batch);
}

void ServerEngine::on_notification(rpc::Notification notification) {
  era_->hear(notification);
  if (notification.method == "notifications/cancelled") return on_cancelled(notification.params);
  actions_.emplace_back(Notified{std::move(notification.method), std::move(notification.params)});
}

// Spec 2025-11-25, basic/utilities/cancellation, Behavior Requirements (SHOULD not answer, MAY
// ignore what is unknown).
void ServerEngine::on_cancelled(const Json& params) {
  const Json* const member = find(params, "requestId");
  const std::optional<rpc::RpcId> id = member ? rpc::read_id(*member) : std::nullopt;
  const auto known = id ? keys_.find(*id) : keys_.end();
  if (known == keys_.end()) return;
  const Key key = known->second;
  const auto found = calls_.find(key);
  check(found != calls_.end(), "an id without its call");
  const BatchKey batch = found->second.batch;
  keys_.erase(known);
  calls_.erase(found);
  actions_.emplace_back(Cancelled{key, string_or(params, "reason", "")});
  if (!batch) return;
  if (std::optional<Json> answers = batches_.drop(*batch)) send(*std::move(answers));
}

void ServerEngine::progress(Key key, double value, std::optional<double> total,
                            std::string message) {
  const auto found = calls_.find(key);
  if (found == calls_.end()) return;
  Running& running = found->second;
  if (running.progress_token.is_null()) return;
  if (running.progress && !(value > *running.progress)) return;
  running.progress = value;
  Json params(Json::value_t::object);
  params["progressToken"] = running.progress_token;
  params["progress"] = value;
  if (total) params["total"] = *total;
  if (!message.empty() && has_progress_message(running.revision)) {
    params["message"] = std::move(message);
  }
  notify("notifications/progress", std::move(params));
}

void ServerEngine::log(std::string_view level, std::string_view logger, Json data) {
  const std::optional<int> severity = severity_of(level);
  check(severity.has_value(), "a log level that RFC 5424 does not have");
  if (!options_.logging || client() == nullptr || *severity < level_min_) return;
  Json params(Json::value_t::object);
  params["level"] = level;
  if (!logger.empty()) params["logger"] = logger;
  params["data"] = std::move(data);
  notify("notifications/message", std::move(params));
}

void ServerEngine::notify(std::string method, Json params) {
  if (closed_) return;
  send(rpc::encode(rpc::Notification{std::move(method), std::move(params)}));
}

void ServerEngine::resource_updated(const std::string& uri) {
  if (!ready() || subscriptions_.find(uri) == subscriptions_.end()) return;
  Json params(Json::value_t::object);
  params["uri"] = uri;
  notify("notifications/resources/updated", std::move(params));
}

void ServerEngine::list_changed(std::string_view area) {
  if (!ready() || !options_.list_changed) return;
  notify("notifications/" + std::string(area) + "/list_changed", nullptr);
}

void ServerEngine::set_tools(std::vector<Json> tools) {
  options_.tools = std::move(tools);
  list_changed("tools");
}

void ServerEngine::set_resources(std::vector<Json> resources, std::vector<Json> templates) {
  options_.resources = std::move(resources);
  options_.templates = std::move(templates);
  list_changed("resources");
}

void ServerEngine::set_prompts(std::vector<Json> prompts) {
  options_.prompts = std::move(prompts);
  list_changed("prompts");
}

Reply<std::int64_t> ServerEngine::request(std::string method, Json params, Instant now,
                                          Instant deadline) {
  if (closed_) return Failure(Kind::kDisconnected, method + ": the client is gone");
  if (client() == nullptr || (!era_->ready() && method != "ping")) {
    return Failure(Kind::kRefused, method + " has to wait for notifications/initialized");
  }
  if (in_flight_.full()) return Failure(Kind::kRefused, method + ": too many requests wait");
  if (const std::optional<std::string> missing = missing_client_capability(method, params)) {
    return Failure(Kind::kRefused, method + ": the client has not declared " + *missing);
  }
  const std::int64_t id = in_flight_.start(method, now, deadline);
  send(rpc::encode(rpc::Request{rpc::RpcId(id), std::move(method), std::move(params)}));
  return id;
}

void ServerEngine::on_answer(const rpc::RpcId& id, Reply<Json> reply) {
  InFlight::Judgement judgement = in_flight_.judge(id);
  if (judgement.late) ++late_replies_;
  if (!judgement.violation.empty()) violation(std::move(judgement.violation));
  if (!judgement.awaited) return;
  InFlight::Entry entry = in_flight_.answer(*id.number());
  if (reply.ok() && !reply.value().is_object()) {
    reply = Failure(Kind::kInvalidReply, entry.method + ": the result is no object");
    violation(reply.error().message);
  }
  end(std::move(entry), std::move(reply));
}

void ServerEngine::cancel(std::int64_t id, std::string reason) {
  if (in_flight_.find(id) == nullptr) return;
  InFlight::Entry entry = in_flight_.abandon(id);
  send(cancelled_message(id, std::move(reason)));
  Failure why(Kind::kCancelled, entry.method + " was cancelled");
  end(std::move(entry), std::move(why));
}

void ServerEngine::tick(Instant now) {
  for (const std::int64_t id : in_flight_.due(now)) {
    InFlight::Entry entry = in_flight_.abandon(id);
    send(cancelled_message(id, "timed out"));
    Failure why(Kind::kTimeout, entry.method + " was not answered in " +
                                    std::to_string(milliseconds_of(now - entry.started)) + " ms");
    end(std::move(entry), std::move(why));
  }
}

void ServerEngine::disconnected(std::string why) {
  if (closed_) return;
  closed_ = true;
  batches_ = {};
  keys_.clear();
  for (const auto& [key, running] : std::exchange(calls_, {})) {
    actions_.emplace_back(Cancelled{key, why});
  }
  for (const std::int64_t id : in_flight_.ids()) {
    InFlight::Entry entry = in_flight_.abandon(id);
    Failure lost(Kind::kDisconnected, entry.method + ": " + why);
    end(std::move(entry), std::move(lost));
  }
}

void ServerEngine::end(InFlight::Entry entry, Reply<Json> reply) {
  actions_.emplace_back(Ended{entry.id, std::move(entry.method), std::move(reply)});
}

}  // namespace plumbline::mcp
