// TraceExport sends the spans of a command where --otlp says: to a file, or to a collector, at
// /v1/traces. Where it says nothing, nothing is traced.

#pragma once

#include <optional>
#include <string>

#include "cli/host.h"
#include "cli/telemetry/otlp_collector.h"
#include "core/net/http_client.h"
#include "core/os/wall_clock.h"
#include "core/trace/export/span_exporter.h"
#include "core/trace/tracer.h"

namespace plumbline::cli {

class TraceExport {
 public:
  // `where` is a URL, or a file that is begun anew; empty: nowhere. A line of the host, which must
  // outlive it, says what does not work; then nothing is traced. Secrets of the host are in no
  // span.
  TraceExport(Host& host, const std::string& where);

  // tracer returns who makes spans; null: nobody.
  trace::Tracer* tracer() { return tracer_ ? &*tracer_ : nullptr; }

  // flush sends what there is at the end, in bounded time.
  Task<void> flush();

 private:
  void open_file(const std::string& path);
  void open_collector(const std::string& where);

  Host& host_;
  os::RealWallClock clock_;
  net::HttpClient http_;
  std::optional<trace::FilePlace> file_;
  std::optional<trace::CollectorPlace> collector_;
  std::optional<trace::SpanExporter> exporter_;
  std::optional<trace::Tracer> tracer_;
};

}  // namespace plumbline::cli
