// Tool discovery finds which command-line tools there are, where, in which version, and what they
// say of themselves.

#pragma once

#include <string>
#include <vector>

#include "core/agents/command_line/run/command_runner.h"
#include "core/base/doors/paths.h"
#include "core/base/task.h"
#include "core/json/json.h"

namespace plumbline::agents::command_line {

// ToolProbe is how a tool is asked: with words that make it say something, end, and do nothing
// else.
struct ToolProbe {
  std::string command;
  std::vector<std::string> version = {"--version"};
  std::vector<std::string> help = {"--help"};
};

// known_tools are those that are looked for when nothing else is said.
const std::vector<ToolProbe>& known_tools();

// FoundTool is what is known of one tool.
struct FoundTool {
  std::string command;
  bool available = false;
  std::string version;  // "2.39.5"; empty: it did not say in time.
  std::string path;     // Absolute; empty: there is none.
};

// to_json returns {"command", "available", "version", "path"}, null for what is not known.
Json to_json(const FoundTool& tool);

// discover_tools looks for each of `probes` in `search_path` and asks it for its version, as many
// at a time as `runner` lets. In the order of `probes`. Each gets 5 s, an environment of PATH and
// LC_ALL alone with a HOME that is not there, and starts in "/": it finds nothing to change.
Task<std::vector<FoundTool>> discover_tools(CommandRunner& runner, Loop& loop, Paths& paths,
                                            std::vector<std::string> search_path,
                                            std::vector<ToolProbe> probes);

// help_of returns what the tool at `path` says for probe.help, stdout before stderr, bounded as the
// runner bounds it. Empty: it says nothing in time.
Task<std::string> help_of(CommandRunner& runner, ToolProbe probe, std::string path);

// version_in returns the first number with a dot in it that `text` holds, with what hangs on it:
// "2.39.5", "1.0.0-beta.2". Empty: there is none.
std::string version_in(const std::string& text);

}  // namespace plumbline::agents::command_line
