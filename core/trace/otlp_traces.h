// Spans as OpenTelemetry's collectors take them: the body of a request to /v1/traces, as JSON.

#pragma once

#include <span>
#include <string>

#include "core/json/json.h"
#include "core/trace/span.h"

namespace plumbline::trace {

// Resource is whose spans they are.
struct Resource {
  std::string service_name = "plumbline";
  std::string service_version{};
};

// otlp_traces writes `spans` as an ExportTraceServiceRequest.
//
// OpenTelemetry protocol, OTLP/HTTP, JSON: ids in hexadecimal digits, numbers of 64 bits as
// strings.
Json otlp_traces(std::span<const Span> spans, const Resource& resource);

}  // namespace plumbline::trace
