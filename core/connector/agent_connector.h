// AgentConnector keeps the connections to many agents (what the document calls the
// LangGraphConnector): so many at one time, each for one principal, opened when somebody wants one,
// paced as each agent's limits say, watched, and opened again when they die. An agent that fails
// gets probes instead of requests until it answers again.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task_group.h"
#include "core/connector/connector_metrics.h"
#include "core/connector/health/health_monitor.h"
#include "core/connector/links/link_opener.h"
#include "core/connector/mcp_client.h"
#include "core/connector/pool/connection_pool.h"
#include "core/connector/retry/error_category.h"
#include "core/connector/retry/retry_strategies.h"

namespace plumbline::connector {

// AgentConfig is what holds for one agent alone; what is missing, as for all.
struct AgentConfig {
  std::string agent;
  std::optional<Duration> connect_timeout;
  std::optional<RateLimitConfig> rate;
  std::optional<RetryStrategies> retries;
};

struct ConnectorOptions {
  Duration connect_timeout = limits::kConnectTimeout;
  Duration request_timeout = limits::kRequestTimeout;    // A tool that reports progress gets more,
  Duration request_total_max = std::chrono::minutes(5);  // but never more than this.
  PoolOptions pool;
  RateLimitConfig rate = unlimited();
  RetryStrategies retries;
  HealthOptions health;
  BreakerOptions breaker;
  std::uint64_t seed = 0;  // Of the jitter: two programs should not wait the same.
  mcp::ClientOptions client;

  // Answers sampling/createMessage of an agent, as a PeerHandler does. Null: not declared.
  std::function<Task<mcp::Reply<Json>>(std::string agent, Json params)> on_sample;
};

// AgentStats counts what there was with one agent.
struct AgentStats {
  std::int64_t requests = 0;
  std::int64_t failures = 0;  // Of them.
  std::int64_t retries = 0;
  std::int64_t openings = 0;  // Connections that were asked for, whatever came of it.
  std::int64_t held = 0;      // Requests that waited for the limit.
};

// ConnectionStatus is what the document leaves open.
struct ConnectionStatus {
  ConnectionState state = ConnectionState::kDisconnected;
  Instant since{};
  std::string last_error;
  HealthStatus health;
  AgentStats stats;
};

class AgentConnector final : private PoolOwner, private Prober {
 public:
  using Link = ServerLink::Use;

  // Doors returns who opens connections on behalf of a principal. It must outlive the connector.
  using Doors = std::function<transport::Connector&(const std::string& principal)>;

  // OnState hears of each change of a connection, after it. It must not act on the connector.
  using OnState = std::function<void(const PoolKey& connection, const StateChange& change)>;

  // All references must outlive the connector; `events` and `metrics` may be null. What agents send
  // of themselves is redacted by `redactor` where it is a failure.
  AgentConnector(Loop& loop, Doors doors, ConnectorOptions options, const Redactor& redactor,
                 EventSink* events, metrics::Metrics* metrics = nullptr);
  AgentConnector(const AgentConnector&) = delete;
  AgentConnector& operator=(const AgentConnector&) = delete;
  ~AgentConnector();

  void on_state(OnState on_state) { on_state_ = std::move(on_state); }

  // --- Which agents there are.

  // add takes an agent in, as for the first time; one that is there stays as it is.
  void add(AgentConfig config);

  // remove takes an agent out: its connections are closed in order, what is under way ends as
  // disconnected, and no connection to it is opened any more, also none that was being opened.
  void remove(const std::string& agent);

  bool has(const std::string& agent) const { return find(agent) != nullptr; }
  std::vector<std::string> agents() const;

  // --- What the document calls connect, disconnect, getConnection, listConnections and
  // getConnectionStatus.

  // connect takes the agent in and opens its connection for `principal`.
  Task<mcp::Reply<mcp::ServerInfo>> connect(AgentConfig config, std::string principal = "");

  // disconnect is remove(), and waits until the connections are closed.
  Task<void> disconnect(std::string agent);

  // connection returns the open connection of `principal`; null where there is none. Valid until
  // the loop goes on.
  ServerLink* connection(const std::string& agent, const std::string& principal = "") const;

  // connections returns the agents to which any connection is open, in the order of their names.
  std::vector<std::string> connections() const;

  // status returns nothing where there is no such agent.
  std::optional<ConnectionStatus> status(const std::string& agent,
                                         const std::string& principal = "") const;

  // --- Requests.

  // Held is the use of an open connection by one request.
  struct Held {
    ConnectionPool::Lease lease;
    Link link;
  };

  // use waits for the connection `key`, opens it where it is not open, and returns its use. In
  // bounded time; `deadline` is for the wait alone. kDisconnected: it is not there any more, is
  // unhealthy, or cannot be opened; kTimeout: there was no room in time.
  Task<mcp::Reply<Held>> use(PoolKey key, Instant deadline);

