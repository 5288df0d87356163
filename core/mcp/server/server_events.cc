// What ServerEngine tells and asks on the server's own account: progress, log messages, changes,
// subscriptions, and requests to the client.

#include <utility>

#include "core/base/check.h"
#include "core/mcp/protocol/answer.h"
#include "core/mcp/protocol/log_level.h"
#include "core/mcp/protocol/meta_keys.h"
#include "core/mcp/server/server_engine.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;
using rpc::InFlight;

Json log_params(std::string_view level, std::string_view logger, Json data) {
  Json params(Json::value_t::object);
  params["level"] = level;
  if (!logger.empty()) params["logger"] = logger;
  params["data"] = std::move(data);
  return params;
}

int severity_or_abort(std::string_view level) {
  const std::optional<int> severity = severity_of(level);
  check(severity.has_value(), "a log level that RFC 5424 does not have");
  return *severity;
}

}  // namespace

void ServerEngine::notify(std::string method, Json params, std::optional<rpc::RpcId> about) {
  if (closed_) return;
  Json message = rpc::encode(rpc::Notification{std::move(method), std::move(params)});
  actions_.emplace_back(Send{std::move(message), std::move(about)});
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
  if (!message.empty() && has_progress_message(running.asker.revision)) {
    params["message"] = std::move(message);
  }
  notify("notifications/progress", std::move(params), running.asker.id);
}

// Spec 2026-07-28, server/utilities/logging (MUST NOT without a level in the request's _meta).
void ServerEngine::log(Key key, std::string_view level, std::string_view logger, Json data) {
  const int severity = severity_or_abort(level);
  const auto found = calls_.find(key);
  if (found == calls_.end() || !options_.logging) return;
  const Asker& asker = found->second.asker;
  const std::optional<int> wanted = asker.own ? asker.own->log_level : methods_.level_min();
  if (!wanted || severity < *wanted) return;
  notify("notifications/message", log_params(level, logger, std::move(data)), asker.id);
}

void ServerEngine::log_to_all(std::string_view level, std::string_view logger, Json data) {
  const int severity = severity_or_abort(level);
  if (!options_.logging || client() == nullptr || severity < methods_.level_min()) return;
  notify("notifications/message", log_params(level, logger, std::move(data)));
}

void ServerEngine::notify_listener(const rpc::RpcId& listener, std::string method, Json params) {
  if (params.is_null()) params = Json::object();
  params["_meta"][std::string(kMetaSubscription)] = rpc::to_json(listener);
  notify(std::move(method), std::move(params), listener);
}

void ServerEngine::resource_updated(const std::string& uri) {
  Json params(Json::value_t::object);
  params["uri"] = uri;
  for (const rpc::RpcId& id : listeners_.to_resource(uri)) {
    notify_listener(id, "notifications/resources/updated", params);
  }
  if (!ready() || !methods_.subscribed(uri)) return;
  notify("notifications/resources/updated", std::move(params));
}

void ServerEngine::list_changed(std::string_view area) {
  const std::string method = "notifications/" + std::string(area) + "/list_changed";
  for (const rpc::RpcId& id : listeners_.to_list(area)) notify_listener(id, method, nullptr);
  if (ready() && options_.list_changed) notify(method, nullptr);
}

void ServerEngine::task_changed(Json task) {
  if (ready()) notify("notifications/tasks/status", std::move(task));
}

void ServerEngine::task_updated(const std::string& id, const Json& full) {
  for (const rpc::RpcId& listener : listeners_.to_task(id)) {
    notify_listener(listener, "notifications/tasks", full);
  }
}

// Spec 2026-07-28, basic/patterns/subscriptions, Acknowledgment (MUST come first).
void ServerEngine::listen(const rpc::Request& request, Asker&& asker) {
  if (listeners_.size() >= options_.in_flight_max) {
    return respond(std::move(asker), Failure(rpc::kInternalError, "too many subscriptions"));
  }
  const Json* const wanted = find(request.params, "notifications");
  if (wanted != nullptr && find(*wanted, "taskIds") != nullptr && options_.tasks.offered) {
    if (std::optional<Failure> no = missing_extension(*asker.own, kTaskExtension)) {
      return respond(std::move(asker), *std::move(no));
    }
  }
  const Json declared = server_capabilities(options_, asker.revision);
  Reply<Json> honoured = listeners_.open(asker.id, asker.revision, wanted, declared);
  if (!honoured.ok()) return respond(std::move(asker), std::move(honoured));
  Json params(Json::value_t::object);
  params["notifications"] = std::move(honoured).value();
  notify_listener(asker.id, "notifications/subscriptions/acknowledged", std::move(params));
}

