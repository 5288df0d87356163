// The endpoints that callers used before MCP. They refuse in the codes of seed 004.

#include <utility>

#include "core/base/text.h"
#include "core/rpc/message.h"
#include "core/service/sessions/session_server.h"
#include "core/service/sessions/tool_result.h"

namespace plumbline::service {

namespace {

constexpr std::size_t kRequestIdBytesMax = 128;
constexpr const char* kApiVersion = "1.0.0";

int status_of(WorkerDesk::Refusal refusal) {
  switch (refusal) {
    case WorkerDesk::Refusal::kIdInUse:
      return 409;
    case WorkerDesk::Refusal::kTooManyCalls:
      return 503;
    case WorkerDesk::Refusal::kSessionOver:
      return 404;
  }
  return 500;
}

std::optional<mcp::Failure> fault_of(const Session& session, const std::string& tool,
                                     const Json& params) {
  const Tool* const found = session.tools().find(tool);
  if (found == nullptr) return tool_not_found(tool);
  Json faults = found->faults_of(params);
  if (faults.empty()) return std::nullopt;
  return invalid_arguments(std::move(faults));
}

}  // namespace

void SessionServer::show_metadata(Exchange exchange) {
  const Session* const session = finder_.find(exchange, code_of(exchange.request));
  if (session == nullptr) return;
  exchange.reply.respond(json_reply(200, {{"apiVersion", kApiVersion},
                                          {"sessionCode", session->code()},
                                          {"expiresAt", rfc3339(session->record().expires)},
                                          {"workerConnected", session->has_worker()},
                                          {"tools", session->tools().descriptions()}}));
}

void SessionServer::take_request(Exchange exchange) {
  if (refused_while_draining(exchange)) return;
  const std::optional<Json> body = read_object(exchange);
  if (!body) return;
  std::optional<Problem> problem;
  ObjectReader reader(*body, "", "the request", problem);
  const std::string code = reader.string("sessionCode").value_or(code_of(exchange.request));
  std::string id = reader.required_string("requestId");
  const std::string tool = reader.required_string("toolName");
  const Json* const given = reader.object("params");
  if (id.size() > kRequestIdBytesMax) {
    add_problem(problem, "/requestId", "requestId has more than 128 bytes");
  }
  if (answered_problem(exchange, problem)) return;
  Session* const session = finder_.find(exchange, code);
  if (session == nullptr) return;
  const Json params = given == nullptr ? Json::object() : *given;
  if (const std::optional<mcp::Failure> fault = fault_of(*session, tool, params)) {
    return answer_failure(exchange, fault->code == rpc::kMethodNotFound ? 404 : 400, *fault);
  }
  std::optional<Held> charge = charge_for(exchange, params);
  if (!charge) return;
  const std::optional<WorkerDesk::Refusal> refused =
      session->queue(id, tool, params, exchange.reply.principal(), *std::move(charge));
  if (refused) {
    return exchange.reply.respond(error_reply(status_of(*refused), rpc::kInvalidRequest,
                                              refusal_text(*refused), {{"requestId", id}}));
  }
  exchange.reply.respond(json_reply(202, {{"id", id}, {"status", "queued"}}));
}

void SessionServer::show_response(Exchange exchange) {
  const Session* const session = finder_.find(exchange, code_of(exchange.request));
  if (session == nullptr) return;
  const std::string id = query_value(exchange.request.target, "requestId").value_or("");
  const Session::Queued* const queued = session->queued(id);
  if (queued == nullptr || queued->principal != exchange.reply.principal()) {
    return exchange.reply.respond(error_reply(404, rpc::kInvalidParams, "there is no such request",
                                              {{"requestId", clipped(id, kRequestIdBytesMax)}}));
  }
  if (!queued->outcome) {
    return exchange.reply.respond(json_reply(202, {{"id", id}, {"status", "queued"}}));
  }
  const WorkerOutcome& outcome = *queued->outcome;
  const bool good = outcome.end == WorkerOutcome::End::kResult;
  Json shown = {{"id", id}, {"status", "done"}, {"success", good}, {"text", result_text(outcome)}};
  if (good) {
    shown["result"] = outcome.result;
  } else {
    shown["error"] = outcome.error;
  }
  exchange.reply.respond(json_reply(200, shown));
}

}  // namespace plumbline::service
