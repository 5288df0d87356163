// ReferenceClient uses everything that a server offers, once, as a client that knows nothing of it
// beforehand: it is what conformance suites run against their own servers.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/mcp/client/client_options.h"
#include "core/mcp/client/client_session.h"

namespace plumbline::reference {

// obliging_client returns options that declare every capability and grant every wish: a form is
// accepted with its defaults, a model answers, there is one root. `preferred` is asked for first.
mcp::ClientOptions obliging_client(mcp::Revision preferred);

struct VisitOptions {
  // Tool calls to make, {"name", "arguments"}, in order. Empty: one of each tool that is listed,
  // with arguments made from its inputSchema.
  std::vector<Json> calls;
  Duration patience = limits::kRequestTimeout;  // With each request.
};

class ReferenceClient {
 public:
  // `loop` and `session`, which is not yet open, must outlive the client. `tell` gets one line for
  // each thing done: "tools/call add_numbers: done", "resources/read test://x: <why it failed>".
  ReferenceClient(Loop& loop, mcp::ClientSession& session, VisitOptions options,
                  std::function<void(const std::string& line)> tell);

  // visit opens the session, lists and uses what there is, and leaves the session open. A server
  // that refuses single requests has been visited all the same; the Failure is of one that could
  // not be opened, or has gone.
  Task<std::optional<mcp::Failure>> visit();

 private:
  Task<void> use_tools();
  Task<void> use_resources();
  Task<void> use_prompts();
  Task<void> complete(std::string prompt, std::string argument);
  std::vector<Json> calls_for(const std::vector<Json>& tools) const;
  void note(const std::string& what, const mcp::Reply<Json>& reply);
  Instant deadline() const { return after(loop_.now(), options_.patience); }

  Loop& loop_;
  mcp::ClientSession& session_;
  VisitOptions options_;
  std::function<void(const std::string& line)> tell_;
};

}  // namespace plumbline::reference
