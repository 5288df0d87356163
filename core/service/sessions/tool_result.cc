#include "core/service/sessions/tool_result.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/rpc/message.h"

namespace plumbline::service {

namespace {

using End = WorkerOutcome::End;

constexpr std::string_view kSuccess = "\u2705 Tool executed successfully\n\n";
constexpr std::string_view kFailed = "\u274c Tool execution failed: ";

bool is_content_block(const Json& block) {
  constexpr auto kTypes =
      std::to_array<std::string_view>({"text", "image", "audio", "resource", "resource_link"});
  return block.is_object() &&
         std::ranges::find(kTypes, string_or(block, "type", "")) != kTypes.end();
}

// is_mcp_result returns whether a worker answered in the form of MCP.
bool is_mcp_result(const Json& result) {
  const Json* const content = find(result, "content");
  if (content == nullptr || !content->is_array()) return false;
  return std::ranges::all_of(*content, is_content_block);
}

}  // namespace

mcp::Failure invalid_session(const std::string& code) {
  return {
      rpc::kInvalidParams, "Invalid session", {{"sessionId", code.empty() ? Json() : Json(code)}}};
}

mcp::Failure tool_not_found(const std::string& name) {
  return {rpc::kMethodNotFound, "Tool not found", {{"toolName", name}}};
}

mcp::Failure invalid_arguments(Json errors) {
  return {rpc::kInvalidParams, "Invalid arguments", {{"errors", std::move(errors)}}};
}

std::string refusal_text(WorkerDesk::Refusal refusal) {
  switch (refusal) {
    case WorkerDesk::Refusal::kIdInUse:
      return "this requestId is in use";
    case WorkerDesk::Refusal::kTooManyCalls:
      return "too many calls wait for the worker of this session";
    case WorkerDesk::Refusal::kSessionOver:
      return "the session is over";
  }
  return "refused";
}

WorkerOutcome worker_outcome(Json result) {
  const Json* const success = find(result, "success");
  if (success == nullptr || !success->is_boolean())
    return {End::kResult, std::move(result), "", {}};
  if (*success == false) {
    const Json* const error = find(result, "error");
    return worker_failure(error == nullptr ? Json("the worker did not say why") : *error);
  }
  const Json* const data = find(result, "data");
  if (data == nullptr) return {End::kResult, std::move(result), "", {}};
  return {End::kResult, *data, "", {}};
}

WorkerOutcome worker_failure(const Json& error) {
  if (const auto* const text = error.get_ptr<const std::string*>()) {
    return {End::kFailed, nullptr, *text, {}};
  }
  const std::string message = string_or(error, "message", "");
  return {End::kFailed, nullptr, message.empty() ? dump_json(error) : message, {}};
}

std::string result_text(const WorkerOutcome& outcome) {
  if (outcome.end != End::kResult) return std::string(kFailed) + outcome.error;
  return std::string(kSuccess) + pretty_json(outcome.result);
}

Json call_result(WorkerOutcome outcome) {
  if (outcome.end == End::kResult && is_mcp_result(outcome.result)) {
    Json result = {{"content", std::move(outcome.result["content"])},
                   {"isError", bool_or(outcome.result, "isError", false)}};
    if (const Json* const structured = find(outcome.result, "structuredContent")) {
      if (structured->is_object()) result["structuredContent"] = *structured;
    }
    return result;
  }
  Json block = {{"type", "text"}, {"text", result_text(outcome)}};
  Json content = Json::array();
  content.push_back(std::move(block));
  return {{"content", std::move(content)}, {"isError", outcome.end != End::kResult}};
}

}  // namespace plumbline::service
