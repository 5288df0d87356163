// TracedClient has a span for each call of an MCP server, and tells the server where it stands.

#pragma once

#include <string>

#include "core/connector/mcp_client.h"
#include "core/trace/tracer.h"

namespace plumbline::connector {

// name_parent puts the traceparent of the work that a request belongs to into its params._meta.
// Empty: it is left as it is.
//
// Spec 2026-07-28, basic/index, _meta (traceparent).
void name_parent(McpRequest& request, const std::string& traceparent);

// parent_in returns what the _meta of `params` says of it; empty: nothing.
std::string parent_in(const Json& params);

class TracedClient final : public McpClient {
 public:
  // Both must outlive it; `tracer` may be null: then every request is passed on as it is.
  TracedClient(McpClient& inner, trace::Tracer* tracer) : inner_(inner), tracer_(tracer) {}

  // implements McpClient ---
  //
  // The span of a request is a client's, "tools/call TOOL", below the traceparent in its _meta,
  // whose place it takes there. Arguments and results are not told.
  //
  // OpenTelemetry, Semantic conventions for Model Context Protocol, Client.
  Task<Discovery> discover() override { return inner_.discover(); }
  Task<mcp::Reply<Json>> invoke(McpRequest request) override;
  const RetryStrategies* retries(const std::string& server) const override {
    return inner_.retries(server);
  }

 private:
  McpClient& inner_;
  trace::Tracer* tracer_;
};

}  // namespace plumbline::connector
