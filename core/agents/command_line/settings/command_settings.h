// CommandSettings are all settings of command lines: from a file that people write, and from
// environment variables, which win. docs/command-lines.md has the table.

#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "core/agents/command_line/discovery/tool_discovery.h"
#include "core/agents/command_line/rules/command_policy.h"
#include "core/agents/command_line/run/command_runner.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"

namespace plumbline::agents::command_line {

// RemoteSettings are those of commands on other machines.
struct RemoteSettings {
  bool enabled = false;
  std::string key_path = "~/.ssh/id_rsa";
  std::string known_hosts_path = "~/.ssh/known_hosts";
  std::string config_path = "~/.ssh/config";
  Duration timeout = std::chrono::seconds(60);
  std::vector<std::string> programs = {"systemctl", "tail", "df"};
  std::vector<std::string> apis;  // URLs of execution APIs that may be asked, and get the token.
};

// CheckpointSettings say where threads are kept, as LangGraph's variables do.
struct CheckpointSettings {
  std::string backend = "sqlite";  // "sqlite", "postgres" or "memory".
  std::string path = "./data/checkpoints";
};

struct CommandSettings {
  CommandRules rules = default_rules();
  std::vector<std::string> pass_env;  // Variables of ours that every command gets.
  RunLimits limits;
  bool sandbox = false;  // Commands run in bubblewrap.
  std::string bubblewrap = "/usr/bin/bwrap";
  std::string audit_path;  // The file of the audit log; empty: none is kept.
  RemoteSettings remote;
  CheckpointSettings checkpoints;
  std::vector<ToolProbe> tools = known_tools();  // That are looked for: known ones, then others.
  bool verbose = false;

  // default_rules returns the programs and the blocklist that hold when nothing is said.
  static CommandRules default_rules();
};

using Variables = std::map<std::string, std::string>;

// read_settings reads a settings file's value over the defaults. The Problem says what is wrong
// where, and what was expected.
Result<CommandSettings, Problem> read_settings(const Json& file);

// apply_variables puts what `variables` say over `settings`, passes pass_env on into
// rules.env, and makes a "~/" at the beginning of a path the folder of HOME. kInvalidInput names
// the variable, its value and what was expected.
Status apply_variables(const Variables& variables, CommandSettings& settings);

}  // namespace plumbline::agents::command_line
