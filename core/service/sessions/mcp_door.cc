#include "core/service/sessions/mcp_door.h"

#include <utility>

#include "core/base/percent.h"
#include "core/mcp/protocol/revision.h"

namespace plumbline::service {

namespace {

constexpr std::size_t kSessionIdBytes = 16;

// A small picture of dots in two axes, so that nothing has to be fetched.
constexpr const char* kIcon =
    "data:image/svg+xml;base64,"
    "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAyNCAyNCI+PHBhdGggZD0i"
    "TTMgM3YxOGgxOCIgZmlsbD0ibm9uZSIgc3Ryb2tlPSIjMTc3IiBzdHJva2Utd2lkdGg9IjIiLz48Y2lyY2xlIGN4PSI5"
    "IiBjeT0iMTUiIHI9IjIiLz48Y2lyY2xlIGN4PSIxNCIgY3k9IjEwIiByPSIyIi8+PGNpcmNsZSBjeD0iMTkiIGN5PSI2"
    "IiByPSIyIi8+PC9zdmc+";

mcp::ServerOptions server_options(const DoorOptions& options, const ToolSet& tools) {
  mcp::ServerOptions server = options.server;
  server.tools = tools.descriptions();
  server.raw_calls = options.codes == Codes::kDocument;
  return server;
}

transport::StreamableHttpServerOptions http_options(const RandomBytes& random,
                                                    const DoorOptions& options,
                                                    const McpDoor::Tools& tools) {
  transport::StreamableHttpServerOptions http;
  for (const mcp::Revision revision : mcp::all_revisions()) {
    auto& versions = mcp::is_stateless(revision) ? http.stateless_versions : http.stateful_versions;
    versions.emplace_back(mcp::name_of(revision));
  }
  http.new_session_id = [&random] { return hex_of(random(kSessionIdBytes)); };
  http.session = options.session;
  http.sessions_max = options.clients_max;
  http.mirrored_params = [tools](const std::string& name) {
    const Tool* const tool = tools().find(name);
    return tool == nullptr ? nullptr : &tool->mirrored;
  };
  return http;
}

}  // namespace

mcp::ServerOptions codap_server() {
  mcp::ServerOptions server;
  server.name = "codap-mcp-server";
  server.version = "1.0.0";
  server.title = "CODAP MCP server";
  server.description = "CODAP Data Analysis and Visualization Tools";
  server.website_url = "https://codap.concord.org";
  server.icons = {{{"src", kIcon}, {"mimeType", "image/svg+xml"}, {"sizes", {"any"}}}};
  server.instructions =
      "create_codap_dataset makes a dataset in the browser page of the session, create_codap_graph "
      "draws it there.";
  server.declare_tools = server.declare_resources = server.declare_prompts = true;
  server.logging = true;
  server.check_arguments = nullptr;  // Whoever executes a call tells all that is wrong with it.
  return server;
}

McpDoor::McpDoor(Loop& loop, const RandomBytes& random, const DoorOptions& options, Tools tools,
                 mcp::ServerHandler execute)
    : tools_(std::move(tools)),
      server_(loop, server_options(options, tools_()), "sessions", nullptr),
      http_(loop, http_options(random, options, tools_),
            [this](std::unique_ptr<transport::MessageChannel> channel, std::string principal) {
              server_.accept(std::move(channel), std::move(principal));
            }) {
  server_.handle("tools/call", "", std::move(execute));
}

void McpDoor::tools_changed() { server_.set_tools(tools_().descriptions()); }

}  // namespace plumbline::service
