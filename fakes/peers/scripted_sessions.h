// ScriptedSessions runs one scripted server for each client that connects over the network. They
// share their memory and their effects, as the sessions of one process do.

#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/loop.h"
#include "core/mcp/transport/message_channel.h"
#include "fakes/peers/scripted_server.h"

namespace plumbline::fakes {

class ScriptedSessions {
 public:
  // A script that crashes ends `process`, and with it every session; one that ends in order ends
  // its session only. `script`, what `world` names and `process` must outlive the sessions.
  ScriptedSessions(const ServerScript& script, const ServerWorld& world, Process& process);

  // take serves the client at the other end of `channel`: as a process that starts for it, or as
  // one that runs already.
  void take(std::unique_ptr<transport::MessageChannel> channel, bool starts = true);

  // forget_all ends every session at once and returns whether there was one. Not from inside one
  // of them.
  bool forget_all() { return !std::exchange(sessions_, {}).empty(); }

  // end_all ends every session, from the loop: the process is gone.
  void end_all();

 private:
  struct Session final : Process {
    Session(ScriptedSessions& its_owner, std::unique_ptr<transport::MessageChannel> its_channel);

    // implements Process ---
    void write_stderr(std::string_view text) override;
    void exit(net::ExitStatus status) override;

    ScriptedSessions& owner;
    std::unique_ptr<transport::MessageChannel> channel;
    bool over = false;
    ScriptedServer server;
  };

  void sweep_soon() { world_.loop.arm(sweep_, world_.loop.now()); }

  const ServerScript& script_;
  ServerWorld world_;
  Process& process_;
  std::list<Session> sessions_;
  Alarm sweep_;
};

}  // namespace plumbline::fakes
