// An MCP server of one tool, in every revision, over stdio: the engine with the real doors.

#include <memory>
#include <string>

#include "core/json/json.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/stdio_channel.h"
#include "core/os/real_loop.h"
#include "core/os/standard_streams.h"

int main() {
  using namespace plumbline;
  os::RealLoop loop;
  const std::unique_ptr<net::Pipe> streams = os::standard_streams(loop);

  mcp::ServerOptions options;
  options.name = "adder";
  options.tools = {{{"name", "add"},
                    {"description", "Adds two whole numbers"},
                    {"inputSchema",
                     {{"type", "object"},
                      {"properties", {{"a", {{"type", "integer"}}}, {"b", {{"type", "integer"}}}}},
                      {"required", {"a", "b"}}}},
                    {"annotations", {{"readOnlyHint", true}}}}};
  mcp::Server server(loop, options, "adder", nullptr);
  server.handle("tools/call", "add", mcp::at_once([](const Json& params) -> mcp::Reply<Json> {
                  const Json& arguments = params["arguments"];
                  const bool good =
                      arguments["a"].is_number_integer() && arguments["b"].is_number_integer();
                  const std::string sum = good ? std::to_string(arguments["a"].get<std::int64_t>() +
                                                                arguments["b"].get<std::int64_t>())
                                               : "a and b must be whole numbers";
                  const Json content = Json::array({{{"type", "text"}, {"text", sum}}});
                  return Json::object({{"content", content}, {"isError", !good}});
                }));

  server.on_idle([&loop] { loop.stop(); });
  server.accept(std::make_unique<transport::StdioChannel>(*streams));
  loop.run_until([] { return false; });
}
