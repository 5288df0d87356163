#include "core/os/child/real_spawner.h"

#include <utility>

#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/node/child/host_child.h"
#include "core/os/real_file_store.h"

namespace plumbline::os {

namespace {

using Environment = std::map<std::string, std::string>;

bool holds_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

// check_command refuses what a process cannot be given.
Status check_command(const net::Command& command) {
  const bool nameless = command.program.empty() && command.argv.front().empty();
  if (nameless) return the_error("server.command-empty");
  for (const std::string& word : command.argv) {
    if (holds_nul(word)) return the_error("server.command-unfit");
  }
  for (const auto& [name, value] : command.env) {
    if (name.empty() || name.find('=') != std::string::npos || holds_nul(name) ||
        holds_nul(value)) {
      return the_error("server.variable-unfit", name);
    }
  }
  if (!command.cwd.empty() && !is_folder(command.cwd)) {
    return the_error("server.no-folder", command.cwd);
  }
  return Done{};
}

Json order_for(const net::Command& command, std::uint32_t number, std::uint32_t stdio) {
  Environment env = command.env;
  if (command.inherits) env.merge(inherited_environment());
  Json what = host::request("spawn");
  what["id"] = number;
  what["stdio"] = stdio;
  what["argv"] = command.argv;
  what["env"] = env;
  what["cwd"] = command.cwd;
  what["program"] = command.program;
  what["given"] = command.given;
  return what;
}

}  // namespace

RealSpawner::RealSpawner(RealLoop& loop, ExitWatching watching)
    : loop_(loop), watching_(watching) {}

Result<std::unique_ptr<net::Child>> RealSpawner::spawn(const net::Command& command) {
  Result<std::unique_ptr<HostChild>> child = start_host_child(loop_, command);
  if (!child.ok()) return std::move(child).error();
  return std::unique_ptr<net::Child>(std::move(child).value());
}

Result<std::unique_ptr<HostChild>> start_host_child(RealLoop& loop, const net::Command& command) {
  if (command.argv.empty()) return the_error("server.command-empty");
  Status checked = check_command(command);
  if (!checked.ok()) return std::move(checked).error();
  const std::uint32_t number = host::new_number();
  const std::uint32_t stdio = host::new_number();
  const host::Answer started = host::order(order_for(command, number, stdio));
  if (started.ok()) return std::make_unique<HostChild>(loop, number, stdio);
  const host::Refusal& why = started.error();
  if (why.code == "NONE") {
    return the_error("server.no-program", command.argv.front());
  }
  const bool system_limit = why.code == "EAGAIN" || why.code == "ENOMEM" || why.code == "EMFILE";
  return the_error_as(system_limit ? ErrorCode::kLimitReached : ErrorCode::kInvalidInput,
                      "server.cannot-start", command.argv.front(), why.text);
}

}  // namespace plumbline::os
