// CommandKit is what runs command lines for a server of agents, as a file of settings and the
// variables of the environment say (docs/command-lines.md).

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/host.h"
#include "core/agents/command_line/command_desk.h"
#include "core/agents/command_line/discovery/tool_discovery.h"
#include "core/agents/command_line/remote/execution_client.h"
#include "core/agents/command_line/remote/remote_desk.h"
#include "core/agents/command_line/settings/command_settings.h"
#include "core/agents/supervisor/supervisor_services.h"
#include "core/net/http_client.h"
#include "core/os/child/real_paths.h"
#include "core/os/ssh/ssh_dialer.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

// RemoteDialers reaches machines by SSH, or by their API where a URL says so.
class RemoteDialers final : public net::RemoteDialer {
 public:
  RemoteDialers(net::RemoteDialer& ssh, net::RemoteDialer& api) : ssh_(ssh), api_(api) {}

  // implements RemoteDialer ---
  Result<net::RemoteAccess> resolve(net::RemoteAccess access) override {
    net::RemoteDialer& dialer = dialer_of(access);
    return dialer.resolve(std::move(access));
  }
  Task<Result<std::unique_ptr<net::RemoteHost>>> connect(net::RemoteAccess access,
                                                         Instant deadline) override {
    net::RemoteDialer& dialer = dialer_of(access);
    return dialer.connect(std::move(access), deadline);
  }

 private:
  net::RemoteDialer& dialer_of(const net::RemoteAccess& access) const {
    return agents::command_line::is_api(access.host) ? api_ : ssh_;
  }

  net::RemoteDialer& ssh_;
  net::RemoteDialer& api_;
};

class CommandKit {
 public:
  // open reads the settings of `file`, or without one those of the variables alone: then no command
  // runs on this machine or on another, unless the variable of each turns it on. kInvalidInput:
  // what is wrong where, or a program of the settings is not there. With a `tracer` commands have
  // spans. It and `host` must outlive the kit.
  static Result<std::unique_ptr<CommandKit>> open(const std::string& file, trace::Tracer* tracer,
                                                  Host& host);

  // For open, which makes the desks.
  CommandKit(agents::command_line::CommandSettings settings, bool says_store, Host& host);

  const agents::command_line::CommandSettings& settings() const { return settings_; }

  // runs returns whether commands run, here or on other machines.
  bool runs() const { return desk_ || remote_desk_; }

  // store returns where threads are kept, as --store takes it; empty: the file does not say.
  std::string store() const;

  // desk returns where commands run on this machine; nullptr: they do not.
  agents::command_line::CommandDesk* desk() { return desk_ ? &*desk_ : nullptr; }

  // remote returns how commands reach other machines; without a dialer they do not.
  agents::supervisor::RemoteServices remote();

  // The tool discover_cli_tools: tool() as tools/list has it, discover() its answer for
  // {"tools": [...]}: names of tools that are known or may run; none are all that are known.
  // kInvalidInput: another name.
  Json discovery_tool() const;
  Task<Result<Json>> discover(Json arguments);

 private:
  Status make_desk(trace::Tracer* tracer);
  void make_remote();
  Result<std::vector<agents::command_line::ToolProbe>> probes_of(const Json& arguments) const;

  agents::command_line::CommandSettings settings_;
  bool says_store_;
  Host& host_;
  os::RealPaths paths_;
  os::RealWallClock clock_;
  agents::command_line::CommandRunner runner_;
  std::optional<agents::command_line::AuditLog> audit_;
  std::optional<agents::command_line::CommandPolicy> policy_;
  std::optional<agents::command_line::CommandDesk> desk_;
  os::SshDialer ssh_;
  net::HttpClient client_;
  agents::command_line::ExecutionDialer apis_;
  RemoteDialers dialers_{ssh_, apis_};
  std::optional<agents::command_line::RemotePolicy> remote_policy_;
  std::optional<agents::command_line::RemoteDesk> remote_desk_;
};

}  // namespace plumbline::cli
