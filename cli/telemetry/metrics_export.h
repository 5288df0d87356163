// MetricsExport sends the metrics of a command to the collector that the standard variables of
// OpenTelemetry name: OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, or OTEL_EXPORTER_OTLP_ENDPOINT with
// /v1/metrics behind it; OTEL_EXPORTER_OTLP_HEADERS (name=value,...), OTEL_METRIC_EXPORT_INTERVAL
// (milliseconds) and OTEL_SERVICE_NAME. Without the first two nothing is counted.

#pragma once

#include <optional>
#include <string>

#include "cli/host.h"
#include "core/metrics/metrics.h"
#include "core/metrics/otlp_metrics.h"
#include "core/net/http_client.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

class MetricsExport {
 public:
  // Reads the variables. A line of the host says what is wrong with them; then nothing is counted.
  // What they show the collector of secrets is hidden by the host, which must outlive it.
  explicit MetricsExport(Host& host);

  // metrics returns where to count; null: nowhere.
  metrics::Metrics* metrics() { return exporter_ ? &metrics_ : nullptr; }

  // flush sends what there is at the end, in bounded time.
  Task<void> flush();

 private:
  Host& host_;
  os::RealWallClock clock_;
  metrics::Metrics metrics_;
  net::HttpClient http_;
  std::optional<metrics::OtlpExporter> exporter_;
};

}  // namespace plumbline::cli
