// ScriptedServer is one simulated MCP server: it follows a ServerScript over a pipe or a channel.
//
// It shares no protocol code with core/: a bug there must not be able to excuse itself here. It is
// correct until a step or a deviation says otherwise.

#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>

#include "core/base/loop.h"
#include "core/json/json.h"
#include "core/mcp/transport/message_channel.h"
#include "fakes/peers/server_port.h"
#include "fakes/peers/server_script.h"
#include "fakes/peers/server_world.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::fakes {

struct ServerDesk;
struct ServerRequest;
class ServerLine;

class ScriptedServer final : private transport::MessageReceiver {
 public:
  // `script` and `process` must outlive the server. Without a process a crash breaks the
  // connection, the end of the input closes the output, and stderr goes nowhere.
  ScriptedServer(const ServerScript& script, const ServerWorld& world,
                 std::unique_ptr<ServerPort> port, Process* process = nullptr);
  ~ScriptedServer();

  // start runs the rules of "startup" and begins to read after the script's startup time. Once.
  void start();

  // resume reads at once, instead of start(): another connection to a process that runs already.
  void resume();

  // pending returns how many requests are worked on, those that hang included.
  std::size_t pending() const;

 private:
  // implements transport::MessageReceiver ---
  void on_message(Json message) override;
  void on_garbage(std::string_view bytes, const Error& error) override;
  void on_closed(const Error* error) override;

  // go_on does what waited while the process stood still.
  void go_on();
  void take(Json message);
  void take_request(ServerRequest request);
  void take_notification(ServerRequest request);
  void take_response(const Json& id);
  void work_on(ServerRequest request, const Behaviour* steps);
  bool refuse_by_lifecycle(const ServerRequest& request);
  const Behaviour* matching_rule(std::string_view method, const Json& params);

  const ServerScript& script_;
  ServerWorld world_;
  std::unique_ptr<ServerLine> line_;
  std::unique_ptr<ServerDesk> desk_;
  std::deque<Json> unread_;    // While the process stands still.
  bool initialized_ = false;   // An initialize was taken.
  bool acknowledged_ = false;  // By notifications/initialized.
  Alarm ready_;
};

// scripted_program returns what a SimSpawner runs as this server. `script` and what `world` names
// must outlive every child.
ProgramFactory scripted_program(const ServerScript& script, const ServerWorld& world);

}  // namespace plumbline::fakes
