// ShellSpec is what a scenario says of command lines: which programs there are and what they do,
// under which rules, with which files, and on which other machines. docs/scenario-format.md
// describes the member "shell".

#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/command_line/remote/remote_desk.h"
#include "core/agents/command_line/rules/command_policy.h"
#include "core/agents/command_line/settings/command_settings.h"
#include "core/base/result.h"
#include "fakes/shell/fake_shell.h"
#include "fakes/shell/sim_remote.h"
#include "fakes/world/sim_paths.h"

namespace plumbline::scenarios {

// ProgramSpec is what a command that begins with these words does. Of several the longest counts.
struct ProgramSpec {
  std::vector<std::string> words;
  fakes::ShellBehaviour does;
};

struct HostSpec {
  std::string name;
  fakes::HostBehaviour behaves;
  std::vector<ProgramSpec> programs;
};

struct ShellData {
  agents::command_line::CommandSettings settings;
  std::vector<ProgramSpec> programs;
  std::map<std::string, std::string> files;  // Texts by their paths.
  std::map<std::string, std::string> links;  // Symbolic: what they lead to, by their paths.
  std::vector<HostSpec> hosts;
};

// ShellSpec is shared by all worlds of a scenario: its rules are compiled once.
class ShellSpec {
 public:
  // make holds the rules against the file system of the scenario. kInvalidInput: see
  // CommandPolicy::make.
  static Result<ShellSpec> make(ShellData data);

  ShellSpec(const ShellSpec& other) : ShellSpec(other.data_) {}
  ShellSpec(ShellSpec&&) = default;
  ShellSpec& operator=(const ShellSpec& other) { return *this = ShellSpec(other); }
  ShellSpec& operator=(ShellSpec&&) = default;
  ~ShellSpec() = default;

  const ShellData& data() const { return data_; }
  const agents::command_line::CommandPolicy& policy() const { return machine_->policy; }
  const agents::command_line::RemotePolicy& remote_policy() const { return machine_->remote; }

  // paths are those of every world: whoever looks changes nothing.
  Paths& paths() const { return machine_->paths; }

 private:
  struct Machine {
    Machine(fakes::SimPaths its_paths, const ShellData& data);

    fakes::SimPaths paths;
    agents::command_line::CommandPolicy policy;
    agents::command_line::RemotePolicy remote;
  };

  explicit ShellSpec(ShellData data);

  ShellData data_;
  std::unique_ptr<Machine> machine_;
};

// name_of_program returns "git" of "/usr/bin/git".
std::string name_of_program(const std::string& path);

}  // namespace plumbline::scenarios
