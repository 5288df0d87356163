#include "core/mcp/server/server.h"

#include <algorithm>
#include <utility>

#include "core/base/limits.h"

namespace plumbline::mcp {

Server::Server(Loop& loop, ServerOptions options, std::string name, EventSink* events)
    : loop_(loop), name_(std::move(name)), events_(events), sweep_([this] { sweep(); }) {
  commons_.options = std::move(options);
  if (!commons_.options.tasks.offered) return;
  commons_.tasks = std::make_unique<TaskRunner>(loop, commons_.options);
  commons_.tasks->on_change([this](const TaskRecord& task, const Json& full) {
    for (Seat& seat : sessions_) seat.session->task_updated(task, full);
  });
}

// A task may end with the session that it belongs to: nobody is told any more then.
Server::~Server() {
  if (commons_.tasks) commons_.tasks->on_change(nullptr);
}

ServerSession& Server::accept(std::unique_ptr<transport::MessageChannel> channel,
                              std::string principal) {
  Seat& seat = sessions_.emplace_back();
  seat.channel = std::move(channel);
  seat.session = std::make_unique<ServerSession>(loop_, *seat.channel, commons_, name_, events_,
                                                 std::move(principal));
  seat.session->on_end([this] { wake_at(loop_.now()); });
  return *seat.session;
}

void Server::handle(std::string method, std::string target, ServerHandler handler) {
  commons_.handlers.set(std::move(method), std::move(target), std::move(handler));
}

void Server::on_notified(
    std::function<void(ServerSession& session, std::string_view method, const Json& params)> hear) {
  commons_.on_notified = std::move(hear);
}

void Server::tell_all(std::string_view area) {
  for (Seat& seat : sessions_) seat.session->list_changed(area);
}

void Server::set_tools(std::vector<Json> tools) {
  commons_.options.tools = std::move(tools);
  tell_all("tools");
}

void Server::set_resources(std::vector<Json> resources, std::vector<Json> templates) {
  commons_.options.resources = std::move(resources);
  commons_.options.templates = std::move(templates);
  tell_all("resources");
}

void Server::set_prompts(std::vector<Json> prompts) {
  commons_.options.prompts = std::move(prompts);
  tell_all("prompts");
}

void Server::resource_updated(const std::string& uri) {
  for (Seat& seat : sessions_) seat.session->resource_updated(uri);
}

void Server::log(std::string_view level, std::string_view logger, const Json& data) {
  for (Seat& seat : sessions_) seat.session->log_to_all(level, logger, data);
}

void Server::close() {
  const Instant deadline = after(loop_.now(), limits::kStopGrace);
  for (Seat& seat : sessions_) {
    seat.session->close();
    seat.drop_at = std::min(seat.drop_at, deadline);
  }
  if (!sessions_.empty()) wake_at(deadline);
}

void Server::drop() {
  std::list<Seat> going;  // What ends with a session is told to nobody any more.
  going.swap(sessions_);
}

Server::Load Server::load() const {
  Load load;
  load.sessions = sessions_.size();
  for (const Seat& seat : sessions_) {
    load.calls += seat.session->running();
    load.subscriptions += seat.session->subscriptions();
  }
  if (commons_.tasks) load.tasks = commons_.tasks->size();
  return load;
}

void Server::wake_at(Instant when) {
  if (!sweep_.armed() || when < sweep_.due()) loop_.arm(sweep_, when);
}

// sweep lets go of the sessions that have ended. It runs from the loop: never inside one of them.
void Server::sweep() {
  const Instant now = loop_.now();
  const bool any = !sessions_.empty();
  sessions_.remove_if(
      [now](const Seat& seat) { return seat.session->ended() || seat.drop_at <= now; });
  Instant next = kNever;
  for (const Seat& seat : sessions_) next = std::min(next, seat.drop_at);
  if (next != kNever) wake_at(next);
  if (any && sessions_.empty() && on_idle_) on_idle_();
}

}  // namespace plumbline::mcp
