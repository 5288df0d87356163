// TraceExport sends the spans of a command where --otlp says, or to the collector that the standard
// variables of OpenTelemetry name: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or
// OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces behind it; OTEL_EXPORTER_OTLP_HEADERS
// (name=value,...) and OTEL_SERVICE_NAME. Where nothing is said, nothing is traced.

#pragma once

#include <optional>
#include <string>

#include <CLI/App.hpp>

#include "cli/host.h"
#include "core/net/http_client.h"
#include "core/os/wall_clock.h"
#include "core/trace/export/span_exporter.h"
#include "core/trace/tracer.h"

namespace plumbline::cli {

// add_otlp declares --otlp; check_otlp returns what is wrong with its value, where anything is.
void add_otlp(CLI::App& app, std::string& where);
Status check_otlp(const std::string& where);

class TraceExport {
 public:
  // `where` is a URL, or a file that is begun anew; empty: the variables say. A line of the host,
  // which must outlive it, says what does not work; then nothing is traced. Secrets of the host are
  // in no span.
  TraceExport(Host& host, const std::string& where);

  // tracer returns who makes spans; null: nobody.
  trace::Tracer* tracer() { return tracer_ ? &*tracer_ : nullptr; }

  // flush sends what there is at the end, in bounded time.
  Task<void> flush();

 private:
  void open_file(const std::string& path);
  void open_collector(const std::string& endpoint);

  Host& host_;
  os::RealWallClock clock_;
  net::HttpClient http_;
  std::optional<trace::FilePlace> file_;
  std::optional<trace::CollectorPlace> collector_;
  std::optional<trace::SpanExporter> exporter_;
  std::optional<trace::Tracer> tracer_;
};

}  // namespace plumbline::cli
