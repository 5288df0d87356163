// Command lines on another machine: each is approved by a person, noted, and run once.

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "core/agents/command_line/command_graph.h"
#include "core/agents/command_line/remote/execution_client.h"
#include "core/agents/command_line/remote/remote_desk.h"
#include "core/agents/supervisor/nodes/command_steps.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/json/object_reader.h"

namespace plumbline::agents::supervisor {

namespace {

using command_line::CommandResult;
using command_line::RemoteTarget;

constexpr std::size_t kRemoteCommandsMax = 16;
constexpr std::int64_t kRemoteSecondsMax = 86'400;

// RemoteWork is what the arguments of remote_cli ask for.
struct RemoteWork {
  std::string host;    // As it was written.
  std::string method;  // auth_method.
  RemoteTarget target;
  std::vector<std::string> commands;
  std::optional<Duration> timeout;
};

Result<RemoteWork> remote_work_of(const Json& arguments) {
  std::optional<Problem> problem;
  ObjectReader fields(arguments, "", "remote_cli", problem);
  RemoteWork out;
  out.host = fields.required_string("remote_host");
  fields.require("commands", "a list of command lines");
  out.commands = fields.strings("commands");
  const bool api = command_line::is_api(out.host);
  out.method = fields.string("auth_method").value_or(api ? "api_token" : "ssh_key");
  if (const auto seconds = fields.integer("timeout", 1, kRemoteSecondsMax)) {
    out.timeout = std::chrono::seconds(*seconds);
  }
  const bool of_ssh = out.method == "ssh_key" || out.method == "ssh_password";
  if (api ? out.method != "api_token" : !of_ssh) {
    fields.refuse("auth_method", "\"" + out.method + "\" is none of \"" + out.host +
                                     "\", expected " +
                                     (api ? "api_token" : "ssh_key or ssh_password"));
  }
  if (fields.has("credentials")) {
    fields.refuse("credentials", "credentials are not taken from a request: it is kept");
  }
  if (out.commands.empty() || out.commands.size() > kRemoteCommandsMax) {
    fields.refuse("commands", "expected 1 to " + std::to_string(kRemoteCommandsMax) + " commands");
  }
  if (problem) return Error{ErrorCode::kInvalidInput, problem->pointer + ": " + problem->message};
  out.target.host = out.host;
  if (api) return out;
  Result<RemoteTarget> target = command_line::parse_target(out.host);
  if (!target.ok()) return target.error();
  out.target = std::move(target).value();
  return out;
}

Json remote_question(const SupervisorState& state, const approvals::Action& action,
                     const approvals::Judged& judged) {
  approvals::Asked asked;
  asked.place = "remote-" + std::to_string(state.commands.cli_results.size());
  asked.risks = {"executes_code"};
  asked.reason = judged.why.empty() ? "a command is to be run on another machine" : judged.why;
  return question_about(action, asked);
}

// access_to returns where to, as it is dialled now, and how to sign in; an error when there is
// nothing to do it with.
Result<net::RemoteAccess> access_to(const RemoteWork& work, const RemoteServices& remote) {
  const bool by_key = work.method == "ssh_key";
  const bool api = work.method == "api_token";
  net::RemoteAccess out = remote.access;
  out.host = work.target.host;
  if (!work.target.user.empty()) out.user = work.target.user;
  if (work.target.port != 0) out.port = work.target.port;
  if (!by_key) out.key_path.clear();
  if (!by_key) out.password = api ? remote.api_token : remote.ssh_password;
  if (by_key || !out.password.empty()) return remote.dialer->resolve(std::move(out));
  return Error{ErrorCode::kInvalidInput,
               std::string("there is no ") + (api ? "token" : "password") + " for " + work.host};
}

// run_there connects to `access`, and runs the command once it is noted that it will.
Task<Json> run_there(SupervisorContext& context, RemoteWork work, net::RemoteAccess access,
                     approvals::Action action) {
  const RemoteServices& remote = context.services().remote;
  const std::string line = action.line;
  const Duration timeout = work.timeout.value_or(remote.timeout);
  const Instant until = after(context.now(), timeout);
  const Result<std::unique_ptr<net::RemoteHost>> host =
      co_await remote.dialer->connect(std::move(access), until);
  if (!host.ok()) co_return plain_error(line, "it was not run: " + host.error().message);
  Json note = {{"run", line}, {"host", work.host}};
  const Status noted = co_await context.note(std::move(note));
  if (!noted.ok()) co_return plain_error(line, "it was not run: " + noted.error().message);
  std::string approved = string_or(*context.answer(), "digest", "");
  const CommandResult result = co_await remote.desk->run(
      *host.value(), std::move(action), std::move(approved), timeout, remote.output_bytes_max);
  co_return to_json(result);
}

SupervisorState::Update failed_update(const SupervisorState& state, std::string why) {
  SupervisorState::Update update;
  update.answer = failed_answer(state, std::move(why));
  return update;
}

}  // namespace

Task<SupervisorResult> remote_cli_agent_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  const Json& arguments = state.asked.request_data;
  const RemoteServices& remote = context.services().remote;
  if (remote.dialer == nullptr || remote.desk == nullptr) {
    co_return failed_update(state, "no remote host is configured, so no command was run on \"" +
                                       string_or(arguments, "remote_host", "") + '"');
  }
  Result<RemoteWork> read = remote_work_of(arguments);
  if (!read.ok()) co_return failed_update(state, read.error().message);
  RemoteWork work = std::move(read).value();
  const std::vector<std::string> commands = work.commands;
  const std::string line = commands[state.commands.cli_results.size()];
  if (!context.notes().empty()) {
    co_return with_result(state, commands, command_line::unknown_result(line));
  }
  const std::string& who = context.services().who;
  const auto blocked = [&](const command_line::Refusal& refusal) {
    return with_result(state, commands,
                       to_json(remote.desk->blocked(work.host, line, refusal, who)));
  };
  const Result<std::string, command_line::Refusal> permit = remote.desk->assess(line);
  if (!permit.ok()) co_return blocked(permit.error());
  Result<net::RemoteAccess> access = access_to(work, remote);
  if (!access.ok()) {
    co_return with_result(state, commands,
                          plain_error(line, "it was not run: " + access.error().message));
  }
  approvals::Action action = command_line::remote_action(work.host, work.method, line, who);
  action.place = command_line::place_of(access.value());
  const approvals::Judged judged = judge(action, context.answer());
  if (judged.standing == approvals::Standing::kRefused) {
    co_return blocked(command_line::Refusal{"person", judged.why});
  }
  if (command_line::is_altered(line, judged)) co_return blocked(command_line::altered());
  if (judged.standing == approvals::Standing::kOpen) {
    co_return graph::Interrupt{remote_question(state, action, judged)};
  }
  Json result =
      co_await run_there(context, std::move(work), std::move(access).value(), std::move(action));
  co_return with_result(state, commands, std::move(result));
}

}  // namespace plumbline::agents::supervisor
