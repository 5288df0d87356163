#include "core/connector/connector_metrics.h"

namespace plumbline::connector {

namespace {

using metrics::About;

const About kOperations{"mcp.client.operation.duration",
                        "How long requests to agents took, and what kind of trouble ended them",
                        "s"};
const About kRetries{"plumbline.connector.retries", "Requests that were tried again", "{request}"};
const About kOpenings{"plumbline.connector.opening.duration",
                      "How long it took to open connections, or to find that it cannot be done",
                      "s"};
const About kMoves{"plumbline.connector.state.changes",
                   "How often connections came into each state", "{change}"};
const About kHeldBack{"plumbline.connector.held_back",
                      "Requests that were not sent because their agent is unhealthy", "{request}"};
const About kConnections{"plumbline.connector.connections", "Connections at present",
                         "{connection}"};
const About kPending{"plumbline.connector.pending", "Requests that wait for a connection",
                     "{request}"};
const About kHealth{"plumbline.connector.health",
                    "How each agent does: 0 healthy, 1 degraded, 2 unhealthy", ""};
const About kWaiting{"plumbline.connector.rate_limited",
                     "Requests that wait for the limit of their agent", "{request}"};

double seconds_of(Duration span) { return std::chrono::duration<double>(span).count(); }

}  // namespace

void ConnectorMetrics::request(const std::string& agent, const std::string& method, Duration took,
                               const mcp::Failure* failure) {
  if (!on()) return;
  metrics::Attributes attributes = {{"mcp.method.name", method}, {"plumbline.agent", agent}};
  if (failure != nullptr) attributes["error.type"] = mcp::name_of(mcp::classify(*failure));
  metrics_->histogram(kOperations, attributes).record(seconds_of(took));
}

void ConnectorMetrics::retried(const std::string& agent, ErrorCategory why, bool elsewhere) {
  if (!on()) return;
  metrics_
      ->counter(kRetries, {{"plumbline.agent", agent},
                           {"error.type", std::string(name_of(why))},
                           {"plumbline.elsewhere", elsewhere ? "true" : "false"}})
      .add();
}

void ConnectorMetrics::opened(const std::string& agent, Duration took, bool succeeded) {
  if (!on()) return;
  metrics_
      ->histogram(kOpenings, {{"plumbline.agent", agent},
                              {"plumbline.outcome", succeeded ? "opened" : "failed"}})
      .record(seconds_of(took));
}

void ConnectorMetrics::moved(const std::string& agent, ConnectionState to) {
  if (!on()) return;
  metrics_
      ->counter(kMoves, {{"plumbline.agent", agent}, {"plumbline.state", std::string(name_of(to))}})
      .add();
}

void ConnectorMetrics::held_back(const std::string& agent) {
  if (on()) metrics_->counter(kHeldBack, {{"plumbline.agent", agent}}).add();
}

void ConnectorMetrics::set_pool(const ConnectionStats& stats) {
  const auto set = [this](const char* state, std::size_t connections) {
    metrics_->gauge(kConnections, {{"plumbline.state", state}})
        .set(static_cast<double>(connections));
  };
  set("active", stats.active);
  set("idle", stats.idle);
  metrics_->gauge(kPending).set(static_cast<double>(stats.pending));
}

void ConnectorMetrics::set_health(const std::string& agent, Health health) {
  metrics_->gauge(kHealth, {{"plumbline.agent", agent}}).set(static_cast<double>(health));
}

void ConnectorMetrics::set_waiting(const std::string& agent, std::size_t requests) {
  metrics_->gauge(kWaiting, {{"plumbline.agent", agent}}).set(static_cast<double>(requests));
}

}  // namespace plumbline::connector
