// Tools that take a while and speak meanwhile.

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "core/base/wait.h"
#include "reference/contents.h"
#include "reference/offer.h"

namespace plumbline::reference {

namespace {

using mcp::Reply;
using mcp::ServerCall;

constexpr Duration kStep = std::chrono::milliseconds(50);

// The texts are those of the suite. Each word is followed by a pause, the last one too: clients
// that hear notifications a moment later than answers would miss it.
Task<Reply<Json>> log_three_times(ServerCall call, Loop& loop) {
  call.log("info", "reference", "Tool execution started");
  co_await Sleep(loop, after(loop.now(), kStep));
  call.log("info", "reference", "Tool processing data");
  co_await Sleep(loop, after(loop.now(), kStep));
  call.log("info", "reference", "Tool execution completed");
  co_await Sleep(loop, after(loop.now(), kStep));
  co_return text_result("Tool with logging executed successfully");
}

Task<Reply<Json>> report_progress(ServerCall call, Loop& loop) {
  call.progress(0, 100, "started");
  co_await Sleep(loop, after(loop.now(), kStep));
  call.progress(50, 100, "half way");
  co_await Sleep(loop, after(loop.now(), kStep));
  call.progress(100, 100, "done");
  co_await Sleep(loop, after(loop.now(), kStep));
  co_return text_result("Tool with progress executed successfully");
}

// The client has to come back for the answer, where its transport knows how.
//
// Spec 2025-11-25, basic/transports, Sending Messages to the Server (MAY close the connection).
Task<Reply<Json>> close_and_answer(ServerCall call, Loop& loop) {
  co_await Sleep(loop, after(loop.now(), kStep));
  call.close_stream();
  co_await Sleep(loop, after(loop.now(), 2 * kStep));
  co_return text_result("Reconnection test completed successfully");
}

// Logs that somebody signs in, and nothing of what they sign in by.
Task<Reply<Json>> sign_in(ServerCall call, Loop& loop) {
  call.log("info", "reference", "Somebody signs in");
  co_await Sleep(loop, after(loop.now(), kStep));
  co_return text_result("Signed in");
}

Json signing_tool() {
  return document(R"json({
    "name": "sign_in",
    "description": "Signs somebody in nowhere",
    "inputSchema": {
      "type": "object",
      "properties": {"user": {"type": "string"}, "password": {"type": "string"}},
      "required": ["user", "password"]
    }
  })json");
}

}  // namespace

void add_running_tools(Offer& offer) {
  Loop& loop = offer.loop();
  const auto logging = [&loop](ServerCall call) { return log_three_times(std::move(call), loop); };
  offer.options.logging = true;
  offer.tool(plain_tool("test_tool_with_logging", "Sends three log messages"), logging);
  offer.tool(plain_tool("test_logging_tool", "Sends three log messages"), logging);
  offer.tool(plain_tool("test_tool_with_progress", "Reports progress three times"),
             [&loop](ServerCall call) { return report_progress(std::move(call), loop); });
  offer.tool(signing_tool(), [&loop](ServerCall call) { return sign_in(std::move(call), loop); });
  offer.tool(plain_tool("test_reconnection", "Closes the stream of its answer on the way"),
             [&loop](ServerCall call) { return close_and_answer(std::move(call), loop); });
}

}  // namespace plumbline::reference
