#include "core/connector/traced_client.h"

#include <utility>

#include "core/mcp/protocol/meta_keys.h"

namespace plumbline::connector {

namespace {

// target_of returns what is asked for: a tool, a prompt or a URI.
std::string target_of(const McpRequest& request) {
  const bool of_resource = request.method == "resources/read";
  return string_or(request.params, of_resource ? "uri" : "name", "");
}

void tell_request(const McpRequest& request, const std::string& target, trace::OpenSpan& span) {
  span.set("mcp.method.name", request.method);
  span.set("plumbline.mcp.server", request.server);
  if (request.method == "tools/call") {
    span.set("gen_ai.operation.name", std::string("execute_tool"));
    span.set("gen_ai.tool.name", target);
  } else if (request.method == "prompts/get") {
    span.set("gen_ai.prompt.name", target);
  } else {
    span.set("mcp.resource.uri", target);
  }
}

void tell_reply(const mcp::Reply<Json>& reply, trace::OpenSpan& span) {
  if (reply.ok()) {
    if (bool_or(reply.value(), "isError", false))
      span.fail("tool_error", "the tool says that it failed");
    return;
  }
  const mcp::Failure& failure = reply.error();
  const bool answered = failure.kind == mcp::Failure::Kind::kRpc;
  if (answered) span.set("rpc.response.status_code", std::to_string(failure.code));
  span.fail(answered ? std::to_string(failure.code) : std::string(mcp::name_of(failure.kind)),
            mcp::describe(failure));
}

}  // namespace

void name_parent(McpRequest& request, const std::string& traceparent) {
  if (traceparent.empty()) return;
  if (request.params.is_null()) request.params = Json::object();
  Json& meta = request.params["_meta"];
  if (meta.is_null() || meta.is_object()) meta[std::string(mcp::kMetaTraceparent)] = traceparent;
}

std::string parent_in(const Json& params) {
  const Json* const parent = mcp::find_meta(params, mcp::kMetaTraceparent);
  const auto* const text = parent != nullptr ? parent->get_ptr<const std::string*>() : nullptr;
  return text != nullptr ? *text : std::string();
}

Task<mcp::Reply<Json>> TracedClient::invoke(McpRequest request) {
  const std::string target = target_of(request);
  // A URI says too much, and is one of too many, to be a name.
  const std::string name =
      request.method == "resources/read" ? request.method : request.method + " " + target;
  trace::OpenSpan span(tracer_, name, trace::SpanKind::kClient, parent_in(request.params));
  tell_request(request, target, span);
  name_parent(request, span.traceparent());
  mcp::Reply<Json> reply = co_await inner_.invoke(std::move(request));
  tell_reply(reply, span);
  co_return reply;
}

}  // namespace plumbline::connector
