// The other direction of ClientEngine: what the server sends on its own account.

#include <algorithm>
#include <utility>

#include "core/mcp/client/client_engine.h"
#include "core/mcp/protocol/answer.h"
#include "core/mcp/protocol/meta_keys.h"

namespace plumbline::mcp {

namespace {

bool is_known(std::string_view method) {
  return method == "roots/list" || method == "sampling/createMessage" ||
         method == "elicitation/create";
}

}  // namespace

using BatchKey = std::optional<rpc::BatchReplies::Key>;

void ClientEngine::on_request(rpc::Request request, BatchKey batch) {
  if (is_stateless(revision_)) {
    // Spec 2026-07-28, basic/index (MUST NOT be sent by servers, nor answered by clients).
    return violation("the server sends a request: " + request.method);
  }
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
  Question question{batch, nullptr};
  const Json* const related = find_meta(request.params, kMetaRelatedTask);
  if (related != nullptr && has_tasks(revision_)) question.related = *related;
  asked_.emplace(request.id, std::move(question));
  actions_.emplace_back(
      Asked{std::move(request.id), std::move(request.method), std::move(request.params)});
}

bool ClientEngine::declared(std::string_view method) const {
  if (method == "roots/list") return options_.on_list_roots != nullptr;
  if (method == "sampling/createMessage") return options_.on_sample != nullptr;
  if (method == "elicitation/create") {
    return options_.on_elicit != nullptr && has_elicitation(revision_);
  }
  return false;
}

std::optional<Failure> ClientEngine::bad_ask(const rpc::Request& request) {
  if (!is_open()) {
    Failure early(rpc::kInvalidRequest, request.method + " before initialize was answered");
    violation(early.message);
    return early;
  }
  std::optional<Failure> no = refuses(request.method, request.params);
  // What nobody knows may be of a later revision: it is refused, and breaks nothing.
  if (no && is_known(request.method)) violation(no->message);
  return no;
}

// Spec 2025-11-25, client/roots, Error Handling (SHOULD -32601); client/elicitation, Error Handling
// (MUST -32602 for a mode not declared); client/sampling (MUST an error for tools not declared).
std::optional<Failure> ClientEngine::refuses(const std::string& method, const Json& params) const {
  if (!is_known(method)) return Failure(rpc::kMethodNotFound, "unknown method " + method);
  if (!declared(method)) {
    return Failure(rpc::kMethodNotFound, method + ": this capability was not declared");
  }
  if (method == "elicitation/create" && string_or(params, "mode", "form") == "url" &&
      !(options_.url_elicitation && has_url_elicitation(revision_))) {
    return Failure(rpc::kInvalidParams, "elicitation mode url was not declared");
  }
  const bool tools = find(params, "tools") != nullptr || find(params, "toolChoice") != nullptr;
  if (method == "sampling/createMessage" && tools &&
      !(options_.sampling_tools && has_sampling_tools(revision_))) {
    return Failure(rpc::kInvalidParams, "sampling.tools was not declared");
  }
  return std::nullopt;
}

void ClientEngine::answer(const rpc::RpcId& id, Reply<Json> reply) {
  const auto found = asked_.find(id);
  if (found == asked_.end()) return;
  const Question question = std::move(found->second);
  asked_.erase(found);
  // Spec 2025-11-25, basic/utilities/tasks, Associating Task-Related Messages (MUST).
  if (!question.related.is_null() && reply.ok() && reply.value().is_object()) {
    reply.value()["_meta"][std::string(kMetaRelatedTask)] = question.related;
  }
  reply_to(answer_message(id, std::move(reply)), question.batch);
}

void ClientEngine::reply_to(Json message, BatchKey batch) {
  if (!batch) return send(std::move(message));
  if (std::optional<Json> answers = batches_.add(*batch, std::move(message))) {
    send(*std::move(answers));
  }
}

void ClientEngine::on_notification(rpc::Notification notification, Instant now) {
  const std::string& method = notification.method;
  if (method == "notifications/cancelled") return on_cancelled(notification.params);
  if (method == "notifications/progress" && !on_progress(notification.params, now)) return;
  if (is_stateless(revision_)) {
    if (!belongs(notification)) return;
    if (method == "notifications/subscriptions/acknowledged") {
      return on_acknowledged(notification.params);
    }
  }
  actions_.emplace_back(Notified{std::move(notification.method), std::move(notification.params)});
}

// belongs returns whether a notification of a subscription names one that is open.
//
// Spec 2026-07-28, basic/patterns/subscriptions, Receiving Notifications (MUST correlate by id).
bool ClientEngine::belongs(const rpc::Notification& notification) {
  const std::string& method = notification.method;
  const Json* const member = find_meta(notification.params, kMetaSubscription);
  if (member == nullptr) {
    const bool needs = method.ends_with("/list_changed") || method.ends_with("/acknowledged") ||
                       method == "notifications/resources/updated";
    if (needs) violation(method + " belongs to no subscription");
    return !needs;
  }
  const std::optional<rpc::RpcId> id = rpc::read_id(*member);
  const std::optional<std::int64_t> number = id ? in_flight_.number_of(*id) : std::nullopt;
  rpc::InFlight::Entry* const entry = number ? in_flight_.find(*number) : nullptr;
  if (entry != nullptr && entry->method == "subscriptions/listen") return true;
  const bool given_up =
      number && in_flight_.standing(*number) == rpc::InFlight::Standing::kAbandoned;
  if (!given_up) violation(method + " belongs to subscription " + dump_json(*member));
  return false;
}

// on_acknowledged: from here on the subscription waits without end.
void ClientEngine::on_acknowledged(const Json& params) {
  const std::optional<rpc::RpcId> id = rpc::read_id(*find_meta(params, kMetaSubscription));
  rpc::InFlight::Entry* const entry = in_flight_.find(*in_flight_.number_of(*id));
  entry->deadline = kNever;
  const Json* const honoured = find(params, "notifications");
  actions_.emplace_back(Acknowledged{entry->id, honoured ? *honoured : Json::object()});
}

// Spec 2025-11-25, basic/utilities/cancellation, Error Handling (SHOULD ignore unknown ids).
// Spec 2026-07-28, basic/patterns/cancellation: a server so ends a subscription.
void ClientEngine::on_cancelled(const Json& params) {
  const Json* const member = find(params, "requestId");
  const std::optional<rpc::RpcId> id = member ? rpc::read_id(*member) : std::nullopt;
  if (id && is_stateless(revision_)) {
    const std::optional<std::int64_t> number = in_flight_.number_of(*id);
    rpc::InFlight::Entry* const entry = number ? in_flight_.find(*number) : nullptr;
    if (entry == nullptr || entry->method != "subscriptions/listen") return;
    return end(in_flight_.abandon(*number), Json(Json::value_t::object));
  }
  const auto found = id ? asked_.find(*id) : asked_.end();
  if (found == asked_.end()) return;
  const BatchKey batch = found->second.batch;
  asked_.erase(found);
  actions_.emplace_back(Withdrawn{*id});
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
    const InputRounds::Round* const round = rounds_.find_sent(entry->id);
    const Instant started = round == nullptr ? entry->started : round->started;
    const Instant wanted = std::min(after(now, options_.extend_on_progress),
                                    after(started, options_.extended_total_max));
    entry->deadline = std::max(entry->deadline, wanted);
  }
  return true;
}

}  // namespace plumbline::mcp
