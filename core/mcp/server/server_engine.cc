#include "core/mcp/server/server_engine.h"

#include <utility>

#include "core/base/check.h"
#include "core/mcp/protocol/answer.h"
#include "core/mcp/protocol/downgrade.h"
#include "core/mcp/protocol/meta_keys.h"
#include "core/mcp/protocol/methods.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;

Json unreadable(std::int64_t code, std::string why) {
  return rpc::encode(rpc::ErrorResponse{std::nullopt, code, std::move(why), nullptr});
}

// modern_error replaces what a stateless revision has retired.
//
// Spec 2026-07-28, basic/index, Error Codes (MUST NOT emit -32002 and -32042).
Failure modern_error(Failure why) {
  if (why.code == rpc::kResourceNotFound) why.code = rpc::kInvalidParams;
  if (why.code == rpc::kUrlElicitationRequired) why.code = rpc::kInternalError;
  return why;
}

// add_modern_members adds what every result of a stateless revision has.
//
// Spec 2026-07-28, basic/index, Result Responses (MUST resultType, SHOULD serverInfo);
// server/utilities/caching (MUST on complete results).
void add_modern_members(const ServerOptions& options, std::string_view method, Revision revision,
                        Json& result) {
  auto& members = result.get_ref<Json::object_t&>();
  const auto type = members.emplace("resultType", "complete").first;
  Json& meta = members["_meta"];
  if (!meta.is_object()) meta = Json::object();
  meta.emplace(kMetaServerInfo, server_info(options, revision));
  if (type->second != "complete" || !is_cacheable(method)) return;
  const CacheHints& hints =
      method == "resources/read" ? options.resource_cache : options.list_cache;
  members.emplace("ttlMs", milliseconds_of(hints.ttl));
  members.emplace("cacheScope", hints.shared ? "public" : "private");
}

}  // namespace

