#include "core/agents/command_line/run/sandbox.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agents/command_line/run/socket_filter.h"
#include "core/base/check.h"

namespace plumbline::agents::command_line {

namespace {

// What programs need of the system. Where one is missing, bubblewrap passes it over. Of /etc only
// what says nothing about anybody.
constexpr std::array kSystem = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/fonts",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/protocols",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/terminfo",
    "/etc/timezone",
};

bool is_of_system(std::string_view program) {
  for (const std::string_view folder : kSystem) {
    if (program.starts_with(folder) && program.substr(folder.size()).starts_with('/')) return true;
  }
  return false;
}

}  // namespace

net::Command sandboxed(net::Command command, const std::string& bwrap) {
  check(command.program.starts_with('/') && command.cwd.starts_with('/'),
        "a sandbox needs absolute paths");
  std::vector<std::string> argv = {bwrap};
  const auto add = [&argv](auto... words) { (argv.emplace_back(words), ...); };
  add("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent");
  add("--new-session", "--cap-drop", "ALL", "--seccomp", "3");
  command.given = socket_filter();
  const auto home = command.env.find("HOME");
  if (home != command.env.end() && home->second.starts_with('/')) add("--dir", home->second);
  for (const char* const place : kSystem) add("--ro-bind-try", place, place);
  // Root may write the system's settings without any capability: /proc/sys/kernel/core_pattern.
  add("--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc");
  add("--dir", "/run", "--tmpfs", "/tmp");
  // Of "/" all that may be seen is there.
  if (command.cwd != "/") add("--bind", command.cwd, command.cwd);
  if (!is_of_system(command.program)) add("--ro-bind", command.program, command.program);
  add("--remount-ro", "/", "--chdir", command.cwd, "--", command.program);
  argv.insert(argv.end(), command.argv.begin() + 1, command.argv.end());
  command.argv = std::move(argv);
  command.program = bwrap;
  return command;
}

}  // namespace plumbline::agents::command_line
