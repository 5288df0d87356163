// McpHub is the McpClient over an AgentConnector: it asks each configured server for its manifest,
// and makes calls over the connections that the connector keeps.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task_group.h"
#include "core/connector/agent_connector.h"
#include "core/connector/finding.h"
#include "core/connector/mcp_client.h"
#include "core/connector/mcp_hub_peer.h"
#include "core/connector/pins.h"
#include "core/events/trace_event.h"
#include "core/json/redactor.h"
#include "core/mcp/transport/connection.h"

namespace plumbline::connector {

struct HubOptions : ConnectorOptions {
  std::vector<std::string> servers;  // In order of preference.

  // What holds for one of them alone, by its name.
  std::map<std::string, AgentConfig> agents;
};

class McpHub final : public McpClient {
 public:
  // All references must outlive the hub. `events` and `metrics` may be null. A secret that
  // `redactor` was given, and a server says back, does not leave the hub; all else that servers
  // send does as it stands. One discover() at a time; calls may run beside each other.
  McpHub(Loop& loop, transport::Connector& connector, HubOptions options, const Redactor& redactor,
         EventSink* events, metrics::Metrics* metrics = nullptr);
  ~McpHub();

  // implements McpClient ---------------------------------------------------------------------
  // A server that was waited for in vain is asked in the background from then on, less and less
  // often, and its last manifest stands meanwhile: it is waited for no longer than a moment, unless
  // no other offers anything.
  Task<Discovery> discover() override;

  // A server that says that it does not know what is called is asked for its list anew, once.
  Task<mcp::Reply<Json>> invoke(McpRequest request) override;
  const RetryStrategies* retries(const std::string& server) const override;

  // add takes a server into the configuration, behind the others; the next discover() asks it. One
  // that is there already stays as it is.
  void add(std::string server);

  // remove takes a server out of the configuration: its connection is closed in order, a request
  // that is under way ends as disconnected, and no later one is sent. No-op when it is not there.
  void remove(const std::string& server);

  // close ends every session and connection in order, all at once, in bounded time.
  Task<void> close();

  AgentConnector& connector() { return connector_; }

 private:
  using Peer = HubPeer;
  using Held = AgentConnector::Held;

  AgentConfig config_of(const std::string& server) const;
  Task<mcp::Reply<Held>> open(std::string server);
  Peer& peer_of(const std::string& server);
  bool is_configured(const std::string& server) const;

  // Discovery.
  Task<void> look_now(std::string server, Finding& finding);
  Task<void> look_behind(std::string server);
  void spawn_looks(TaskGroup& group, const std::string& server, Finding& finding);
  Task<void> wait_for(Peer& peer, Duration at_most);
  Task<void> discover_one(std::string server, Finding& finding);
  Task<void> look_at(std::string server, Finding& finding);
  Task<void> look_for(std::string method, Finding::Reader read, Held& held, Finding& finding);
  Task<void> look_again(McpRequest call, Held& held, mcp::Failure& failure);

  Loop& loop_;
  transport::Connector& door_;
  HubOptions options_;
  const Redactor& redactor_;
  Pins pins_;
  AgentConnector connector_;
  std::map<std::string, std::unique_ptr<Peer>> peers_;  // Last: their Tasks are dropped first.
};

}  // namespace plumbline::connector