void ServerEngine::end_subscriptions() {
  for (const rpc::RpcId& id : listeners_.all()) end_subscription(id);
}

void ServerEngine::end_subscription(const rpc::RpcId& id) {
  const Revision revision = listeners_.revision_of(id);
  listeners_.close(id);
  Json result(Json::value_t::object);
  result["_meta"][std::string(kMetaSubscription)] = rpc::to_json(id);
  Asker asker{id, "subscriptions/listen", revision, std::nullopt, std::nullopt};
  respond(std::move(asker), std::move(result));
  Json params(Json::value_t::object);
  params["requestId"] = rpc::to_json(id);
  notify_listener(id, "notifications/cancelled", std::move(params));
}

Reply<std::int64_t> ServerEngine::request(std::string method, Json params, Instant now,
                                          Instant deadline, std::optional<Key> about) {
  if (closed_) return Failure(Kind::kDisconnected, method + ": the client is gone");
  const auto call = about ? calls_.find(*about) : calls_.end();
  if (call != calls_.end() && call->second.asker.own) {
    return Failure(Kind::kRefused, method + ": this revision has no requests by the server");
  }
  if (client() == nullptr || (!opening_.ready() && method != "ping")) {
    return Failure(Kind::kRefused, method + " has to wait for notifications/initialized");
  }
  if (in_flight_.full()) return Failure(Kind::kRefused, method + ": too many requests wait");
  if (const std::optional<Json> missing = undeclared_capability(*client(), method, params)) {
    return Failure(Kind::kRefused,
                   method + ": the client has not declared " + capability_name(*missing));
  }
  const std::int64_t id = in_flight_.start(method, now, deadline);
  Json message =
      rpc::encode(rpc::Request{in_flight_.named(id), std::move(method), std::move(params)});
  std::optional<rpc::RpcId> where;
  if (call != calls_.end()) where = call->second.asker.id;
  actions_.emplace_back(Send{std::move(message), std::move(where)});
  return id;
}

void ServerEngine::on_answer(const rpc::RpcId& id, Reply<Json> reply) {
  InFlight::Judgement judgement = in_flight_.judge(id);
  if (judgement.late) ++late_replies_;
  if (!judgement.violation.empty()) violation(std::move(judgement.violation));
  if (!judgement.awaited) return;
  InFlight::Entry entry = in_flight_.answer(*in_flight_.number_of(id));
  if (reply.ok() && !reply.value().is_object()) {
    reply = Failure(Kind::kInvalidReply, entry.method + ": the result is no object");
    violation(reply.error().message);
  }
  end(std::move(entry), std::move(reply));
}

void ServerEngine::cancel(std::int64_t id, std::string reason) {
  if (in_flight_.find(id) == nullptr) return;
  InFlight::Entry entry = in_flight_.abandon(id);
  send(cancelled_message(in_flight_.named(id), std::move(reason)));
  Failure why(Kind::kCancelled, entry.method + " was cancelled");
  end(std::move(entry), std::move(why));
}

void ServerEngine::lost(const rpc::RpcId& id, std::string why) {
  const std::optional<std::int64_t> number = in_flight_.number_of(id);
  if (!number || in_flight_.find(*number) == nullptr) return;
  InFlight::Entry entry = in_flight_.abandon(*number);
  Failure gone(Kind::kDisconnected, entry.method + ": " + std::move(why));
  end(std::move(entry), std::move(gone));
}

void ServerEngine::tick(Instant now) {
  for (const std::int64_t id : in_flight_.due(now)) {
    InFlight::Entry entry = in_flight_.abandon(id);
    send(cancelled_message(in_flight_.named(id), "timed out"));
    Failure why(Kind::kTimeout, entry.method + " was not answered in " +
                                    std::to_string(milliseconds_of(now - entry.started)) + " ms");
    end(std::move(entry), std::move(why));
  }
}

}  // namespace plumbline::mcp
