#include "cli/commands/agents/command_kit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/config/json_text.h"
#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

namespace cl = agents::command_line;

constexpr std::size_t kProcessBytes = 6;  // That name this process in the audit log.

// settings_in returns the settings, and in `says_store` whether the file has where threads are
// kept. Without a file nothing runs, unless its variable turns it on.
Result<cl::CommandSettings> settings_in(const std::string& file, bool& says_store, Host& host) {
  cl::CommandSettings out;
  out.rules.enabled = !file.empty();
  if (!file.empty()) {
    const Result<std::string> text = host.files().read_file(file);
    if (!text.ok()) return text.error();
    const Status read =
        read_json_text(text.value(), file, [&](const Json& root, std::optional<Problem>& problem) {
          says_store = find(root, "checkpoints") != nullptr;
          Result<cl::CommandSettings, Problem> settings = cl::read_settings(root);
          if (settings.ok()) {
            out = std::move(settings).value();
          } else {
            problem = std::move(settings).error();
          }
        });
    if (!read.ok()) return read.error();
  }
  const Status applied = cl::apply_variables(os::whole_environment(), out);
  if (!applied.ok()) return applied.error();
  return out;
}

std::string secret_variable(const char* name, Host& host) {
  std::string value = os::environment_variable(name).value_or("");
  if (!value.empty()) host.secrets().add(value);
  return value;
}

}  // namespace

Result<std::unique_ptr<CommandKit>> CommandKit::open(const std::string& file, trace::Tracer* tracer,
                                                     Host& host) {
  bool says_store = false;
  Result<cl::CommandSettings> settings = settings_in(file, says_store, host);
  if (!settings.ok()) return settings.error();
  auto kit = std::make_unique<CommandKit>(std::move(settings).value(), says_store, host);
  const Status made = kit->make_desk(tracer);
  if (!made.ok()) return made.error();
  return kit;
}

CommandKit::CommandKit(cl::CommandSettings settings, bool says_store, Host& host)
    : settings_(std::move(settings)),
      says_store_(says_store),
      host_(host),
      runner_(host.world().loop(), host.world().spawner(), settings_.limits),
      ssh_(host.world().loop()),
      client_(host.world().loop(), host.world().network()),
      apis_(client_, settings_.remote.apis) {}

std::string CommandKit::store() const {
  if (!says_store_) return "";
  const cl::CheckpointSettings& kept = settings_.checkpoints;
  if (kept.backend == "memory") return "memory:";
  const bool url = kept.path.find("://") != std::string::npos;
  return url ? kept.path : kept.backend + ":" + kept.path;
}

Status CommandKit::make_desk(trace::Tracer* tracer) {
  if (!settings_.audit_path.empty()) {
    audit_.emplace(host_.files(), clock_, settings_.audit_path, os::random_token(kProcessBytes),
                   host_.secrets().redactor());
  }
  if (settings_.remote.enabled) make_remote();
  if (!settings_.rules.enabled) return Done{};
  if (settings_.sandbox && !paths_.is_program(settings_.bubblewrap)) {
    return the_error("agents.no-sandbox", settings_.bubblewrap);
  }
  Result<cl::CommandPolicy> policy = cl::CommandPolicy::make(settings_.rules, paths_);
  if (!policy.ok()) return policy.error();
  policy_.emplace(std::move(policy).value());
  desk_.emplace(*policy_, runner_, audit_ ? &*audit_ : nullptr,
                settings_.sandbox ? settings_.bubblewrap : "", tracer);
  return Done{};
}

void CommandKit::make_remote() {
  remote_policy_.emplace(cl::RemoteRules{true, settings_.remote.programs, settings_.rules.blocked});
  remote_desk_.emplace(*remote_policy_, host_.world().loop(), audit_ ? &*audit_ : nullptr);
}

agents::supervisor::RemoteServices CommandKit::remote() {
  agents::supervisor::RemoteServices out;
  if (!remote_desk_) return out;
  out.dialer = &dialers_;
  out.desk = &*remote_desk_;
  out.access.known_hosts_path = settings_.remote.known_hosts_path;
  out.access.config_path = settings_.remote.config_path;
  out.access.key_path = settings_.remote.key_path;
  out.ssh_password = secret_variable("REMOTE_CLI_SSH_PASSWORD", host_);
  out.api_token = secret_variable("REMOTE_CLI_API_TOKEN", host_);
  out.timeout = settings_.remote.timeout;
  return out;
}

Json CommandKit::discovery_tool() const {
  const Json names = {{"type", "array"},
                      {"items", {{"type", "string"}}},
                      {"description", "Which to look for; none: all that are known"}};
  return {
      {"name", "discover_cli_tools"},
      {"title", "Command-line tools"},
      {"description",
       "Which command-line tools there are on this machine, where, and in which version."},
      {"inputSchema",
       {{"type", "object"}, {"properties", {{"tools", names}}}, {"additionalProperties", false}}},
      {"annotations",
       {{"readOnlyHint", true}, {"destructiveHint", false}, {"openWorldHint", false}}}};
}

Result<std::vector<cl::ToolProbe>> CommandKit::probes_of(const Json& arguments) const {
  const Json* const names = find(arguments, "tools");
  if (names == nullptr || !names->is_array() || names->empty()) return settings_.tools;
  std::vector<cl::ToolProbe> out;
  for (const Json& name : *names) {
    const std::string wanted = name.is_string() ? name.get<std::string>() : "";
    const auto known = std::ranges::find(settings_.tools, wanted, &cl::ToolProbe::command);
    const std::vector<std::string>& listed = settings_.rules.programs;
    if (known != settings_.tools.end()) {
      out.push_back(*known);
    } else if (std::ranges::find(listed, wanted) != listed.end()) {
      out.push_back({.command = wanted});
    } else {
      return the_error("agents.discovery", wanted);
    }
  }
  return out;
}

Task<Result<Json>> CommandKit::discover(Json arguments) {
  Result<std::vector<cl::ToolProbe>> probes = probes_of(arguments);
  if (!probes.ok()) co_return probes.error();
  std::vector<std::string> path = settings_.rules.search_path;
  const std::vector<cl::FoundTool> found = co_await cl::discover_tools(
      runner_, host_.world().loop(), paths_, std::move(path), std::move(probes).value());
  Json out = Json::array();
  for (const cl::FoundTool& tool : found) out.push_back(to_json(tool));
  co_return out;
}

}  // namespace plumbline::cli
