// JudgedVisit is what the reference client does when a judge of clients runs it: the scenario says
// what, see docs/porting-a-client.md.

#pragma once

#include <string>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/mcp/client/client_session.h"

namespace plumbline::reference {

// judged_client returns the options of such a client. `context` is what MCP_CONFORMANCE_CONTEXT
// says, and may be empty: its `user` says what the user answers, which roots are permitted and
// which models there are. A root whose name says that there is no such folder is not there.
mcp::ClientOptions judged_client(mcp::Revision preferred, const std::string& context);

class JudgedVisit {
 public:
  // `loop` and `session`, which is not yet open, must outlive the visit. `scenario` is what
  // PLUMBLINE_SCENARIO says, `context` what MCP_CONFORMANCE_CONTEXT does: both may be empty.
  JudgedVisit(Loop& loop, mcp::ClientSession& session, std::string scenario, std::string context);

  // run returns whether the server could be visited to the end.
  Task<bool> run();

 private:
  Task<bool> call_as_tasks();
  Task<void> read_again();
  Instant deadline() const;

  Loop& loop_;
  mcp::ClientSession& session_;
  std::string scenario_;
  Json context_;
};

}  // namespace plumbline::reference
