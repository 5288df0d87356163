#include "core/agents/command_line/settings/command_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/base/words/truth.h"

namespace plumbline::agents::command_line {

namespace {

constexpr std::array<std::string_view, 3> kBackends = {"sqlite", "postgres", "memory"};
constexpr std::int64_t kConcurrentMax = 1'000;
constexpr std::int64_t kOutputBytesMax = 16 << 20;
constexpr std::int64_t kSecondsMax = 86'400;

template <typename T, typename Read>
void put(std::optional<Read> read, T& into) {
  if (read) into = static_cast<T>(*std::move(read));
}

void put_list(ObjectReader& fields, std::string_view key, std::vector<std::string>& into) {
  if (fields.has(key)) into = fields.strings(key);
}

void read_local(ObjectReader& fields, std::optional<Problem>& problem, CommandSettings& out) {
  put(fields.boolean("enabled"), out.rules.enabled);
  put_list(fields, "programs", out.rules.programs);
  put_list(fields, "search_path", out.rules.search_path);
  put_list(fields, "blocked", out.rules.blocked);
  put_list(fields, "roots", out.rules.roots);
  put_list(fields, "pass_env", out.pass_env);
  put_list(fields, "request_env", out.rules.request_env);
  put(fields.string("shell"), out.rules.shell);
  put_list(fields, "runs_anything", out.rules.runs_anything);
  put(fields.boolean("approval"), out.rules.approval);
  put(fields.milliseconds("timeout_ms"), out.limits.timeout);
  put(fields.milliseconds("grace_ms"), out.limits.grace);
  put(fields.integer("concurrent_max", 1, kConcurrentMax), out.limits.concurrent_max);
  put(fields.integer("output_bytes_max", 2, kOutputBytesMax), out.limits.output_bytes_max);
  put(fields.boolean("sandbox"), out.sandbox);
  put(fields.string("bubblewrap"), out.bubblewrap);
  if (const Json* const env = fields.object("env")) {
    for (const auto& [name, value] : env->items()) {
      const auto* const text = value.get_ptr<const std::string*>();
      const std::string pointer = fields.pointer_to("env") + "/" + pointer_token(name);
      if (text == nullptr) return add_type_problem(problem, pointer, value, "a string");
      out.rules.env[name] = *text;
    }
  }
  fields.finish();
}

void read_remote(ObjectReader& fields, RemoteSettings& out) {
  put(fields.boolean("enabled"), out.enabled);
  put(fields.string("key"), out.key_path);
  put(fields.string("known_hosts"), out.known_hosts_path);
  put(fields.string("config"), out.config_path);
  put(fields.milliseconds("timeout_ms"), out.timeout);
  put_list(fields, "programs", out.programs);
  put_list(fields, "apis", out.apis);
  fields.finish();
}

constexpr std::size_t kToolsMax = 100;

// add_tool puts a tool behind the others, or in place of the one of its name.
void add_tool(ToolProbe probe, std::vector<ToolProbe>& tools) {
  const auto known = std::ranges::find(tools, probe.command, &ToolProbe::command);
  if (known != tools.end()) {
    *known = std::move(probe);
  } else {
    tools.push_back(std::move(probe));
  }
}

void read_tools(ObjectReader& fields, std::optional<Problem>& problem, CommandSettings& out) {
  const Json* const tools = fields.array("tools");
  if (tools == nullptr) return;
  if (tools->size() > kToolsMax) {
    return fields.refuse("tools", "expected at most " + std::to_string(kToolsMax) + " tools");
  }
  for (std::size_t i = 0; i < tools->size(); ++i) {
    ObjectReader inner((*tools)[i], fields.pointer_to("tools") + "/" + std::to_string(i), "a tool",
                       problem);
    ToolProbe probe{inner.required_string("command")};
    const bool plain = probe.command.find('/') == std::string::npos && probe.command != "..";
    if (!plain) inner.refuse("command", "expected the name of a program, without a path");
    put_list(inner, "version", probe.version);
    put_list(inner, "help", probe.help);
    inner.finish();
    add_tool(std::move(probe), out.tools);
  }
}

// Environment reads variables one after the other; the first that is wrong is kept.
class Environment {
 public:
  explicit Environment(const Variables& variables) : variables_(variables) {}

  void boolean(const std::string& name, bool& into) {
    const std::string* const value = find(name);
    if (value == nullptr) return;
    const std::optional<bool> truth = truth_of(*value);
    if (!truth) return refuse(name, *value, "true or false");
    into = *truth;
  }

  void seconds(const std::string& name, Duration& into) {
    if (const auto count = number(name, kSecondsMax, "a whole number of seconds")) {
      into = std::chrono::seconds(*count);
    }
  }

  void count(const std::string& name, std::size_t& into) {
    if (const auto count = number(name, kConcurrentMax, "a whole number")) {
      into = static_cast<std::size_t>(*count);
    }
  }

  // list reads "a, b": what stands between commas, without the blanks around it.
  void list(const std::string& name, std::vector<std::string>& into) {
    const std::string* const value = find(name);
    if (value == nullptr) return;
    into.clear();
    for (std::size_t start = 0; start <= value->size();) {
      const std::size_t comma = std::min(value->find(',', start), value->size());
      const std::string_view item = trimmed(std::string_view(*value).substr(start, comma - start));
      if (!item.empty()) into.emplace_back(item);
      start = comma + 1;
    }
  }

