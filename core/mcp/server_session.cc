#include "core/mcp/server_session.h"

#include <utility>

#include "core/mcp/answer.h"

namespace plumbline::mcp {

namespace {

Task<Reply<Json>> ready_reply(Reply<Json> reply) { co_return std::move(reply); }

}  // namespace

ServerHandler at_once(std::function<Reply<Json>(const Json& params)> answer) {
  return [answer = std::move(answer)](ServerCall call) { return ready_reply(answer(call.params)); };
}

ServerSession::ServerSession(Loop& loop, transport::MessageChannel& channel, ServerOptions options,
                             std::string name, EventSink* events)
    : loop_(loop),
      channel_(channel),
      trace_(loop, std::move(name), events),
      engine_(std::move(options)),
      waiters_(*this) {
  channel_.start(*this);
}

// Handlers are dropped while everything they may touch is still there. What they say then goes
// nowhere.
ServerSession::~ServerSession() {
  pumping_ = true;
  if (!engine_.closed()) channel_.close();
  engine_.disconnected("the session was dropped");
  for (const ServerEngine::Action& action : engine_.take_actions()) {
    const auto* const ended = std::get_if<ServerEngine::Ended>(&action);
    if (ended != nullptr) trace_.request_ended(ended->id, ended->method, ended->reply);
  }
  tasks_.clear();
}

void ServerSession::handle(std::string method, std::string target, ServerHandler handler) {
  handlers_[Target(std::move(method), std::move(target))] = std::move(handler);
}

Task<Reply<Json>> ServerSession::request(std::string method, Json params, Instant deadline) {
  std::string traced;
  if (trace_.on()) traced = method;
  Reply<std::int64_t> id =
      engine_.request(std::move(method), std::move(params), loop_.now(), deadline);
  if (!id.ok()) co_return std::move(id).error();
  trace_.request_started(id.value(), traced);
  pump();
  Reply<Json> reply = co_await ReplyWaiters::Wait(waiters_, id.value());
  co_return std::move(reply);
}

void ServerSession::progress(ServerEngine::Key key, double value, std::optional<double> total,
                             std::string message) {
  engine_.progress(key, value, total, std::move(message));
  pump();
}

void ServerSession::log(std::string_view level, std::string_view logger, Json data) {
  engine_.log(level, logger, std::move(data));
  pump();
}

void ServerSession::resource_updated(const std::string& uri) {
  engine_.resource_updated(uri);
  pump();
}

void ServerSession::set_tools(std::vector<Json> tools) {
  engine_.set_tools(std::move(tools));
  pump();
}

void ServerSession::set_resources(std::vector<Json> resources, std::vector<Json> templates) {
  engine_.set_resources(std::move(resources), std::move(templates));
  pump();
}

void ServerSession::set_prompts(std::vector<Json> prompts) {
  engine_.set_prompts(std::move(prompts));
  pump();
}

void ServerSession::close() {
  if (engine_.closed()) return;
  engine_.disconnected("closed by the server");
  trace_.connection("closed", "closed by the server");
  channel_.close_send();
  pump();
}

void ServerSession::on_message(Json message) {
  trace_.received(message);
  engine_.receive(std::move(message));
  pump();
}

void ServerSession::on_garbage(std::string_view bytes, const Error& error) {
  trace_.garbage(bytes, error.message);
  engine_.garbage(error.message);
  pump();
}

void ServerSession::on_closed(const Error* error) {
  const std::string why = error ? error->message : "the client closed the connection";
  trace_.connection("disconnected", why);
  engine_.disconnected(why);
  pump();
}

void ServerSession::fire() {
  engine_.tick(loop_.now());
  pump();
}

void ServerSession::give_up(std::int64_t id) {
  engine_.cancel(id, "no longer wanted");
  pump();
}

// pump carries out what the engine wants, and lets go of the handlers that are done. One that
// cancels itself is done before it is dropped: a Task is never destroyed from inside.
void ServerSession::pump() {
  if (pumping_) return;
  pumping_ = true;
  for (;;) {
    ServerEngine::Actions actions = engine_.take_actions();
    if (actions.empty()) break;
    for (ServerEngine::Action& action : actions) act(action);
  }
  std::erase_if(tasks_, [](const auto& task) { return task.second.done(); });
  pumping_ = false;
  const Instant next = engine_.next_deadline();
  if (next == kNever) {
    disarm();
  } else if (!armed() || due() != next) {
    loop_.arm(*this, next);
  }
}

void ServerSession::act(ServerEngine::Action& action) {
  using Engine = ServerEngine;
  std::visit(Overloaded{
                 [this](Engine::Send& send) {
                   trace_.sent(send.message);
                   channel_.send(std::move(send.message));
                 },
                 [this](Engine::Call& call) { on_call(call); },
                 [this](Engine::Cancelled& cancelled) { tasks_.erase(cancelled.key); },
                 [this](Engine::Notified& notified) {
                   if (on_notified_) on_notified_(notified.method, notified.params);
                 },
                 [this](Engine::Ended& ended) {
                   trace_.request_ended(ended.id, ended.method, ended.reply);
                   waiters_.finish(ended.id, std::move(ended.reply));
                 },
                 [this](Engine::Violation& violation) {
                   last_violation_ = std::move(violation.what);
                   if (trace_.on()) trace_.note("violation: " + last_violation_);
                 },
             },
             action);
}

void ServerSession::on_call(ServerEngine::Call& call) {
  auto found = handlers_.find(Target(call.method, call.target));
  if (found == handlers_.end()) found = handlers_.find(Target(call.method, std::string()));
  if (found == handlers_.end()) {
    return engine_.finish(call.key, Failure(rpc::kInternalError, "nobody handles " + call.method));
  }
  const ServerEngine::Key key = call.key;
  Task<void> task = run(key, found->second(ServerCall(this, std::move(call))));
  tasks_.emplace(key, std::move(task)).first->second.start();
}

Task<void> ServerSession::run(ServerEngine::Key key, Task<Reply<Json>> answer) {
  Reply<Json> reply = co_await std::move(answer);
  engine_.finish(key, std::move(reply));
  pump();
}

}  // namespace plumbline::mcp
