#include "fakes/peers/scripted_sessions.h"

#include <utility>

namespace plumbline::fakes {

ScriptedSessions::Session::Session(ScriptedSessions& its_owner,
                                   std::unique_ptr<transport::MessageChannel> its_channel)
    : owner(its_owner),
      channel(std::move(its_channel)),
      server(its_owner.script_, its_owner.world_, make_server_port(*channel), this) {}

void ScriptedSessions::Session::write_stderr(std::string_view text) {
  owner.process_.write_stderr(text);
}

void ScriptedSessions::Session::exit(net::ExitStatus status) {
  if (status != net::ExitStatus()) return owner.process_.exit(status);
  over = true;
  owner.sweep_soon();
}

ScriptedSessions::ScriptedSessions(const ServerScript& script, const ServerWorld& world,
                                   Process& process)
    : script_(script), world_(world), process_(process), sweep_([this] {
        std::erase_if(sessions_, [](const Session& session) { return session.over; });
      }) {}

void ScriptedSessions::take(std::unique_ptr<transport::MessageChannel> channel, bool starts) {
  sessions_.emplace_back(*this, std::move(channel));
  ScriptedServer& server = sessions_.back().server;
  if (starts) return server.start();
  server.resume();
}

void ScriptedSessions::end_all() {
  for (Session& session : sessions_) session.over = true;
  sweep_soon();
}

}  // namespace plumbline::fakes
