#include "cli/commands/mcp/mcp.h"

#include <chrono>
#include <optional>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/mcp/judge_desk.h"
#include "cli/commands/mcp/own_runs.h"
#include "cli/commands/mcp/tool_list.h"
#include "cli/judging/target.h"
#include "cli/known/known.h"
#include "cli/options/authority.h"
#include "cli/options/usage.h"
#include "cli/options/version.h"
#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/child/real_paths.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"
#include "reference/argument_check.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kStateSecretBytes = 16;
constexpr Duration kRunsFarewell = std::chrono::seconds(6);

// tell_progress tells a client how far a run is: by its checks where it counts them.
void tell_progress(const mcp::ServerCall& call, std::size_t seconds, const std::string& line) {
  const std::size_t of = line.find(" of ");
  const std::size_t checks = line.find(" checks");
  if (of != line.npos && checks != line.npos && of < checks) {
    const auto done = number_of<std::int64_t>(line.substr(0, of));
    const auto all = number_of<std::int64_t>(line.substr(of + 4, checks - of - 4));
    if (done && all) {
      return call.progress(static_cast<double>(*done), static_cast<double>(*all),
                           line.substr(0, checks + 7));
    }
  }
  call.progress(static_cast<double>(seconds), std::nullopt,
                "at work for " + std::to_string(seconds) + " s");
}

// text_of says what could not be done, and what to do about it: a run of ours says that itself.
std::string text_of(const Error& error) {
  const bool of_run = error.code == ErrorCode::kDisconnected;
  const KnownError* const known = of_run ? nullptr : known_error(error.id);
  if (known == nullptr) return error.message;
  return error.message + " [" + std::string(known->id) + "]. " + std::string(known->advice);
}

// McpServing is the server of the tools with all that it works with.
class McpServing {
 public:
  McpServing(JudgeSettings settings, int runs_max, Host& host)
      : loop_(host.world().loop()),
        runs_(loop_, host.world().spawner(), os::program_path(), limits_of(runs_max)),
        tools_(judge_tools(settings.servers, settings.allow_writes)),
        desk_(std::move(settings), runs_, paths_, host),
        server_(loop_, server_options(), "mcp", nullptr) {
    server_.handle("tools/call", "",
                   [this](mcp::ServerCall call) { return answer(std::move(call)); });
  }

  mcp::Server& server() { return server_; }
  const OwnRuns& runs() const { return runs_; }

 private:
  static RunLimits limits_of(int runs_max) {
    RunLimits limits;
    limits.runs_max = static_cast<std::size_t>(runs_max);
    return limits;
  }

  mcp::ServerOptions server_options() {
    mcp::ServerOptions out;
    out.name = "plumbline";
    out.version = kVersion;
    out.title = "Plumbline";
    out.description = "Judges an MCP server against the specification";
    out.instructions = kInstructions;
    out.tools = tools_;
    out.secret = os::random_bytes(kStateSecretBytes);
    out.clock = os::wall_clock_since_1970() - (loop_.now() - Instant{});
    out.check_arguments = [this](const Json& schema, const Json& arguments) {
      return check_.judge(schema, arguments);
    };
    return out;
  }

  Task<mcp::Reply<Json>> answer(mcp::ServerCall call) {
    std::string tool = call.target;
    Json arguments = call.arguments();
    OwnRuns::Tell tell = [&call](std::size_t seconds, const std::string& line) {
      tell_progress(call, seconds, line);
    };
    const Result<Json> found =
        co_await desk_.call(std::move(tool), std::move(arguments), std::move(tell));
    Json result(Json::value_t::object);
    result["isError"] = !found.ok();
    if (found.ok()) {
      result["structuredContent"] = found.value();
    } else {
      result["content"] = {{{"type", "text"}, {"text", text_of(found.error())}}};
    }
    co_return result;
  }

  os::RealLoop& loop_;
  os::RealPaths paths_;
  OwnRuns runs_;
  std::vector<Json> tools_;
  JudgeDesk desk_;
  reference::ArgumentCheck check_;
  mcp::Server server_;
};

// settings_of returns what the person has decided. kInvalidInput: the root is no folder, or the
// target is wrong.
Result<JudgeSettings> settings_of(const McpOptions& options, Host& host) {
  JudgeSettings settings;
  settings.target = options.target;
  settings.baseline = options.baseline;
  settings.allow_writes = options.allow_writes;
  os::RealPaths paths;
  Result<std::string> root = paths.real_path(options.root);
  if (!root.ok()) return the_error("agent.folder", options.root);
  if (!paths.is_folder(root.value())) {
    return the_error("agent.folder", options.root);
  }
  settings.root = std::move(root).value();
  if (!settings.has_target()) return settings;
  if (!settings.target.config.empty()) {
    Result<std::string> digest = digest_of(settings.target.config, host);
    if (!digest.ok()) return digest.error();
    settings.config_digest = std::move(digest).value();
  }
  const Result<CheckTargets> targets = read_targets(settings.target, host);
  if (!targets.ok()) return targets.error();
  for (const CheckTarget& target : targets.value().targets) {
    if (!target.name.empty()) settings.servers.push_back(target.name);
  }
  return settings;
}

}  // namespace

void McpOptions::declare(CLI::App& app) {
  declare_target(app, target);
  app.add_option("--root", root,
                 "Read and write test files and recordings only below this folder (default .)")
      ->type_name("DIR");
  app.add_flag("--allow-writes", allow_writes, "Also call tools that are not marked read-only");
  app.add_option("--baseline", baseline, "Excuse the failures in FILE, those of the SDK, or none")
      ->type_name("FILE|sdk|none");
  app.add_option("--runs", runs_max, "Start at most N runs for the client (default 1000)")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option(
         "--http", http_,
         "Serve Streamable HTTP instead of stdio and print the URL; port 0 picks a free one")
      ->type_name("HOST:PORT");
  add_allowed_hosts(app, place.hosts);
}

Status McpOptions::read() {
  if (!http_.empty()) {
    Result<net::Authority> at = read_authority("--http", http_);
    if (!at.ok()) return at.error();
    if (!is_loopback(at.value().host)) {
      return the_error("mcp.loopback", http_);
    }
    place.over = mcp::Transport::kStreamableHttp;
    place.at = std::move(at).value();
  }
  const bool named = !target.words.empty() || !target.command.empty() || !target.url.empty() ||
                     !target.config.empty() || target.stdio;
  if (!named) return Done{};
  os::RealPaths paths;
  return take_target("mcp", target, paths);
}

int run_mcp(const McpOptions& options, Host& host) {
  Result<JudgeSettings> settings = settings_of(options, host);
  if (!settings.ok()) return host.complain(settings.error(), kExitUsage);
  host.hide_environment();
  McpServing serving(std::move(settings).value(), options.runs_max, host);
  os::RealLoop& loop = host.world().loop();
  Status served = Done{};
  if (options.place.over == mcp::Transport::kStdio) {
    serve_stdio(loop, serving.server());
  } else {
    served = serve_web(serving.server(), options.place, {}, host);
  }
  run_at_most(loop, kRunsFarewell, [&] { return serving.runs().ending() == 0; });
  return served.ok() ? kExitOk : host.complain(served.error(), kExitUsage);
}

}  // namespace plumbline::cli
