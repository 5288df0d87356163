#include "scenarios/spec/shell_spec.h"

#include "core/base/check.h"

namespace plumbline::scenarios {

namespace {

using agents::command_line::CommandPolicy;
using agents::command_line::RemoteRules;

constexpr const char* kPrograms = "/usr/bin/";

fakes::SimPaths paths_of(const ShellData& data) {
  fakes::SimPaths out;
  for (const std::string& root : data.settings.rules.roots) out.folder(root);
  for (const ProgramSpec& program : data.programs) {
    const std::string& word = program.words.front();
    out.program(word.starts_with('/') ? word : kPrograms + word);
  }
  for (const auto& [path, text] : data.files) out.file(path);
  for (const auto& [path, target] : data.links) out.link(path, target);
  return out;
}

RemoteRules remote_rules_of(const ShellData& data) {
  const auto& remote = data.settings.remote;
  return {remote.enabled, remote.programs, data.settings.rules.blocked};
}

CommandPolicy sound_policy(const ShellData& data, Paths& paths) {
  Result<CommandPolicy> policy = CommandPolicy::make(data.settings.rules, paths);
  check(policy.ok(), "the rules of a shell were held against its files before");
  return std::move(policy).value();
}

}  // namespace

ShellSpec::Machine::Machine(fakes::SimPaths its_paths, const ShellData& data)
    : paths(std::move(its_paths)),
      policy(sound_policy(data, paths)),
      remote(remote_rules_of(data)) {}

ShellSpec::ShellSpec(ShellData data)
    : data_(std::move(data)), machine_(std::make_unique<Machine>(paths_of(data_), data_)) {}

Result<ShellSpec> ShellSpec::make(ShellData data) {
  fakes::SimPaths paths = paths_of(data);
  const Result<CommandPolicy> policy = CommandPolicy::make(data.settings.rules, paths);
  if (!policy.ok()) return policy.error();
  return ShellSpec(std::move(data));
}

std::string name_of_program(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace plumbline::scenarios