  void text(const std::string& name, std::string& into) {
    const std::string* const value = find(name);
    if (value == nullptr) return;
    if (value->empty()) return refuse(name, *value, "some text");
    into = *value;
  }

  void refuse(const std::string& name, const std::string& value, std::string_view expected) {
    if (error_) return;
    error_ = Error{ErrorCode::kInvalidInput,
                   name + " is \"" + clipped(value, 100) + "\", expected " + std::string(expected)};
  }

  const std::string* find(const std::string& name) const {
    const auto variable = variables_.find(name);
    return variable == variables_.end() ? nullptr : &variable->second;
  }

  Status status() const { return error_ ? Status(*error_) : Status(Done{}); }

 private:
  std::optional<std::int64_t> number(const std::string& name, std::int64_t max,
                                     std::string_view expected) {
    const std::string* const value = find(name);
    if (value == nullptr) return std::nullopt;
    std::int64_t number = 0;
    const char* const end = value->data() + value->size();
    const auto [stopped, failed] = std::from_chars(value->data(), end, number);
    if (failed == std::errc() && stopped == end && number >= 1 && number <= max) return number;
    refuse(name, *value, std::string(expected) + " from 1 to " + std::to_string(max));
    return std::nullopt;
  }

  const Variables& variables_;
  std::optional<Error> error_;
};

void at_home(const std::string* home, std::string& path) {
  if (home != nullptr && path.starts_with("~/")) path.replace(0, 1, *home);
}

}  // namespace

CommandRules CommandSettings::default_rules() {
  CommandRules rules;
  rules.programs = {"git", "docker", "npm", "pytest", "curl"};
  rules.blocked = {"rm -rf /", "mkfs", "dd", "shutdown"};
  return rules;
}

Result<CommandSettings, Problem> read_settings(const Json& file) {
  CommandSettings out;
  std::optional<Problem> problem;
  ObjectReader fields(file, "", "the settings of commands", problem);
  fields.require("plumbline_commands", "1");
  fields.integer("plumbline_commands", 1, 1);
  put(fields.string("audit"), out.audit_path);
  put(fields.boolean("verbose"), out.verbose);
  if (const Json* const local = fields.object("local")) {
    ObjectReader inner(*local, fields.pointer_to("local"), "\"local\"", problem);
    read_local(inner, problem, out);
  }
  if (const Json* const remote = fields.object("remote")) {
    ObjectReader inner(*remote, fields.pointer_to("remote"), "\"remote\"", problem);
    read_remote(inner, out.remote);
  }
  read_tools(fields, problem, out);
  if (const Json* const checkpoints = fields.object("checkpoints")) {
    ObjectReader inner(*checkpoints, fields.pointer_to("checkpoints"), "\"checkpoints\"", problem);
    if (const auto backend = inner.choice("backend", kBackends)) {
      out.checkpoints.backend = kBackends[*backend];
    }
    put(inner.string("path"), out.checkpoints.path);
    inner.finish();
  }
  fields.finish();
  if (problem) return *std::move(problem);
  return out;
}

Status apply_variables(const Variables& variables, CommandSettings& settings) {
  Environment env(variables);
  env.boolean("CLI_EXECUTION_ENABLED", settings.rules.enabled);
  env.seconds("CLI_EXECUTION_TIMEOUT", settings.limits.timeout);
  env.count("CLI_MAX_CONCURRENT_COMMANDS", settings.limits.concurrent_max);
  env.list("CLI_COMMAND_WHITELIST", settings.rules.programs);
  env.list("CLI_COMMAND_BLACKLIST", settings.rules.blocked);
  if (env.find("CLI_COMMAND_BLACKLIST") != nullptr && settings.rules.blocked.empty()) {
    // An empty list allows nothing; this one would allow everything.
    env.refuse("CLI_COMMAND_BLACKLIST", *env.find("CLI_COMMAND_BLACKLIST"),
               "what to block; where nothing is, \"blocked\": [] in the file says so");
  }
  env.boolean("REQUIRE_COMMAND_APPROVAL", settings.rules.approval);
  env.boolean("REMOTE_CLI_ENABLED", settings.remote.enabled);
  env.text("REMOTE_CLI_SSH_KEY_PATH", settings.remote.key_path);
  env.text("REMOTE_CLI_KNOWN_HOSTS_PATH", settings.remote.known_hosts_path);
  env.seconds("REMOTE_CLI_TIMEOUT", settings.remote.timeout);
  env.text("LANGGRAPH_CHECKPOINT_BACKEND", settings.checkpoints.backend);
  if (std::ranges::find(kBackends, settings.checkpoints.backend) == kBackends.end()) {
    env.refuse("LANGGRAPH_CHECKPOINT_BACKEND", settings.checkpoints.backend,
               "sqlite, postgres or memory");
  }
  env.text("LANGGRAPH_CHECKPOINT_PATH", settings.checkpoints.path);
  env.boolean("LANGGRAPH_VERBOSE", settings.verbose);
  for (const std::string& name : settings.pass_env) {
    if (const std::string* const value = env.find(name)) {
      settings.rules.env.try_emplace(name, *value);
    }
  }
  for (std::string* const path : {&settings.remote.key_path, &settings.remote.known_hosts_path,
                                  &settings.remote.config_path, &settings.audit_path}) {
    at_home(env.find("HOME"), *path);
  }
  return env.status();
}

}  // namespace plumbline::agents::command_line
