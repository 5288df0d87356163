#include "cli/commands/agents_serve.h"

#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/service/chat_model.h"
#include "cli/serving.h"
#include "cli/telemetry/trace_export.h"
#include "core/agents/supervisor/threads/tool_desk.h"
#include "core/agents/supervisor/tools/tool_table.h"
#include "core/connector/traced_client.h"
#include "core/model/tracing/traced_model.h"
#include "core/os/child/real_paths.h"
#include "core/os/random.h"
#include "reference/argument_check.h"

namespace plumbline::cli {

namespace {

using agents::supervisor::ToolDesk;

constexpr std::size_t kAgentsSecretBytes = 16;

Json tool_result_of(std::string text, bool wrong) {
  return {{"content", {{{"type", "text"}, {"text", std::move(text)}}}}, {"isError", wrong}};
}

Task<mcp::Reply<Json>> answer_tool_call(ToolDesk& desk, mcp::ServerCall call) {
  Json arguments = call.arguments();
  std::string tool = call.target;
  std::string parent = connector::parent_in(call.params);
  const Result<Json> answer =
      co_await desk.call(std::move(tool), std::move(arguments), std::move(parent));
  if (!answer.ok()) co_return tool_result_of(answer.error().message, true);
  const bool wrong = string_or(answer.value(), "status", "") == "error";
  co_return tool_result_of(dump_json(answer.value()), wrong);
}

// `check` must outlive the server.
mcp::ServerOptions agents_server_options(reference::ArgumentCheck& check) {
  mcp::ServerOptions out;
  out.name = "plumbline-agents";
  out.version = PLUMBLINE_VERSION;
  out.title = "Plumbline agents";
  out.secret = os::random_bytes(kAgentsSecretBytes);
  out.check_arguments = [&check](const Json& schema, const Json& arguments) {
    return check.judge(schema, arguments);
  };
  for (const agents::supervisor::ToolSpec& tool : agents::supervisor::all_tools()) {
    out.tools.push_back(agents::supervisor::mcp_tool(tool));
  }
  return out;
}

Result<std::vector<std::string>> real_roots(const std::vector<std::string>& roots, Paths& paths) {
  std::vector<std::string> out;
  for (const std::string& root : roots) {
    Result<std::string> real = paths.real_path(root);
    if (!real.ok()) return real.error();
    if (!paths.is_folder(real.value())) {
      return Error{ErrorCode::kInvalidInput, "--root " + root + ": expected a folder"};
    }
    out.push_back(std::move(real).value());
  }
  return out;
}

}  // namespace

void AgentsServeOptions::declare(CLI::App& app) {
  app.add_flag("--stdio", stdio_, "Serve on standard streams");
  app.add_option("--model-script", model.script, "A scripted model answers")->type_name("FILE");
  app.add_option("--models", model.settings, "Which models there are (docs/models.md)")
      ->type_name("FILE");
  app.add_option("--model", model.name, "Which of them answers")->type_name("NAME");
  app.add_option("--root", roots, "A folder whose files a model may see; may be repeated")
      ->type_name("DIR");
  add_otlp(app, otlp);
}

Status AgentsServeOptions::read() {
  if (stdio_) return check_otlp(otlp);
  return Error{ErrorCode::kInvalidInput, "say where to serve: --stdio"};
}

int run_agents_serve(const AgentsServeOptions& options, Host& host) {
  os::RealLoop& loop = host.world().loop();
  os::RealPaths paths;
  Result<std::vector<std::string>> roots = real_roots(options.roots, paths);
  if (!roots.ok()) return host.complain(roots.error().message, kExitUsage);
  host.hide_environment();
  const Result<ChosenModel> model = choose_model(options.model, host);
  if (!model.ok()) return host.complain(model.error().message, kExitUsage);
  agents::supervisor::OneModel shelf(model.value().model);
  agents::supervisor::SupervisorServices services{shelf};
  services.files = &host.files();
  services.paths = &paths;
  services.roots = std::move(roots).value();
  TraceExport spans(host, options.otlp);
  model::TracedModel traced(*model.value().model, spans.tracer());
  shelf = agents::supervisor::OneModel(&traced);
  services.tracer = spans.tracer();
  ToolDesk desk(services, loop, os::random_bytes);
  reference::ArgumentCheck check;
  mcp::Server server(loop, agents_server_options(check), "agents", nullptr);
  server.handle("tools/call", "",
                [&desk](mcp::ServerCall call) { return answer_tool_call(desk, std::move(call)); });
  serve_stdio(loop, server);
  os::run(loop, spans.flush());
  return kExitOk;
}

}  // namespace plumbline::cli
