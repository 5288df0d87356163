#include "core/mcp/client/client_session.h"

#include <utility>

#include "core/base/rare.h"
#include "core/base/wait.h"
#include "core/mcp/client/list_pager.h"
#include "core/mcp/protocol/answer.h"
#include "core/mcp/protocol/methods.h"

namespace plumbline::mcp {

namespace {

constexpr Duration kSlow = std::chrono::milliseconds(10);

Json object_with(std::string_view key, Json value) {
  Json out(Json::value_t::object);
  out.emplace(key, std::move(value));
  return out;
}

Task<Reply<Json>> at_once(Reply<Json> reply) { co_return std::move(reply); }

Json named_params(std::string name, Json arguments) {
  Json params = object_with("name", std::move(name));
  if (!arguments.is_null()) params.emplace("arguments", std::move(arguments));
  return params;
}

}  // namespace

ClientSession::ClientSession(Loop& loop, transport::MessageChannel& channel, ClientOptions options,
                             std::string name, EventSink* events)
    : loop_(loop),
      channel_(channel),
      trace_(loop, std::move(name), events),
      engine_(std::move(options)),
      waiters_(*this),
      cache_(engine_.options().cache_entries_max),
      acknowledgements_(*this),
      tasks_(loop, engine_,
             [this](std::string method, Json params, Instant deadline) {
               return request(std::move(method), std::move(params), deadline);
             }),
      work_(loop, engine_, [this] { pump(); }) {
  channel_.start(*this);
}

ClientSession::~ClientSession() {
  if (destroyed_ != nullptr) *destroyed_ = true;
  if (engine_.closed()) return;
  engine_.disconnected("the session was dropped");
  for (const ClientEngine::Action& action : engine_.take_actions()) {
    const auto* const ended = std::get_if<ClientEngine::Ended>(&action);
    if (ended != nullptr) trace_ended(*ended);
  }
  channel_.close();
}

Task<Reply<ServerInfo>> ClientSession::initialize(Instant deadline) {
  const std::int64_t id = engine_.open(loop_.now(), deadline);
  opening_id_ = opening_wire_ = id;
  trace_.request_started(
      id, is_stateless(engine_.options().preferred) ? "server/discover" : "initialize");
  pump();
  const Reply<Json> reply = co_await ReplyWaiters::Wait(waiters_, id);
  if (!reply.ok()) co_return reply.error();
  if (rare(Rare::kMcpOpeningSlow)) co_await Sleep(loop_, after(loop_.now(), kSlow));
  co_return engine_.server();
}

Task<Reply<Json>> ClientSession::request(std::string method, Json params, Instant deadline) {
  if (rare(Rare::kMcpPing)) ping_ahead(deadline, false);
  if (rare(Rare::kMcpPingTakenBack)) ping_ahead(deadline, true);
  std::string traced;
  if (trace_.on()) traced = method;
  Reply<std::int64_t> id =
      engine_.call(std::move(method), std::move(params), loop_.now(), deadline);
  if (!id.ok()) co_return std::move(id).error();
  trace_.request_started(id.value(), traced);
  pump();
  Reply<Json> reply = co_await ReplyWaiters::Wait(waiters_, id.value());
  co_return std::move(reply);
}

// ping_ahead sends a ping that nobody waits for, if one may be sent and it takes no call's place.
void ClientSession::ping_ahead(Instant deadline, bool take_back) {
  if (!open() || is_stateless(server().revision)) return;
  if (engine_.waiting() + 2 > engine_.options().in_flight_max) return;
  const Reply<std::int64_t> id = engine_.call("ping", nullptr, loop_.now(), deadline);
  if (!id.ok()) return;
  trace_.request_started(id.value(), "ping");
  if (take_back) engine_.cancel(id.value(), "");
  pump();
}

Task<Reply<Json>> ClientSession::cached(std::string method, Json params, Instant deadline) {
  if (const Json* const fresh = cache_.find(method, params, loop_.now())) co_return *fresh;
  Json asked = params;
  Reply<Json> reply = co_await request(method, std::move(asked), deadline);
  if (reply.ok()) cache_.keep(method, params, reply.value(), loop_.now());
  co_return std::move(reply);
}

// Spec 2026-07-28, server/utilities/caching (SHOULD start over when a cursor has become invalid).
Task<Reply<ClientSession::List>> ClientSession::list(std::string method, Instant deadline) {
  for (bool again = false;; again = true) {
    ListPager pager(std::string(list_member(method)), engine_.options().list_pages_max,
                    engine_.options().list_items_max);
    const bool kept = cache_.find(method, pager.params(), loop_.now()) != nullptr;
    List read;
    bool any = false;
    for (bool more = true; more && !read.cut;) {
      Reply<Json> page = co_await cached(method, pager.params(), deadline);
      if (page.ok()) {
        any = true;
        Reply<bool> added = pager.add(std::move(page).value());
        if (added.ok()) {
          more = added.value();
        } else {
          read.cut = std::move(added).error();
        }
      } else {
        read.cut = std::move(page).error();
      }
    }
    const bool stale = read.cut && kept && read.cut->code == rpc::kInvalidParams;
    if (!again && (stale || (!read.cut && rare(Rare::kMcpListTwice)))) {
      cache_.forget(method);
      continue;
    }
    if (!any) co_return *std::move(read.cut);
    read.items = pager.take_items();
    if (read.cut) trace_.note(method + " is cut: " + describe(*read.cut));
    co_return std::move(read);
  }
}

Task<Reply<std::vector<Json>>> ClientSession::whole_list(std::string method, Instant deadline) {
  Reply<List> read = co_await list(std::move(method), deadline);
  if (!read.ok()) co_return std::move(read).error();
  if (read.value().cut) co_return *std::move(read.value().cut);
  co_return std::move(read.value().items);
}

void ClientSession::forget_lists() {
  for (const char* method :
       {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
    cache_.forget(method);
  }
}

Task<Reply<Json>> ClientSession::discover(Instant deadline) {
  return cached("server/discover", nullptr, deadline);
}

Task<Reply<std::vector<Json>>> ClientSession::list_tools(Instant deadline) {
  return whole_list("tools/list", deadline);
}

Task<Reply<std::vector<Json>>> ClientSession::list_resources(Instant deadline) {
  return whole_list("resources/list", deadline);
}

Task<Reply<std::vector<Json>>> ClientSession::list_resource_templates(Instant deadline) {
  return whole_list("resources/templates/list", deadline);
}

Task<Reply<std::vector<Json>>> ClientSession::list_prompts(Instant deadline) {
  return whole_list("prompts/list", deadline);
}

Task<Reply<Json>> ClientSession::call_tool(std::string name, Json arguments, Instant deadline,
                                           Json meta) {
  Json params = named_params(std::move(name), std::move(arguments));
  if (meta.is_object()) params.emplace("_meta", std::move(meta));
  if (engine_.options().tasks) return tasks_.follow("tools/call", std::move(params), deadline);
  return request("tools/call", std::move(params), deadline);
}

Task<Reply<Json>> ClientSession::call_as_task(std::string name, Json arguments, Instant deadline,
                                              Json meta) {
  Json params = named_params(std::move(name), std::move(arguments));
  if (meta.is_object()) params.emplace("_meta", std::move(meta));
  if (open() && !is_stateless(server().revision)) {
    if (at_pointer(server().capabilities, "/tasks/requests/tools/call") == nullptr) {
      return at_once(Failure(Failure::Kind::kRefused,
                             "tools/call: the server has not declared tasks.requests.tools.call"));
    }
    params.emplace("task", Json(Json::value_t::object));
  }
  return tasks_.follow("tools/call", std::move(params), deadline);
}

Task<Reply<Json>> ClientSession::read_resource(std::string uri, Instant deadline) {
  return cached("resources/read", object_with("uri", std::move(uri)), deadline);
}

Task<Reply<Json>> ClientSession::get_prompt(std::string name, Json arguments, Instant deadline) {
  return request("prompts/get", named_params(std::move(name), std::move(arguments)), deadline);
}

Task<Reply<Json>> ClientSession::complete(Json ref, Json argument, Instant deadline, Json known) {
  Json params = object_with("ref", std::move(ref));
  params.emplace("argument", std::move(argument));
  if (known.is_object() && open() && has_completion_context(server().revision)) {
    params.emplace("context", object_with("arguments", std::move(known)));
  }
  return request("completion/complete", std::move(params), deadline);
}

Task<Reply<Json>> ClientSession::ping(Instant deadline) {
  return request("ping", nullptr, deadline);
}

Task<Reply<Json>> ClientSession::set_logging_level(std::string level, Instant deadline) {
  if (open() && is_stateless(server().revision)) {
    engine_.set_log_level(std::move(level));
    return at_once(Json(Json::value_t::object));
  }
  return request("logging/setLevel", object_with("level", std::move(level)), deadline);
}

Task<Reply<Json>> ClientSession::subscribe(std::string uri, Instant deadline) {
  return request("resources/subscribe", object_with("uri", std::move(uri)), deadline);
}

Task<Reply<Json>> ClientSession::unsubscribe(std::string uri, Instant deadline) {
  return request("resources/unsubscribe", object_with("uri", std::move(uri)), deadline);
}

Task<Reply<ClientSession::Subscription>> ClientSession::listen(Json filter, Instant deadline) {
  std::string method = "subscriptions/listen";
  Json params = object_with("notifications", std::move(filter));
  Reply<std::int64_t> id = engine_.call(method, std::move(params), loop_.now(), deadline);
  if (!id.ok()) co_return std::move(id).error();
  trace_.request_started(id.value(), method);
  pump();
  Reply<Json> honoured = co_await ReplyWaiters::Wait(acknowledgements_, id.value());
  if (!honoured.ok()) co_return std::move(honoured).error();
  Subscription open;
  open.id = id.value();
  open.honoured = std::move(honoured).value();
  co_return std::move(open);
}

void ClientSession::unlisten(std::int64_t id) {
  engine_.cancel(id, "no longer wanted");
  pump();
}

void ClientSession::roots_changed() {
  if (open() && is_stateless(server().revision)) return;
  if (!engine_.options().on_list_roots || !engine_.options().roots_list_changed) return;
  engine_.notify("notifications/roots/list_changed", nullptr);
  pump();
}

void ClientSession::close(std::string why) {
  if (engine_.closed()) return;
  close_reason_ = std::move(why);
  engine_.disconnected(close_reason_);
  trace_.connection("closed", close_reason_);
  channel_.close_send();
  pump();
}

void ClientSession::on_message(Json message) {
  ++heard_;
  trace_.received(message);
  engine_.receive(std::move(message), loop_.now());
  pump();
}

void ClientSession::on_garbage(std::string_view bytes, const Error& error) {
  ++heard_;
  trace_.garbage(bytes, error.message);
  // What the end of the connection cut off ends with it.
  const bool whole = error.code != ErrorCode::kDisconnected;
  engine_.garbage(whole ? bytes : std::string_view(), error.message, loop_.now());
  pump();
}

void ClientSession::on_lost(const rpc::RpcId& id, const Error& error) {
  ++heard_;
  engine_.lost(id, error, loop_.now());
  pump();
}

void ClientSession::on_closed(const Error* error) {
  const std::string why = error ? error->message : "the server closed the connection";
  trace_.connection("disconnected", why);
  if (!engine_.closed()) close_reason_ = why;
  engine_.disconnected(why);
  pump();
}

void ClientSession::fire() {
  engine_.tick(loop_.now());
  pump();
}

void ClientSession::give_up(std::int64_t id) {
  engine_.cancel(id, "no longer wanted");
  pump();
}

// pump carries out what the engine wants. A Task that it resumes may send requests, drop others,
// and destroy this session: nothing of it is touched once `destroyed` is set.
void ClientSession::pump() {
  if (pumping_) return;
  bool destroyed = false;
  pumping_ = true;
  destroyed_ = &destroyed;
  for (;;) {
    ClientEngine::Actions actions = engine_.take_actions();
    if (actions.empty()) break;
    for (ClientEngine::Action& action : actions) {
      act(action);
      if (destroyed) return;
    }
  }
  pumping_ = false;
  destroyed_ = nullptr;
  rearm();
}

void ClientSession::act(ClientEngine::Action& action) {
  using Engine = ClientEngine;
  std::visit(Overloaded{
                 [this](Engine::Send& send) {
                   trace_.sent(send.message);
                   channel_.send(std::move(send.message));
                 },
                 [this](Engine::Ended& ended) { on_ended(ended); },
                 [this](Engine::Reopened& reopened) {
                   trace_.request_ended(reopened.id, reopened.method, reopened.reply);
                   trace_.request_started(reopened.next, reopened.next_method);
                   opening_wire_ = reopened.next;
                 },
                 [this](Engine::Notified& notified) {
                   cache_.hear(notified.method, notified.params);
                   const NotificationHandler& tell = engine_.options().on_notified;
                   if (tell) tell(notified.method, notified.params);
                 },
                 [this](Engine::Asked& asked) { work_.start(asked); },
                 [this](Engine::Withdrawn& withdrawn) { work_.stop(withdrawn.id); },
                 [this](Engine::InputNeeded& needed) { work_.start(needed); },
                 [this](Engine::Acknowledged& open) {
                   acknowledgements_.finish(open.id, std::move(open.honoured));
                 },
                 [this](Engine::Violation& violation) {
                   last_violation_ = std::move(violation.what);
                   if (trace_.on()) trace_.note("violation: " + last_violation_);
                 },
                 [this](Engine::Close& close) {
                   close_reason_ = std::move(close.why);
                   trace_.connection("closed", close_reason_);
                   channel_.close_send();
                 },
             },
             action);
}

// trace_ended names the request that was on the wire: an opening may have taken several.
void ClientSession::trace_ended(const ClientEngine::Ended& ended) {
  const std::int64_t id = ended.id == opening_id_ ? opening_wire_ : ended.id;
  trace_.request_ended(id, ended.method, ended.reply);
}

void ClientSession::on_ended(ClientEngine::Ended& ended) {
  work_.stop(ended.id);
  trace_ended(ended);
  if (ended.method != "subscriptions/listen") {
    return waiters_.finish(ended.id, std::move(ended.reply));
  }
  if (acknowledgements_.waits(ended.id)) {
    if (ended.reply.ok()) {
      ended.reply =
          Failure(Failure::Kind::kInvalidReply, "the subscription was never acknowledged");
    }
    return acknowledgements_.finish(ended.id, std::move(ended.reply));
  }
  const SubscriptionEnded& tell = engine_.options().on_subscription_ended;
  if (tell) tell(ended.id, ended.reply);
}

void ClientSession::rearm() {
  const Instant next = engine_.next_deadline();
  if (next == kNever) {
    disarm();
  } else if (!armed() || due() != next) {
    loop_.arm(*this, next);
  }
}

}  // namespace plumbline::mcp
