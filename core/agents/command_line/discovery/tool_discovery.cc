#include "core/agents/command_line/discovery/tool_discovery.h"

#include <chrono>
#include <utility>

#include <re2/re2.h>

#include "core/base/task_group.h"

namespace plumbline::agents::command_line {

namespace {

constexpr Duration kProbeMax = std::chrono::seconds(5);

// probing returns a command that finds nothing to change.
net::Command probing(const ToolProbe& probe, const std::vector<std::string>& words,
                     const std::string& path) {
  net::Command command({probe.command});
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  command.program = path;
  command.cwd = "/";
  command.inherits = false;
  command.env = {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                 {"LC_ALL", "C"},
                 {"HOME", "/nonexistent"},
                 {"COREPACK_ENABLE_NETWORK", "0"}};
  return command;
}

Task<void> ask_version(CommandRunner& runner, ToolProbe probe, FoundTool& tool) {
  net::Command command = probing(probe, probe.version, tool.path);
  std::string line = probe.command;
  const CommandResult result = co_await runner.run(std::move(command), std::move(line), kProbeMax);
  if (result.status == CommandStatus::kTimeout) co_return;
  tool.version = version_in(result.out);
  if (tool.version.empty()) tool.version = version_in(result.err);
}

}  // namespace

const std::vector<ToolProbe>& known_tools() {
  static const std::vector<ToolProbe> tools = {
      {"git"},
      {"docker"},
      {"kubectl", {"version", "--client"}},
      {"npm", {"--version"}, {"help"}},
      {"yarn"},
      {"pip"},
      {"pytest"},
      {"ruff"},
      {"black"},
      {"curl"},
      {"jq"},
      {"awk", {"-W", "version"}, {"-W", "usage"}},
  };
  return tools;
}

Json to_json(const FoundTool& tool) {
  return {{"command", tool.command},
          {"available", tool.available},
          {"version", tool.version.empty() ? Json(nullptr) : Json(tool.version)},
          {"path", tool.path.empty() ? Json(nullptr) : Json(tool.path)}};
}

std::string version_in(const std::string& text) {
  static const RE2 pattern(R"((?:^|[^\w.])v?(\d+(?:\.\d+)+(?:[-+][0-9A-Za-z.-]*[0-9A-Za-z])?))");
  std::string version;
  RE2::PartialMatch(text, pattern, &version);
  return version;
}

Task<std::vector<FoundTool>> discover_tools(CommandRunner& runner, Loop& loop, Paths& paths,
                                            std::vector<std::string> search_path,
                                            std::vector<ToolProbe> probes) {
  std::vector<FoundTool> tools(probes.size());
  TaskGroup asking;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    tools[i].command = probes[i].command;
    for (const std::string& folder : search_path) {
      const std::string path = folder + "/" + probes[i].command;
      if (tools[i].available || !paths.is_program(path)) continue;
      tools[i].available = true;
      tools[i].path = path;
    }
    if (tools[i].available) asking.spawn(ask_version(runner, probes[i], tools[i]));
  }
  co_await asking.join(loop);
  co_return tools;
}

Task<std::string> help_of(CommandRunner& runner, ToolProbe probe, std::string path) {
  net::Command command = probing(probe, probe.help, path);
  std::string line = probe.command;
  const CommandResult result = co_await runner.run(std::move(command), std::move(line), kProbeMax);
  co_return result.out + result.err;
}

}  // namespace plumbline::agents::command_line
