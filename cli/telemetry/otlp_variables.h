// The standard variables by which OpenTelemetry names a collector.

#pragma once

#include <string>

#include "cli/host.h"
#include "core/wire/http.h"

namespace plumbline::cli {

// otlp_endpoint returns where `signal` ("metrics", "traces") is sent:
// OTEL_EXPORTER_OTLP_METRICS_ENDPOINT as it stands, or OTEL_EXPORTER_OTLP_ENDPOINT with /v1/metrics
// behind it. Empty: neither is set.
std::string otlp_endpoint(const std::string& signal);

// otlp_headers reads OTEL_EXPORTER_OTLP_HEADERS, "name=value,name=value". What is no header is left
// out. The values become secrets of `host`.
wire::HttpHeaders otlp_headers(Host& host);

// otlp_service returns OTEL_SERVICE_NAME, or "plumbline".
std::string otlp_service();

}  // namespace plumbline::cli
