// The text that Prometheus reads at /metrics, format 0.0.4.

#pragma once

#include <string>

#include "core/base/budget/guests.h"
#include "core/metrics/metrics.h"
#include "core/net/http_server.h"

namespace plumbline::metrics {

inline constexpr const char* kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";

// prometheus_text writes all metrics. "mcp.client.operation.duration" in "s" becomes
// mcp_client_operation_duration_seconds, a counter ends in _total; what else a name may not have
// becomes an underscore. Attributes that become the same are joined by a semicolon.
//
// OpenTelemetry, compatibility with Prometheus; Prometheus, exposition formats.
std::string prometheus_text(Metrics& metrics);

// tell_guests adds what the callers of a server have taken of it now, and how often it was refused:
// plumbline.server.taken and plumbline.server.refusals, by resource. Null: nothing.
void tell_guests(Metrics& metrics, const Guests* guests);

// MetricsHandler answers GET and HEAD with that text; whatever the path.
class MetricsHandler final : public net::HttpHandler {
 public:
  // `metrics` must outlive the handler.
  explicit MetricsHandler(Metrics& metrics) : metrics_(metrics) {}

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  Metrics& metrics_;
};

}  // namespace plumbline::metrics
