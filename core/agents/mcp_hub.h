// McpHub is the McpClient over real sessions: it opens a connection to each configured server,
// asks each for its manifest, and keeps the sessions for the calls.

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/agents/mcp_client.h"
#include "core/agents/pacing.h"
#include "core/agents/pins.h"
#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/json/redactor.h"
#include "core/mcp/client_session.h"
#include "core/transport/connection.h"

namespace plumbline::agents {

struct HubOptions {
  std::vector<std::string> servers;                      // In order of preference.
  Duration connect_timeout = limits::kConnectTimeout;    // Of start, handshake and discovery.
  Duration request_timeout = limits::kRequestTimeout;    // A tool that reports progress gets more,
  Duration request_total_max = std::chrono::minutes(5);  // but never more than this.
  mcp::ClientOptions client;
};

class McpHub final : public McpClient {
 public:
  // All references must outlive the hub. `events` may be null. What servers send is redacted by
  // `redactor` before it leaves the hub. One discover() or invoke() at a time.
  McpHub(Loop& loop, transport::Connector& connector, HubOptions options, const Redactor& redactor,
         EventSink* events);
  ~McpHub();

  // implements McpClient ---------------------------------------------------------------------
  Task<Discovery> discover() override;
  Task<mcp::Reply<Json>> invoke(McpRequest request) override;

  // close ends every session and connection in order, all at once, in bounded time.
  Task<void> close();

 private:
  struct Link;
  struct Finding;
  using Reader = Result<Capability> (*)(const std::string& server, Json entry);

  Task<mcp::Reply<Link*>> open(std::string server);
  Task<mcp::Reply<Link*>> try_open(std::string server);
  Task<mcp::Reply<Link*>> connect(std::string server, mcp::ClientOptions client);
  bool is_open(const std::string& server) const;
  Task<void> discover_one(std::string server, Finding& finding);
  Task<void> look_at(std::string server, Finding& finding);
  Task<void> look_for(std::string method, Reader read, Link& link, Finding& finding);
  Task<void> close_one(Link& link);
  Task<mcp::Failure> explained(mcp::Failure failure, Link& link);
  void redact(mcp::Failure& failure) const;

  Loop& loop_;
  transport::Connector& connector_;
  HubOptions options_;
  const Redactor& redactor_;
  EventSink* events_;
  std::map<std::string, std::unique_ptr<Link>> links_;
  std::set<std::string> older_;  // Servers that open with initialize.
  std::map<std::string, Pace> paces_;
  Pins pins_;
};

}  // namespace plumbline::agents
