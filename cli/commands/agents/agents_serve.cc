#include "cli/commands/agents/agents_serve.h"

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/agents/agents_offer.h"
#include "cli/commands/agents/command_kit.h"
#include "cli/commands/agents/model_set.h"
#include "cli/commands/agents/tool_calls.h"
#include "cli/options/authority.h"
#include "cli/options/common_options.h"
#include "cli/options/store_uri.h"
#include "cli/telemetry/trace_export.h"
#include "cli/threads.h"
#include "core/agents/command_line/remote/execution_api.h"
#include "core/agents/supervisor/models/traced_shelf.h"
#include "core/agents/supervisor/tools/tool_table.h"
#include "core/base/errors/errors.h"
#include "core/os/child/real_paths.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"
#include "reference/argument_check.h"

namespace plumbline::cli {

namespace {

constexpr const char* kDiscoverTool = "discover_cli_tools";

Result<std::vector<std::string>> real_roots(const std::vector<std::string>& roots, Paths& paths) {
  std::vector<std::string> out;
  for (const std::string& root : roots) {
    Result<std::string> real = paths.real_path(root);
    if (!real.ok()) return real.error();
    if (!paths.is_folder(real.value())) {
      return the_error("agent.folder", root);
    }
    out.push_back(std::move(real).value());
  }
  return out;
}

// threads_in_words says where threads are kept, without what may be a password.
std::string threads_in_words(const std::string& store) {
  const std::string kind = store.substr(0, store.find(':'));
  const std::string place = kind.starts_with("postgres") ? "in PostgreSQL"
                            : kind == "sqlite"           ? "in a file of SQLite"
                                                         : "in memory, until this process ends";
  return place + ", for 3 hours after their last call";
}

// AgentsServing is the server of the tools with all that it works with.
class AgentsServing {
 public:
  AgentsServing(ModelSet models, AgentsOffer offer, RecordStore& records,
                std::unique_ptr<CommandKit> commands, trace::Tracer* tracer, std::string secret,
                Host& host)
      : loop_(host.world().loop()),
        models_(std::move(models)),
        traced_(models_, tracer),
        commands_(std::move(commands)),
        services_{traced_},
        desk_(services_, loop_, {records, clock_, os::random_bytes, &host.secrets().redactor()}),
        calls_(desk_, loop_, step_log(host)),
        server_(loop_, server_options(offer, std::move(secret)), "agents", nullptr) {
    services_.tracer = tracer;
    services_.files = &host.files();
    services_.paths = &paths_;
    services_.roots = std::move(offer.roots);
    server_.handle("tools/call", "",
                   [this](mcp::ServerCall call) { return calls_.answer(std::move(call)); });
    server_.handle("prompts/get", "",
                   mcp::at_once([](const Json& params) { return agents_prompt(params); }));
    services_.remote = commands_->remote();
    if (!runs_commands()) return;
    services_.desk = commands_->desk();
    execution_api_.emplace(*commands_->desk());
    server_.handle("tools/call", kDiscoverTool, [this](mcp::ServerCall call) {
      return discovered(*commands_, call.arguments());
    });
  }

  // wait_for_answers says how long one answer of a model may take.
  void wait_for_answers(Duration longest) { services_.limits.answer_max = longest; }

  mcp::Server& server() { return server_; }

  // execution_api returns the API that runs commands here; nullptr: none run.
  net::HttpHandler* execution_api() { return execution_api_ ? &*execution_api_ : nullptr; }

 private:
  mcp::ServerOptions server_options(AgentsOffer& offer, std::string secret) {
    mcp::ServerOptions out;
    out.name = "plumbline-agents";
    out.version = PLUMBLINE_VERSION;
    out.title = "Plumbline agents";
    out.secret = std::move(secret);
    out.check_arguments = [this](const Json& schema, const Json& arguments) {
      return wrong_arguments(schema, arguments);
    };
    out.tasks.offered = true;
    out.clock = clock_.since_1970() - (loop_.now() - Instant{});
    offer.commands = runs_commands();
    offer.remote = commands_->settings().remote.enabled;
    offer.approval = commands_->settings().rules.approval;
    const std::vector<std::string> names = models_.names();
    offer.no_model = names.empty() ? "none is configured" : models_.missing(names.front());
    offer_agents(offer, out);
    services_.about = facts_of(offer, out);
    if (runs_commands()) out.tools.push_back(commands_->discovery_tool());
    return out;
  }

  // wrong_arguments says what is wrong with them, and how an argument that other servers have is
  // called here.
  std::optional<std::string> wrong_arguments(const Json& schema, const Json& arguments) {
    std::optional<std::string> wrong = check_.judge(schema, arguments);
    if (!wrong) return wrong;
    const std::string renamed = agents::supervisor::renamed_arguments(arguments);
    if (!renamed.empty()) *wrong += " " + renamed;
    return wrong;
  }

  bool runs_commands() const { return commands_->desk() != nullptr; }

  // step_log returns who writes each step to standard error, where the settings want that.
  ToolCalls::Log step_log(Host& host) const {
    if (!commands_->settings().verbose) return nullptr;
    return [&host](const std::string& line) { host.tell_line(line); };
  }

  static Task<mcp::Reply<Json>> discovered(CommandKit& commands, Json arguments) {
    const Result<Json> found = co_await commands.discover(std::move(arguments));
    if (!found.ok()) co_return tool_text(found.error().message, true);
    co_return tool_text(dump_json(found.value()), false);
  }

