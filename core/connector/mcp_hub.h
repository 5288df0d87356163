// McpHub is the McpClient over real sessions: it opens a connection to each configured server,
// asks each for its manifest, and keeps the sessions for the calls.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task_group.h"
#include "core/connector/finding.h"
#include "core/connector/mcp_client.h"
#include "core/connector/mcp_hub_peer.h"
#include "core/connector/pins.h"
#include "core/connector/server_link.h"
#include "core/events/trace_event.h"
#include "core/json/redactor.h"
#include "core/mcp/transport/connection.h"

namespace plumbline::connector {

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
  // A server that was waited for in vain is asked in the background from then on, less and less
  // often, and its last manifest stands meanwhile: it is waited for no longer than a moment, unless
  // no other offers anything.
  Task<Discovery> discover() override;

  // A server that says that it does not know what is called is asked for its list anew, once.
  Task<mcp::Reply<Json>> invoke(McpRequest request) override;

  // add takes a server into the configuration, behind the others; the next discover() asks it. One
  // that is there already stays as it is.
  void add(std::string server);

  // remove takes a server out of the configuration: its connection is closed in order, a request
  // that is under way ends as disconnected, and no later one is sent. No-op when it is not there.
  void remove(const std::string& server);

  // close ends every session and connection in order, all at once, in bounded time.
  Task<void> close();

 private:
  class Opening;
  using Peer = HubPeer;
  using LinkUse = ServerLink::Use;

  // Opening and closing.
  Task<mcp::Reply<LinkUse>> open(std::string server);
  Task<mcp::Reply<LinkUse>> try_open(std::string server);
  Task<mcp::Reply<LinkUse>> connect(std::string server, mcp::ClientOptions client);
  Peer& peer_of(const std::string& server);
  static bool is_open(const Peer& peer);
  Task<bool> retire_if_deaf(LinkUse link);
  Task<void> let_go(LinkUse link);
  bool is_configured(const std::string& server) const;
  Task<mcp::Failure> explained(mcp::Failure failure, LinkUse link);
  void redact(mcp::Failure& failure) const;

  // Discovery.
  Task<void> look_now(std::string server, Finding& finding);
  Task<void> look_behind(std::string server);
  void spawn_looks(TaskGroup& group, const std::string& server, Finding& finding);
  Task<void> wait_for(Peer& peer, Duration at_most);
  Task<void> discover_one(std::string server, Finding& finding);
  Task<void> look_at(std::string server, Finding& finding);
  Task<void> look_for(std::string method, Finding::Reader read, LinkUse link, Finding& finding);
  Task<void> look_again(McpRequest call, LinkUse link, mcp::Failure& failure);

  Loop& loop_;
  transport::Connector& connector_;
  HubOptions options_;
  const Redactor& redactor_;
  EventSink* events_;
  Pins pins_;
  std::map<std::string, std::unique_ptr<Peer>> peers_;
  TaskGroup leaving_;  // Last: dropped first, as the Tasks of the peers are before what they use.
};

}  // namespace plumbline::connector
