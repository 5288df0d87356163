// ShellDesk is what one agent of a world runs commands with, as one process has it: the real rules,
// runner, audit log and desks, over the programs of a ShellWorld. It goes when the agent dies.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/agents/supervisor/supervisor_services.h"
#include "core/net/forwarding_child.h"
#include "scenarios/crashes/crash_plan.h"
#include "scenarios/crashes/operations.h"
#include "scenarios/shell/command_watch.h"
#include "scenarios/shell/shell_world.h"

namespace plumbline::scenarios {

// AuditPath is where the audit log of every agent stands.
inline constexpr const char* kAuditPath = "/audit.jsonl";

// MortalSpawner tells of each command that starts, here or elsewhere; the agent may die before it
// starts, right after, and when it has ended.
class MortalSpawner final : public net::Spawner, public net::RemoteDialer {
 public:
  // All must outlive it.
  MortalSpawner(ShellWorld& world, CrashPlan& crashes, CommandWatch& watch)
      : world_(world), crashes_(crashes), watch_(watch) {}

  // implements Spawner ---
  Result<std::unique_ptr<net::Child>> spawn(const net::Command& command) override;

  // implements RemoteDialer ---
  Result<net::RemoteAccess> resolve(net::RemoteAccess access) override {
    return world_.dialer().resolve(std::move(access));
  }
  Task<Result<std::unique_ptr<net::RemoteHost>>> connect(net::RemoteAccess access,
                                                         Instant deadline) override;

 private:
  class Host;

  ShellWorld& world_;
  CrashPlan& crashes_;
  CommandWatch& watch_;
};

class ShellDesk final {
 public:
  // All must outlive the desk.
  ShellDesk(Loop& loop, ShellWorld& world, Operations& operations, CrashPlan& crashes,
            CommandWatch& watch, agents::supervisor::ModelShelf& models);
  ShellDesk(const ShellDesk&) = delete;
  ShellDesk& operator=(const ShellDesk&) = delete;

  agents::command_line::CommandDesk& commands() { return desk_; }

  // supervisor has models, commands, other machines and files.
  const agents::supervisor::SupervisorServices& supervisor() const { return services_; }

 private:
  MortalSpawner mortal_;
  FailingSpawner failing_;
  agents::command_line::CommandRunner runner_;
  agents::command_line::AuditLog audit_;
  agents::command_line::CommandDesk desk_;
  agents::command_line::RemoteDesk remote_;
  agents::supervisor::SupervisorServices services_;
};

}  // namespace plumbline::scenarios
