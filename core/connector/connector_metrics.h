// ConnectorMetrics are the numbers of the connector, by agent. docs/connect.md has the table.

#pragma once

#include <string>

#include "core/base/time.h"
#include "core/connector/health/health_window.h"
#include "core/connector/pool/connection_pool.h"
#include "core/connector/retry/error_category.h"
#include "core/connector/states/connection_state.h"
#include "core/mcp/protocol/failure.h"
#include "core/metrics/metrics.h"

namespace plumbline::connector {

class ConnectorMetrics {
 public:
  // `metrics` may be null: then nothing is counted. It must outlive this.
  explicit ConnectorMetrics(metrics::Metrics* metrics) : metrics_(metrics) {}

  // on returns whether anything is counted.
  bool on() const { return metrics_ != nullptr; }
  metrics::Metrics& all() { return *metrics_; }

  void request(const std::string& agent, const std::string& method, Duration took,
               const mcp::Failure* failure);
  void retried(const std::string& agent, ErrorCategory why, bool elsewhere);
  void opened(const std::string& agent, Duration took, bool succeeded);
  void moved(const std::string& agent, ConnectionState to);
  void held_back(const std::string& agent);

  // These are set before the metrics are written.
  void set_pool(const ConnectionStats& stats);
  void set_health(const std::string& agent, Health health);
  void set_waiting(const std::string& agent, std::size_t requests);

 private:
  metrics::Metrics* metrics_;
};

}  // namespace plumbline::connector