ServerEngine::ServerEngine(const ServerOptions& options, std::string principal)
    : options_(options),
      principal_(std::move(principal)),
      methods_(options),
      in_flight_(options.in_flight_max) {
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
void ServerEngine::receive(Json message, Instant now) {
  if (closed_) return;
  if (!rpc::is_batch(message)) return receive_one(std::move(message), std::nullopt, now);
  if (client() == nullptr || !has_batching(client()->revision) || message.empty()) {
    const char* const why = message.empty() ? "an empty batch" : "batches are not supported";
    violation(why);
    return send(unreadable(rpc::kInvalidRequest, why));
  }
  const rpc::BatchReplies::Key key = batches_.open();
  for (Json& member : rpc::split_batch(std::move(message))) {
    receive_one(std::move(member), key, now);
  }
  if (std::optional<Json> answers = batches_.seal(key)) send(*std::move(answers));
}

void ServerEngine::receive_one(Json value, BatchKey batch, Instant now) {
  Result<rpc::Message, rpc::DecodeError> decoded = rpc::decode(std::move(value));
  if (!decoded.ok()) return on_decode_error(decoded.error(), batch);
  std::visit(
      Overloaded{
          [&](rpc::Request& request) { on_request(std::move(request), batch, now); },
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
  const std::optional<std::int64_t> id = error.id ? in_flight_.number_of(*error.id) : std::nullopt;
  if (!id || in_flight_.find(*id) == nullptr) return;
  end(in_flight_.answer(*id), Failure(Kind::kInvalidReply, error.what));
}

// admit finds out who asks, or why that one may not.
std::optional<Failure> ServerEngine::admit(const rpc::Request& request, Asker& asker) {
  if (is_stateless_request(request) && has_requests_alone(options_)) {
    Reply<ClientInfo> client = read_client(options_, request);
    if (!client.ok()) return std::move(client).error();
    asker.revision = client.value().revision;
    asker.own = std::move(client).value();
    return std::nullopt;
  }
  if (client() != nullptr) {
    asker.revision = client()->revision;
    return std::nullopt;
  }
  if (request.method == "ping" && has_handshake(options_)) return std::nullopt;
  if (has_requests_alone(options_)) {
    return read_client(options_, request).error();  // _meta is missing.
  }
  return Failure(rpc::kInvalidRequest, request.method + " before initialize");
}

void ServerEngine::on_request(rpc::Request&& request, BatchKey batch, Instant now) {
  if (keys_.find(request.id) != keys_.end() || listeners_.contains(request.id)) {
    return violation("request id " + rpc::describe(request.id) + " is used twice at a time");
  }
  if (batch) batches_.expect(*batch);
  Asker asker{request.id, request.method, kLatestStateful, std::nullopt, batch};
  if (request.method == "initialize" && !is_stateless_request(request)) {
    Reply<Json> welcome = opening_.initialize(options_, request.params);
    if (!welcome.ok()) violation(welcome.error().message);
    return reply_to(answer_message(std::move(request.id), std::move(welcome)), batch);
  }
  if (std::optional<Failure> no = admit(request, asker)) {
    violation(no->message);
    return reply_to(answer_message(std::move(request.id), *std::move(no)), batch);
  }
  if (asker.own && request.method == "subscriptions/listen") {
    return listen(request, std::move(asker));
  }
  ServerMethods::Outcome outcome =
      methods_.dispatch(request, asker.revision, asker.own ? &*asker.own : nullptr);
  if (auto* const target = std::get_if<ServerMethods::Target>(&outcome)) {
    return start_call(std::move(request), std::move(*target), std::move(asker), now);
  }
  respond(std::move(asker), std::move(std::get<Reply<Json>>(outcome)));
}

// respond gives an answer the form that the revision wants, and sends it.
void ServerEngine::respond(Asker&& asker, Reply<Json>&& reply) {
  if (reply.ok() && !reply.value().is_object()) {
    reply = Failure(rpc::kInternalError, asker.method + ": the result is no object");
  }
  if (reply.ok()) downgrade_result(asker.method, reply.value(), asker.revision);
  if (is_stateless(asker.revision)) {
    if (reply.ok()) {
      add_modern_members(options_, asker.method, asker.revision, reply.value());
    } else {
      reply = modern_error(std::move(reply).error());
    }
  }
  reply_to(answer_message(std::move(asker.id), std::move(reply)), asker.batch);
}

void ServerEngine::start_call(rpc::Request&& request, ServerMethods::Target&& target, Asker&& asker,
                              Instant now) {
  if (calls_.size() >= options_.in_flight_max) {
    return respond(std::move(asker), Failure(rpc::kInternalError, "too many requests are running"));
  }
  const Key key = next_key_++;
  Running running;
  running.asker = std::move(asker);
  const Json* const token = find_meta(request.params, "progressToken");
  if (token != nullptr && rpc::read_id(*token)) running.progress_token = *token;
  if (running.asker.own && may_need_input(request.method)) {
    std::optional<Failure> no =
        running.input.read(options_, request.method, principal_, request.params, now);
    if (no) return respond(std::move(running.asker), *std::move(no));
  }
  calls_.emplace(key, std::move(running));
  keys_.emplace(std::move(request.id), key);
  actions_.emplace_back(Call{key, std::move(request.method), std::move(target.name),
                             std::move(request.params), target.task, principal_});
}

// Spec 2025-11-25, server/tools, Error Handling (input validation errors are tool results).
void ServerEngine::finish(Key key, Reply<Json> reply, Instant now) {
  const auto found = calls_.find(key);
  if (found == calls_.end()) return;
  Running running = std::move(found->second);
  calls_.erase(found);
  keys_.erase(running.asker.id);
  if (!reply.ok() && !options_.raw_calls && running.asker.method == "tools/call" &&
      reply.error().code == rpc::kInvalidParams &&
      argument_errors_are_results(running.asker.revision)) {
    reply = tool_error(reply.error().message);
  }
  if (reply.ok() && string_or(reply.value(), "resultType", "complete") == "input_required") {
    reply = ask_by_result(running, std::move(reply).value(), now);
  }
  respond(std::move(running.asker), std::move(reply));
}

// ask_by_result makes an input_required result of what a handler returned.
Reply<Json> ServerEngine::ask_by_result(Running& running, Json result, Instant now) {
  const Asker& asker = running.asker;
  if (!asker.own || !may_need_input(asker.method)) {
    return Failure(rpc::kInternalError, asker.method + " cannot ask for input by its result");
  }
  return running.input.seal(options_, *asker.own, std::move(result), now);
}

void ServerEngine::ask(Key key, std::vector<Ask> asks, Instant now) {
  finish(key, input_required(std::move(asks)), now);
}

const Json* ServerEngine::answer_of(Key key, const std::string& name) {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : found->second.input.answer_to(name);
}

std::optional<Failure> ServerEngine::undeclared(Key key, const Ask& ask) const {
  const ClientInfo* const client = client_of(key);
  if (client == nullptr) return Failure(Kind::kCancelled, ask.method + ": the call is over");
  if (is_stateless(client->revision)) return undeclared_error(*client, ask);
  std::optional<Json> missing = undeclared_capability(*client, ask.method, ask.params);
  if (!missing) return std::nullopt;
  return Failure(Kind::kRefused,
                 ask.method + ": the client has not declared " + capability_name(*missing));
}

const ClientInfo& ServerEngine::client_of(const Asker& asker) const {
  if (asker.own) return *asker.own;
  check(client() != nullptr, "a call of nobody");
  return *client();
}

const ClientInfo* ServerEngine::client_of(Key key) const {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : &client_of(found->second.asker);
}

const rpc::RpcId* ServerEngine::id_of(Key key) const {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : &found->second.asker.id;
}

void ServerEngine::on_notification(rpc::Notification notification) {
  opening_.hear(notification);
  if (notification.method == "notifications/cancelled") return on_cancelled(notification.params);
  actions_.emplace_back(Notified{std::move(notification.method), std::move(notification.params)});
}

// Spec 2025-11-25, basic/utilities/cancellation, Behavior Requirements (SHOULD not answer, MAY
// ignore what is unknown).
void ServerEngine::on_cancelled(const Json& params) {
  const Json* const member = find(params, "requestId");
  const std::optional<rpc::RpcId> id = member ? rpc::read_id(*member) : std::nullopt;
  if (!id || listeners_.close(*id)) return;
  const auto known = keys_.find(*id);
  if (known == keys_.end()) return;
  const Key key = known->second;
  const auto found = calls_.find(key);
  check(found != calls_.end(), "an id without its call");
  const BatchKey batch = found->second.asker.batch;
  keys_.erase(known);
  calls_.erase(found);
  actions_.emplace_back(Cancelled{key, *id, string_or(params, "reason", "")});
  if (!batch) return;
  if (std::optional<Json> answers = batches_.drop(*batch)) send(*std::move(answers));
}

void ServerEngine::disconnected(const std::string& why) {
  if (closed_) return;
  closed_ = true;
  batches_ = {};
  keys_.clear();
  listeners_.clear();
  for (const auto& [key, running] : std::exchange(calls_, {})) {
    actions_.emplace_back(Cancelled{key, running.asker.id, why});
  }
  for (const std::int64_t id : in_flight_.ids()) {
    rpc::InFlight::Entry entry = in_flight_.abandon(id);
    Failure lost(Kind::kDisconnected, entry.method + ": " + why);
    end(std::move(entry), std::move(lost));
  }
}

void ServerEngine::end(rpc::InFlight::Entry entry, Reply<Json> reply) {
  actions_.emplace_back(Ended{entry.id, std::move(entry.method), std::move(reply)});
}

}  // namespace plumbline::mcp
