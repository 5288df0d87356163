#include "core/agents/command_line/run/sandbox.h"

#include <utility>
#include <vector>

#include "core/base/check.h"

namespace plumbline::agents::command_line {

net::Command sandboxed(net::Command command, const std::string& bwrap) {
  check(command.program.starts_with('/') && command.cwd.starts_with('/'),
        "a sandbox needs absolute paths");
  std::vector<std::string> argv = {bwrap,
                                   "--unshare-all",
                                   "--die-with-parent",
                                   "--ro-bind",
                                   "/",
                                   "/",
                                   "--dev",
                                   "/dev",
                                   "--proc",
                                   "/proc",
                                   "--tmpfs",
                                   "/tmp",
                                   "--bind",
                                   command.cwd,
                                   command.cwd,
                                   "--chdir",
                                   command.cwd,
                                   "--",
                                   command.program};
  argv.insert(argv.end(), command.argv.begin() + 1, command.argv.end());
  command.argv = std::move(argv);
  command.program = bwrap;
  return command;
}

}  // namespace plumbline::agents::command_line
