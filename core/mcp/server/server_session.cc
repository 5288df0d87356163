#include "core/mcp/server/server_session.h"

#include <coroutine>
#include <utility>

#include "core/mcp/protocol/answer.h"
#include "core/mcp/protocol/meta_keys.h"

namespace plumbline::mcp {

namespace {

Task<Reply<Json>> answer_now(Reply<Json> reply) { co_return std::move(reply); }

}  // namespace

ServerSession::ServerSession(Loop& loop, transport::MessageChannel& channel,
                             const ServerCommons& commons, std::string name, EventSink* events,
                             std::string principal)
    : loop_(loop),
      channel_(channel),
      commons_(commons),
      serial_(commons.tasks ? commons.tasks->next_session() : 0),
      trace_(loop, std::move(name), events),
      engine_(commons.options, std::move(principal)),
      waiters_(*this),
      sweep_([this] {
        for (const ServerEngine::Key key : std::exchange(asleep_, {})) tasks_.erase(key);
      }) {
  channel_.start(*this);
}

// Handlers are dropped while everything they may touch is still there. What they say then goes
// nowhere.
ServerSession::~ServerSession() {
  pumping_ = true;
  if (!ended_) channel_.close();
  engine_.disconnected("the session was dropped");
  for (const ServerEngine::Action& action : engine_.take_actions()) {
    const auto* const ended = std::get_if<ServerEngine::Ended>(&action);
    if (ended != nullptr) trace_.request_ended(ended->id, ended->method, ended->reply);
  }
  tasks_.clear();
  if (commons_.tasks) commons_.tasks->forget(*this);
}

Task<Reply<Json>> ServerSession::wait_for(Reply<std::int64_t> id, std::string method) {
  if (!id.ok()) co_return std::move(id).error();
  trace_.request_started(id.value(), method);
  pump();
  Reply<Json> reply = co_await ReplyWaiters::Wait(waiters_, id.value());
  co_return std::move(reply);
}

Task<Reply<Json>> ServerSession::request(std::string method, Json params, Instant deadline) {
  std::string traced = method;
  Reply<std::int64_t> id =
      engine_.request(std::move(method), std::move(params), loop_.now(), deadline);
  return wait_for(std::move(id), std::move(traced));
}

Task<Reply<Json>> ServerSession::request(ServerEngine::Key key, std::string method, Json params,
                                         Instant deadline) {
  std::string traced = method;
  Reply<std::int64_t> id =
      engine_.request(std::move(method), std::move(params), loop_.now(), deadline, key);
  return wait_for(std::move(id), std::move(traced));
}

const ClientInfo* ServerSession::client_of(ServerEngine::Key key) const {
  return engine_.client_of(key);
}

Task<Reply<Json>> ServerSession::ask(ServerEngine::Key key, std::vector<Ask> asks,
                                     Instant deadline) {
  const ClientInfo* const client = engine_.client_of(key);
  const bool by_result = client != nullptr && is_stateless(client->revision);
  return by_result ? ask_by_result(key, std::move(asks))
                   : ask_by_requests(key, std::move(asks), deadline);
}

Task<Reply<Json>> ServerSession::ask_by_requests(ServerEngine::Key key, std::vector<Ask> asks,
                                                 Instant deadline) {
  Json answers = Json::object();
  for (Ask& ask : asks) {
    Reply<Json> reply =
        co_await request(key, std::move(ask.method), std::move(ask.params), deadline);
    if (!reply.ok()) co_return std::move(reply);
    answers[ask.name] = std::move(reply).value();
  }
  co_return std::move(answers);
}

// A handler that has to wait for the next round never wakes: it is dropped from the loop, since a
// Task must not be destroyed from inside.
Task<Reply<Json>> ServerSession::ask_by_result(ServerEngine::Key key, std::vector<Ask> asks) {
  Json answers = Json::object();
  std::vector<Ask> missing;
  for (Ask& ask : asks) {
    if (std::optional<Failure> no = engine_.undeclared(key, ask)) co_return *std::move(no);
    if (const Json* const answer = engine_.answer_of(key, ask.name)) {
      answers[ask.name] = *answer;
    } else {
      missing.push_back(std::move(ask));
    }
  }
  if (missing.empty()) co_return std::move(answers);
  engine_.ask(key, std::move(missing), loop_.now());
  asleep_.push_back(key);
  loop_.arm(sweep_, loop_.now());
  pump();
  std::suspend_always for_ever;
  co_await for_ever;
  co_return Failure(Failure::Kind::kCancelled, "asked by its result");
}

void ServerSession::progress(ServerEngine::Key key, double value, std::optional<double> total,
                             std::string message) {
  engine_.progress(key, value, total, std::move(message));
  pump();
}

void ServerSession::log(ServerEngine::Key key, std::string_view level, std::string_view logger,
                        Json data) {
  engine_.log(key, level, logger, std::move(data));
  pump();
}

void ServerSession::close_stream(ServerEngine::Key key) {
  const rpc::RpcId* const id = engine_.id_of(key);
  if (id != nullptr) channel_.close_stream(*id);
}

void ServerSession::log_to_all(std::string_view level, std::string_view logger, Json data) {
  engine_.log_to_all(level, logger, std::move(data));
  pump();
}

void ServerSession::resource_updated(const std::string& uri) {
  engine_.resource_updated(uri);
  pump();
}

void ServerSession::list_changed(std::string_view area) {
  engine_.list_changed(area);
  pump();
}

void ServerSession::close() {
  if (engine_.closed()) return;
  engine_.end_subscriptions();
  pump();
  engine_.disconnected("closed by the server");
  trace_.connection("closed", "closed by the server");
  channel_.close_send();
  pump();
}

void ServerSession::on_message(Json message) {
  trace_.received(message);
  engine_.receive(std::move(message), loop_.now());
  pump();
}

void ServerSession::on_garbage(std::string_view bytes, const Error& error) {
  trace_.garbage(bytes, error.message);
  engine_.garbage(error.message);
  pump();
}

void ServerSession::on_lost(const rpc::RpcId& id, const Error& error) {
  engine_.lost(id, error.message);
  pump();
}

void ServerSession::on_closed(const Error* error) {
  ended_ = true;
  const std::string why = error ? error->message : "the client closed the connection";
  trace_.connection("disconnected", why);
  engine_.disconnected(why);
  pump();
  if (on_end_) on_end_();
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
                   if (send.about) {
                     channel_.send_about(std::move(send.message), *send.about);
                   } else {
                     channel_.send(std::move(send.message));
                   }
                 },
                 [this](Engine::Call& call) { on_call(call); },
                 [this](Engine::Cancelled& cancelled) {
                   tasks_.erase(cancelled.key);
                   channel_.leave_unanswered(cancelled.id);
                 },
                 [this](Engine::Notified& notified) {
                   if (!commons_.on_notified) return;
                   commons_.on_notified(*this, notified.method, notified.params);
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

// owner names whose tasks are seen here: those of who is known, or of a session with a handshake.
// A stateless client that is not known owns what it can name.
std::string ServerSession::owner() const {
  if (!principal().empty() || client() == nullptr) return principal();
  return "session " + std::to_string(serial_);
}

void ServerSession::task_changed(Json task) {
  engine_.task_changed(std::move(task));
  pump();
}

void ServerSession::task_updated(const TaskRecord& task, const Json& full) {
  if (task.owner != principal()) return;
  engine_.task_updated(task.id, full);
  pump();
}

void ServerSession::on_call(ServerEngine::Call& call) {
  const ServerEngine::Key key = call.key;
  Task<void> task = run(key, answer_of(std::move(call)));
  tasks_.emplace(key, std::move(task)).first->second.start();
}

// answer_of finds who answers a call: a handler, here or as a task, or the book of the tasks.
Task<Reply<Json>> ServerSession::answer_of(ServerEngine::Call call) {
  const ClientInfo& client = *engine_.client_of(call.key);
  TaskRunner* const tasks = commons_.tasks.get();
  if (tasks != nullptr && call.method.starts_with("tasks/")) {
    return tasks->answer(std::move(call.method), std::move(call.params), client.revision, owner());
  }
  const ServerHandler* const handler = commons_.handlers.find(call.method, call.target);
  if (handler == nullptr) {
    return answer_now(Failure(rpc::kInternalError, "nobody handles " + call.method));
  }
  if (tasks == nullptr || !call.task) return (*handler)(ServerCall(this, std::move(call)));
  return answer_now(tasks->start(*handler, std::move(call), client, owner(), *this));
}

Reply<Json> ServerSession::become_task(ServerEngine::Call call, const ServerHandler& rest) {
  const ClientInfo* const client = engine_.client_of(call.key);
  if (client == nullptr) return Failure(Failure::Kind::kCancelled, "the call is over");
  if (!commons_.tasks || !has_task_extension(client->revision)) {
    return Failure(Failure::Kind::kRefused, "there are no such tasks here");
  }
  if (std::optional<Failure> no = missing_extension(*client, kTaskExtension)) return *std::move(no);
  call.task.emplace();
  return commons_.tasks->start(rest, std::move(call), *client, owner(), *this);
}

Task<void> ServerSession::run(ServerEngine::Key key, Task<Reply<Json>> answer) {
  Reply<Json> reply = co_await std::move(answer);
  engine_.finish(key, std::move(reply), loop_.now());
  pump();
}

}  // namespace plumbline::mcp
