// MetricsExport sends the metrics of a command to the collector that --otlp names, at /v1/metrics,
// each OTEL_METRIC_EXPORT_INTERVAL (milliseconds) and at the end. Without one nothing is counted.

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
  // `where` is what --otlp says; a file takes no metrics. What the collector is shown of secrets is
  // hidden by the host, which must outlive it.
  MetricsExport(Host& host, const std::string& where);

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
