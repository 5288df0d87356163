// The other direction of ClientEngine: what the server sends on its own account.

#include <algorithm>
#include <utility>

#include "core/mcp/answer.h"
#include "core/mcp/client_engine.h"

namespace plumbline::mcp {

using BatchKey = std::optional<rpc::BatchReplies::Key>;

void ClientEngine::on_request(rpc::Request request, BatchKey batch) {
  if (asked_.find(request.id) != asked_.end()) {
    return violation("request id " + rpc::describe(request.id) + " is used twice at a time");
  }
  if (batch) batches_.expect(*batch);
  if (request.method == "ping") {
    return reply_to(answer_message(std::move(request.id), Json::object()), batch);
  }
  if (std::optional<Failure> no = bad_ask(request)) {
    return reply_to(answer_message(std::move(request.id), *std::move(no)), batch);
  }
  asked_.emplace(request.id, batch);
  actions_.emplace_back(
      Asked{std::move(request.id), std::move(request.method), std::move(request.params)});
}

bool ClientEngine::declared(std::string_view method) const {
  if (method == "roots/list") return options_.on_list_roots != nullptr;
  if (method == "sampling/createMessage") return options_.on_sample != nullptr;
  if (method == "elicitation/create") {
    return options_.on_elicit != nullptr && has_elicitation(server_->revision);
  }
  return false;
}

// Spec 2025-11-25, client/roots, Error Handling (SHOULD -32601); client/elicitation, Error Handling
// (MUST -32602 for a mode not declared); client/sampling (MUST an error for tools not declared).
std::optional<Failure> ClientEngine::bad_ask(const rpc::Request& request) {
  const auto no = [&](std::int64_t code, std::string why) -> std::optional<Failure> {
    violation(why);
    return Failure(code, std::move(why));
  };
  const std::string& method = request.method;
  if (!open()) return no(rpc::kInvalidRequest, method + " before initialize was answered");
  const bool known = method == "roots/list" || method == "sampling/createMessage" ||
                     method == "elicitation/create";
  if (!known) return Failure(rpc::kMethodNotFound, "unknown method " + method);
  if (!era_->server_may_ask() || !declared(method)) {
    return no(rpc::kMethodNotFound, method + ": this capability was not declared");
  }
  if (method == "elicitation/create") {
    const bool url = string_or(request.params, "mode", "form") == "url";
    if (url && !(options_.url_elicitation && has_url_elicitation(server_->revision))) {
      return no(rpc::kInvalidParams, "elicitation mode url was not declared");
    }
  }
  if (method == "sampling/createMessage" && !options_.sampling_tools &&
      (find(request.params, "tools") != nullptr || find(request.params, "toolChoice") != nullptr)) {
    return no(rpc::kInvalidParams, "sampling.tools was not declared");
  }
  return std::nullopt;
}

void ClientEngine::answer(const rpc::RpcId& id, Reply<Json> reply) {
  const auto found = asked_.find(id);
  if (found == asked_.end()) return;
  const BatchKey batch = found->second;
  asked_.erase(found);
  reply_to(answer_message(id, std::move(reply)), batch);
}

void ClientEngine::reply_to(Json message, BatchKey batch) {
  if (!batch) return send(std::move(message));
  if (std::optional<Json> answers = batches_.add(*batch, std::move(message))) {
    send(*std::move(answers));
  }
}

void ClientEngine::on_notification(rpc::Notification notification, Instant now) {
  if (notification.method == "notifications/cancelled") return on_cancelled(notification.params);
  if (notification.method == "notifications/progress" && !on_progress(notification.params, now)) {
    return;
  }
  actions_.emplace_back(Notified{std::move(notification.method), std::move(notification.params)});
}

// Spec 2025-11-25, basic/utilities/cancellation, Error Handling (SHOULD ignore unknown ids).
void ClientEngine::on_cancelled(const Json& params) {
  const Json* const member = find(params, "requestId");
  const std::optional<rpc::RpcId> id = member ? rpc::read_id(*member) : std::nullopt;
  const auto found = id ? asked_.find(*id) : asked_.end();
  if (found == asked_.end()) return;
  const BatchKey batch = found->second;
  asked_.erase(found);
  if (!batch) return;
  if (std::optional<Json> answers = batches_.drop(*batch)) send(*std::move(answers));
}

// on_progress returns whether the report is sound and belongs to a waiting request.
//
// Spec 2025-11-25, basic/utilities/progress, Progress Flow (MUST increase, MUST only be sent for
// active requests); cancellation, Timeouts (MAY reset, SHOULD keep a maximum).
bool ClientEngine::on_progress(const Json& params, Instant now) {
  const Json* const member = find(params, "progressToken");
  const std::optional<rpc::RpcId> token = member ? rpc::read_id(*member) : std::nullopt;
  const Json* const value = find(params, "progress");
  if (!token || value == nullptr || !value->is_number()) {
    violation("progress without a token or without a number");
    return false;
  }
  rpc::InFlight::Entry* const entry = in_flight_.find_token(*token);
  if (entry == nullptr) {
    const bool given_up = token->number() != nullptr && in_flight_.standing(*token->number()) ==
                                                            rpc::InFlight::Standing::kAbandoned;
    if (!given_up)
      violation("progress for token " + rpc::describe(*token) + ", which is not active");
    return false;
  }
  const double progress = value->get<double>();
  if (entry->progress && !(progress > *entry->progress)) {
    violation("progress of token " + rpc::describe(*token) + " does not increase");
    return false;
  }
  entry->progress = progress;
  if (options_.extend_on_progress > Duration(0) && entry->deadline != kNever) {
    const Instant wanted = std::min(after(now, options_.extend_on_progress),
                                    after(entry->started, options_.extended_total_max));
    entry->deadline = std::max(entry->deadline, wanted);
  }
  return true;
}

}  // namespace plumbline::mcp
