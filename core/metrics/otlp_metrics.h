// Metrics as OpenTelemetry's collectors take them: OTLP over HTTP, as JSON.

#pragma once

#include <functional>
#include <string>

#include "core/base/doors/wall_clock.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/json/json.h"
#include "core/metrics/metrics.h"
#include "core/net/http_client.h"

namespace plumbline::metrics {

// Resource is whose metrics they are.
struct Resource {
  std::string service_name = "plumbline";
  std::string service_version;
  Attributes attributes;  // Any more.
};

// otlp_metrics writes all metrics as the body of a request to /v1/metrics: sums and histograms are
// cumulative since `start`. Times are since 1970.
//
// OpenTelemetry protocol, ExportMetricsServiceRequest; numbers of 64 bits are strings in its JSON.
Json otlp_metrics(Metrics& metrics, const Resource& resource, Duration start, Duration now);

// OtlpExporter sends them to a collector, in intervals and at the end.
class OtlpExporter {
 public:
  // Trouble is told in one line, the first time and after each success.
  using OnTrouble = std::function<void(const std::string& line)>;

  // The collector is asked at `endpoint`, which says its path, too ("…:4318/v1/metrics"). All
  // references must outlive the exporter.
  OtlpExporter(Loop& loop, net::HttpClient& http, const WallClock& clock, Metrics& metrics,
               Resource resource, wire::Url endpoint, wire::HttpHeaders headers,
               OnTrouble on_trouble);

  // start sends every `interval` from now on. What cannot be sent is in the next one: nothing is
  // kept for it.
  void start(Duration interval);

  // flush sends once, now, and ends in bounded time.
  Task<Status> flush();

 private:
  Task<void> send_on_time();

  Loop& loop_;
  net::HttpClient& http_;
  const WallClock& clock_;
  Metrics& metrics_;
  Resource resource_;
  wire::Url endpoint_;
  wire::HttpHeaders headers_;
  OnTrouble on_trouble_;
  Duration began_;
  Duration interval_{};
  bool in_trouble_ = false;
  Alarm due_;
  Task<void> sending_;  // Last: dropped first.
};

}  // namespace plumbline::metrics
