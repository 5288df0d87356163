// Tools whose calls may become tasks: the client asks for the result later.
//
// Spec 2025-11-25, basic/utilities/tasks; extension io.modelcontextprotocol/tasks (SEP-2663).

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/base/wait.h"
#include "core/mcp/protocol/answer.h"
#include "core/mcp/protocol/revision.h"
#include "reference/contents.h"
#include "reference/offer.h"
#include "reference/questions.h"

namespace plumbline::reference {

namespace {

using mcp::Ask;
using mcp::Failure;
using mcp::Reply;
using mcp::ServerCall;

constexpr double kSecondsMax = 600;

// `support` is "optional" or "required".
Json task_tool(const char* name, const char* what, const char* support) {
  Json tool = plain_tool(name, what);
  tool["execution"]["taskSupport"] = support;
  return tool;
}

Json computing_tool() {
  Json tool = task_tool("slow_compute", "Takes its time", "optional");
  tool["inputSchema"] = document(R"json({
    "type": "object",
    "properties": {
      "seconds": {"type": "number", "minimum": 0, "maximum": 600},
      "label": {"type": "string"}
    },
    "required": ["seconds"]
  })json");
  return tool;
}

Json deleting_tool() {
  Json tool = task_tool("confirm_delete", "Asks before it deletes nothing", "optional");
  tool["inputSchema"] = document(R"json({
    "type": "object",
    "properties": {"filename": {"type": "string"}},
    "required": ["filename"]
  })json");
  return tool;
}

Task<Reply<Json>> compute_slowly(ServerCall call, Loop& loop) {
  const Json arguments = call.arguments();
  const Json* const given = find(arguments, "seconds");
  const double seconds = std::clamp(given->get<double>(), 0.0, kSecondsMax);
  const auto span = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
  co_await Sleep(loop, after(loop.now(), span));
  co_return text_result("Computed " + string_or(arguments, "label", "it"));
}

Task<Reply<Json>> fail_slowly(ServerCall, Loop& loop) {
  co_await Sleep(loop, after(loop.now(), std::chrono::seconds(1)));
  co_return mcp::tool_error("The job has failed, as it always does");
}

Task<Reply<Json>> break_slowly(ServerCall, Loop& loop) {
  co_await Sleep(loop, after(loop.now(), std::chrono::milliseconds(100)));
  co_return Failure(rpc::kInternalError, "the job broke down, as it always does");
}

Task<Reply<Json>> delete_when_confirmed(ServerCall call, Loop& loop) {
  const std::string file = string_or(call.arguments(), "filename", "");
  Json question = form("Delete " + file + "?", "confirm", "boolean");
  Reply<Json> answer =
      co_await ask_checked(call, "confirm", "elicitation/create", std::move(question),
                           after(loop.now(), limits::kHttpSessionIdleMax));
  if (!answer.ok()) co_return std::move(answer);
  co_return text_result(file + ": " + filled_in(answer.value(), "confirm"));
}

Task<Reply<Json>> ask_two_at_once(ServerCall call, Loop& loop) {
  std::vector<Ask> asks;
  for (const char* const name : {"first", "second"}) {
    asks.push_back({name, "elicitation/create", form(name, "confirm", "boolean")});
  }
  Reply<Json> answers =
      co_await ask_checked(call, std::move(asks), after(loop.now(), limits::kHttpSessionIdleMax));
  if (!answers.ok()) co_return std::move(answers);
  co_return text_result("Both are answered");
}

Task<Reply<Json>> ask_in_turn(ServerCall call, Loop& loop) {
  for (const char* const name : {"one", "other"}) {
    Json question = form(name, "confirm", "boolean");
    Reply<Json> answer = co_await ask_checked(call, name, "elicitation/create", std::move(question),
                                              after(loop.now(), limits::kHttpSessionIdleMax));
    if (!answer.ok()) co_return std::move(answer);
  }
  co_return text_result("Both are answered, one after the other");
}

Task<Reply<Json>> greet_later(ServerCall, Loop& loop, std::string name) {
  co_await Sleep(loop, after(loop.now(), std::chrono::milliseconds(100)));
  co_return text_result("Hello, " + name + "!");
}

// Asks before it becomes a task; where there are none, it is a call like any other.
Task<Reply<Json>> ask_then_greet(ServerCall call, Loop& loop) {
  Json question = form("What is your name?", "name", "string");
  Reply<Json> answer =
      co_await ask_checked(call, "user_name", "elicitation/create", std::move(question),
                           after(loop.now(), limits::kRequestTimeout));
  if (!answer.ok()) co_return std::move(answer);
  std::string name = filled_in(answer.value(), "name");
  const bool extension = mcp::has_task_extension(call.client().revision);
  const auto rest = [&loop, name](ServerCall as_task) {
    return greet_later(std::move(as_task), loop, name);
  };
  if (extension) co_return call.become_task(rest);
  Reply<Json> greeting = co_await greet_later(std::move(call), loop, std::move(name));
  co_return std::move(greeting);
}

}  // namespace

void add_task_tools(Offer& offer) {
  Loop& loop = offer.loop();
  using Run = Task<Reply<Json>> (*)(ServerCall call, Loop & loop);
  const auto add = [&offer, &loop](Json tool, Run run) {
    offer.tool(std::move(tool),
               [&loop, run](ServerCall call) { return run(std::move(call), loop); });
  };
  offer.options.tasks.offered = true;
  add(computing_tool(), compute_slowly);
  add(task_tool("failing_job", "Fails after a second", "required"), fail_slowly);
  add(task_tool("protocol_error_job", "Breaks down", "optional"), break_slowly);
  add(deleting_tool(), delete_when_confirmed);
  add(task_tool("multi_input", "Asks two things at once", "optional"), ask_two_at_once);
  add(task_tool("input_in_turn", "Asks two things, one after the other", "optional"), ask_in_turn);
  add(plain_tool("test_tool_with_task", "Asks for a name, then becomes a task"), ask_then_greet);
}

}  // namespace plumbline::reference
