// ScriptedServer is one simulated MCP server: it follows a ServerScript over a pipe or a channel.
//
// It shares no protocol code with core/: a bug there must not be able to excuse itself here. It is
// correct until a step or a deviation says otherwise.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/json/json.h"
#include "core/transport/message_channel.h"
#include "fakes/effect_ledger.h"
#include "fakes/server_port.h"
#include "fakes/server_script.h"
#include "fakes/sim_spawner.h"

namespace plumbline::fakes {

// ServerMemory is what of a server outlives its restarts within one world.
struct ServerMemory {
  // `name` is who commits the effects.
  explicit ServerMemory(std::string server_name) : name(std::move(server_name)) {}

  std::string name;
  std::int64_t starts = 0;
  std::vector<std::int64_t> rule_hits;  // By the index of ServerScript::rules.
};

// ServerWorld is what a server borrows. All of it must outlive the server.
struct ServerWorld {
  Loop& loop;
  EffectLedger& ledger;
  ServerMemory& memory;
};

class ScriptedServer final : private transport::MessageReceiver {
 public:
  // `script` and `process` must outlive the server. Without a process a crash breaks the
  // connection, the end of the input closes the output, and stderr goes nowhere.
  ScriptedServer(const ServerScript& script, const ServerWorld& world,
                 std::unique_ptr<ServerPort> port, Process* process = nullptr);
  ~ScriptedServer();

  // start begins to read, after the script's startup time.
  void start();

  // pending returns how many requests are not answered.
  std::size_t pending() const;

 private:
  class Exchange;
  class Dialogue;

  void on_message(Json message) override;
  void on_garbage(std::string_view bytes, const Error& error) override;
  void on_closed(const Error* error) override;

  std::unique_ptr<Dialogue> dialogue_;
};

// scripted_program returns what a SimSpawner runs as this server. What is borrowed must outlive
// every child.
ProgramFactory scripted_program(const ServerScript& script, const ServerWorld& world);

}  // namespace plumbline::fakes
