// Server is one MCP server with any number of sessions: it owns what they have in common, tells
// each what concerns it, and lets go of those that have ended.

#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/mcp/server/server_session.h"

namespace plumbline::mcp {

class Server {
 public:
  // `loop` and `events` must outlive the server. `name` is the `who` of every event. Null `events`:
  // no event is built.
  Server(Loop& loop, ServerOptions options, std::string name, EventSink* events);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  // accept starts a session on `channel`. `principal` names whom the channel has authenticated,
  // empty: nobody. The session lives until its channel is closed, or limits::kStopGrace after its
  // close(); the reference until the loop turns.
  ServerSession& accept(std::unique_ptr<transport::MessageChannel> channel,
                        std::string principal = {});

  // handle names who answers `method` for `target`, in every session: see ServerHandlers::set.
  void handle(std::string method, std::string target, ServerHandler handler);

  // on_notified names who hears the clients' notifications.
  void on_notified(
      std::function<void(ServerSession& session, std::string_view method, const Json& params)>
          hear);

  // on_idle names who is told, from the loop, that the last session has ended.
  void on_idle(std::function<void()> tell) { on_idle_ = std::move(tell); }

  // The setters replace what is offered and tell the clients that the list has changed.
  void set_tools(std::vector<Json> tools);
  void set_resources(std::vector<Json> resources, std::vector<Json> templates);
  void set_prompts(std::vector<Json> prompts);

  void resource_updated(const std::string& uri);

  // log is a log message about no call, to every client of a revision that has those.
  void log(std::string_view level, std::string_view logger, const Json& data);

  // close closes every session in good order.
  void close();

  // drop lets go of every session at once: what their channels stand on may go after it. Never
  // called from within a session.
  void drop();

  const ServerOptions& options() const { return commons_.options; }
  std::size_t sessions() const { return sessions_.size(); }

  // Load is what a server keeps for its clients.
  struct Load {
    std::size_t sessions = 0;
    std::size_t calls = 0;  // That are not answered yet.
    std::size_t subscriptions = 0;
    std::size_t tasks = 0;
  };
  Load load() const;

 private:
  struct Seat {
    std::unique_ptr<transport::MessageChannel> channel;
    std::unique_ptr<ServerSession> session;
    Instant drop_at = kNever;  // Set by close().
  };

  void tell_all(std::string_view area);
  void sweep();
  void wake_at(Instant when);

  Loop& loop_;
  std::string name_;
  EventSink* events_;
  ServerCommons commons_;
  std::function<void()> on_idle_;
  std::list<Seat> sessions_;
  Alarm sweep_;
};

}  // namespace plumbline::mcp
