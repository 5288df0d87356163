#include "core/service/sessions/tool_executor.h"

#include <string>
#include <utility>

#include "core/service/sessions/tool_result.h"

namespace plumbline::service {

namespace {

std::string listed(const Json& errors) {
  std::string text;
  for (const Json& error : errors) {
    if (!text.empty()) text += "; ";
    const std::string path = string_or(error, "path", "");
    if (!path.empty()) text += path + ": ";
    text += string_or(error, "message", "");
  }
  return text;
}

}  // namespace

Task<mcp::Reply<Json>> execute_tool(Session& session, Codes codes, mcp::ServerCall call) {
  const Tool* const tool = session.tools().find(call.target);
  if (tool == nullptr) co_return tool_not_found(call.target);
  Json arguments = call.arguments();
  Json faults = tool->faults_of(arguments);
  if (!faults.empty()) {
    // Where the revision makes a result of it, the text is all that its reader sees.
    std::string all = "Invalid arguments: " + listed(faults);
    mcp::Failure refused = invalid_arguments(std::move(faults));
    if (codes == Codes::kSpecification) refused.message = std::move(all);
    co_return std::move(refused);
  }
  call.log("debug", "sessions", {{"tool", call.target}, {"worker", session.has_worker()}});
  Session::Listener listener;
  listener.progress = [&call](const WorkerDesk::Progressed& report) {
    call.progress(report.progress, report.total, report.message);
  };
  listener.log = [&call](const WorkerDesk::Logged& line) {
    call.log(line.level, "worker", line.data);
  };
  WorkerOutcome outcome =
      co_await session.call(call.target, std::move(arguments), std::move(listener));
  if (outcome.end == WorkerOutcome::End::kSessionOver) {
    co_return invalid_session(session.code());
  }
  co_return call_result(std::move(outcome));
}

}  // namespace plumbline::service