  os::RealLoop& loop_;
  os::RealWallClock clock_;
  os::RealPaths paths_;
  ModelSet models_;
  agents::supervisor::TracedShelf traced_;
  std::unique_ptr<CommandKit> commands_;
  agents::supervisor::SupervisorServices services_;
  agents::supervisor::ToolDesk desk_;
  ToolCalls calls_;
  std::optional<agents::command_line::ExecutionApi> execution_api_;
  reference::ArgumentCheck check_;
  mcp::Server server_;
};

}  // namespace

void AgentsServeOptions::declare(CLI::App& app) {
  app.add_flag("--stdio", stdio_, "Serve on stdin and stdout");
  app.add_option("--http", http_,
                 "Serve Streamable HTTP and print the URL; port 0 picks a free one")
      ->type_name("HOST:PORT");
  add_allowed_hosts(app, place.hosts);
  app.add_option("--auth", auth_,
                 "Require access tokens, such as jwks=URL,issuer=URL (docs/authorization.md)")
      ->type_name("WHOSE");
  add_store(app, store);
  app.add_flag("--execution-api", execution_api,
               "Also run commands on POST /execute; needs --http, --auth and --commands");
  app.add_option("--commands", commands,
                 "Run commands by the rules in this file (docs/command-lines.md)")
      ->type_name("FILE");
  app.add_option("--model-script", scripts, "Answer with this scripted model; repeatable")
      ->type_name("FILE");
  app.add_option("--models", model.settings, "Use the models in this file (docs/models.md)")
      ->type_name("FILE");
  app.add_option("--model", model.name, "Answer with this model")->type_name("NAME");
  app.add_option("--root", roots, "Let models see the files in this folder; repeatable")
      ->type_name("DIR");
  app.add_option("--tools", tools,
                 "Offer only these tools, such as chat,debug (always: listmodels and version)")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--answer-max", answer_max_,
                 "Wait this long for one answer from a model (default 5m)")
      ->type_name("TIME");
  add_otlp(app, otlp);
}

Status AgentsServeOptions::read() {
  if (stdio_ != http_.empty()) return the_error("agents.where");
  if (stdio_ && !auth_.empty()) return the_error("auth.of-a-server", "expected --http");
  if (execution_api && auth_.empty()) return the_error("agents.execution-api");
  if (!answer_max_.empty()) {
    const Status patience = read_duration("--answer-max", answer_max_, answer_max.emplace());
    if (!patience.ok()) return patience;
  }
  const Status traced = check_otlp(otlp);
  if (!traced.ok() || stdio_) return traced;
  Result<net::Authority> at = read_authority("--http", http_);
  if (!at.ok()) return at.error();
  place.over = mcp::Transport::kStreamableHttp;
  place.at = std::move(at).value();
  if (auth_.empty()) return Done{};
  Result<ServingAuth> auth = read_auth(auth_);
  if (!auth.ok()) return auth.error();
  place.auth = std::move(auth).value();
  return Done{};
}

int run_agents_serve(const AgentsServeOptions& options, Host& host) {
  os::RealPaths paths;
  Result<std::vector<std::string>> roots = real_roots(options.roots, paths);
  if (!roots.ok()) return host.complain(roots.error(), kExitUsage);
  host.hide_environment();
  const Status tools = check_tools(options.tools);
  if (!tools.ok()) return host.complain(tools.error(), kExitUsage);
  Result<ModelSet> models = ModelSet::open(options.model, options.scripts, host);
  if (!models.ok()) return host.complain(models.error(), kExitUsage);
  TraceExport spans(host, options.otlp);
  Result<std::unique_ptr<CommandKit>> commands =
      CommandKit::open(options.commands, spans.tracer(), host);
  if (!commands.ok()) return host.complain(commands.error(), kExitUsage);
  const bool stdio = options.place.over == mcp::Transport::kStdio;
  if (commands.value()->runs() && !stdio && !options.place.auth) {
    return host.complain(the_error("agents.commands-over-http"), kExitUsage);
  }
  const std::string kept = commands.value()->store();
  auto records = optional_records(options.store, kept, host);
  if (const int* const status = std::get_if<int>(&records)) return *status;
  // What a client was asked by one process it may answer to another one.
  RecordStore& store = *std::get<0>(records);
  auto secret = wait_for(host, agents::supervisor::shared_secret(store, os::random_bytes));
  if (!secret) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!secret->ok()) return host.complain(secret->error(), kExitUnreachable);
  AgentsOffer offer;
  offer.roots = std::move(roots).value();
  offer.tools = options.tools;
  offer.threads = threads_in_words(options.store.empty() ? kept : options.store);
  AgentsServing serving(std::move(models).value(), std::move(offer), store,
                        std::move(commands).value(), spans.tracer(), std::move(*secret).value(),
                        host);
  if (options.answer_max) serving.wait_for_answers(*options.answer_max);
  if (stdio) {
    serve_stdio(host.world().loop(), serving.server());
    os::run(host.world().loop(), spans.flush());
    return kExitOk;
  }
  ServingExtras extras;
  if (options.execution_api) {
    if (serving.execution_api() == nullptr) {
      return host.complain(the_error("agents.execution-api-commands"), kExitUsage);
    }
    extras.beside[agents::command_line::kExecutionPath] = serving.execution_api();
  }
  const Status served = serve_web(serving.server(), options.place, std::move(extras), host);
  os::run(host.world().loop(), spans.flush());
  return served.ok() ? kExitOk : host.complain(served.error(), kExitUsage);
}

}  // namespace plumbline::cli
