// ReferenceServer is the server that conformance suites and other people's clients are run
// against: one fixture for everything that MCP has, in every revision.
//
//   reference::ReferenceServer reference(loop, random_bytes, events);
//   reference.server().accept(std::move(channel));

#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/mcp/protocol/mcp_headers.h"
#include "core/mcp/server/server.h"
#include "reference/argument_check.h"
#include "reference/offer.h"

namespace plumbline::reference {

class ReferenceServer {
 public:
  // `secret` protects what clients carry for the server: at least 16 random bytes. `loop` and
  // `events` must outlive the server; null `events`: no event is built. `clock` is the time of day
  // at Instant 0 of the loop, since 1970 UTC: tasks tell when they began.
  ReferenceServer(Loop& loop, std::string secret, EventSink* events, Duration clock = {});
  ReferenceServer(const ReferenceServer&) = delete;
  ReferenceServer& operator=(const ReferenceServer&) = delete;

  mcp::Server& server() { return server_; }

  // mirrored_params returns the parameters that calls of `tool` mirror into HTTP headers, nullptr
  // for none: see StreamableHttpServerOptions.
  const std::vector<transport::ParamHeader>* mirrored_params(const std::string& tool) const;

 private:
  Offer make_offer(Loop& loop);
  void add_triggers(Offer& offer);
  Task<mcp::Reply<Json>> change_slowly(mcp::ServerCall call, Loop& loop);

  ArgumentCheck check_;
  Offer offer_;  // What server_ is made of.
  mcp::Server server_;
  std::map<std::string, std::vector<transport::ParamHeader>> mirrored_;
  int watched_version_ = 0;
};

}  // namespace plumbline::reference