  // send and list make one request, once. `held` must outlive the Task.
  Task<mcp::Reply<Json>> send(Held& held, McpRequest request, Instant deadline);
  Task<mcp::Reply<mcp::ClientSession::List>> list(Held& held, std::string method, Instant deadline);

  // listed tells that the lists of an agent were read: its connection is ready.
  void listed(const Held& held);

  // explained says of a failure what is known of the agent: see LinkOpener.
  Task<mcp::Failure> explained(mcp::Failure failure, Link link);

  // Call is a request with all that may be done to have it answered.
  struct Call {
    std::string principal;
    McpRequest request;
    bool may_repeat = false;                      // It changes nothing.
    std::vector<std::string> others;              // Agents that have the same capability.
    Duration time_max = std::chrono::minutes(5);  // For all tries and the waits between.
  };

  // call sends it, and again as the RetryStrategies of its agent say, within the budget: never what
  // may have changed something. Where they name `fallback` another agent gets it at once, the
  // healthiest of `others` first.
  Task<mcp::Reply<Json>> call(Call call);

  // hang_up closes a connection in order, if it is open; the next request opens it again.
  Task<void> hang_up(PoolKey key, std::string why);

  // close ends all that goes on, and every connection in order, all at once, in bounded time.
  Task<void> close();

  ConnectionStats stats() const { return pool_.stats(); }
  HealthMonitor& health() { return health_; }

 private:
  struct Agent;
  struct Tried;

  Agent* find(const std::string& agent) const;
  LinkPlace& place_of(const PoolKey& key);
  bool is_here(const std::string& agent, std::int64_t generation) const;
  mcp::Failure unhealthy(const std::string& agent);
  Task<mcp::Reply<Held>> use_now(PoolKey key, Instant deadline, bool probing);
  Task<mcp::Reply<Link>> open(PoolKey key, bool probing);
  Opening opening_of(const PoolKey& key, Agent& agent);
  Task<void> let_go(Link link, std::string why);
  Task<void> leave(std::string agent);
  void account(const std::string& agent, const std::string& method, Instant began,
               const mcp::Failure* failure);
  // place_of returns where a connection is kept; nullptr when it is not any more.
  LinkPlace* place_of(const Link& link);
  void note_who_asks(const Held& held, const mcp::Failure* failure);
  Task<Tried> try_once(Call& call, Instant until);
  std::optional<std::string> another(const Call& call, const std::set<std::string>& tried) const;
  static Task<void> look_after(Task<mcp::Failure> explaining);
  void moved(const PoolKey& key, const StateChange& change);
  void health_changed(const std::string& agent, const HealthStatus& status);
  void update_metrics();

  // implements PoolOwner ---
  bool is_open(const PoolKey& key) const override;
  Task<bool> ping(PoolKey key) override;
  Task<void> close(PoolKey key, std::string why) override;

  // implements Prober ---
  Task<bool> probe(std::string agent) override;

  Loop& loop_;
  Doors doors_;
  ConnectorOptions options_;
  const Redactor& redactor_;
  EventSink* events_;
  ConnectorMetrics metrics_;
  OnState on_state_;
  Rng jitter_;
  RetryBudget budget_;
  LinkOpener opener_;
  std::int64_t generations_ = 0;
  std::map<std::string, std::unique_ptr<Agent>> agents_;  // Also those that were removed.
  std::map<PoolKey, std::unique_ptr<LinkPlace>> places_;
  ConnectionPool pool_;
  HealthMonitor health_;
  TaskGroup leaving_;  // Last: dropped first.
};

// Agent is what is kept of one agent.
struct AgentConnector::Agent {
  AgentConfig config;
  std::int64_t generation = 0;  // Another one each time that it is added.
  bool removed = false;
  bool older = false;  // It opens with initialize.
  AgentStats stats;
  std::string asker;  // On whose behalf it was wanted last: a probe goes there.
  std::unique_ptr<RequestPacer> pacer;
};

inline mcp::Failure removed_agent() {
  return {mcp::Failure::Kind::kDisconnected, "the server is not in the configuration any more"};
}

// is_about_who_asks returns whether an agent refused who we are, or what we may do.
inline bool is_about_who_asks(const mcp::Failure& failure) {
  return category_of(mcp::classify(failure)) == ErrorCategory::kAuthentication;
}

// is_illness returns whether a failure says that the agent is not well. One that refuses us, our
// request or our haste is.
inline bool is_illness(const mcp::Failure& failure) {
  const mcp::FailureClass kind = mcp::classify(failure);
  return kind == mcp::FailureClass::kNetwork || kind == mcp::FailureClass::kTimeout ||
         kind == mcp::FailureClass::kProtocol;
}

}  // namespace plumbline::connector
