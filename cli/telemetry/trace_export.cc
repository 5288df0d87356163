#include "cli/telemetry/trace_export.h"

#include <utility>

#include "cli/options/version.h"
#include "cli/telemetry/otlp_collector.h"
#include "core/os/random.h"

namespace plumbline::cli {

TraceExport::TraceExport(Host& host, const std::string& where)
    : host_(host), http_(host.world().loop(), host.world().network()) {
  if (is_collector(where)) {
    open_collector(where);
  } else if (!where.empty()) {
    open_file(where);
  }
  if (!exporter_) return;
  exporter_->start();
  tracer_.emplace(host.world().loop(), clock_.since_1970(), os::random_bytes,
                  host.secrets().redactor(), *exporter_);
}

void TraceExport::open_file(const std::string& path) {
  const Status begun = host_.files().append_file(path, "");
  if (!begun.ok()) return host_.tell_line("note: nothing is traced: " + begun.error().message);
  file_.emplace(host_.files(), path);
  exporter_.emplace(host_.world().loop(), *file_, trace::Resource{otlp_service(), kVersion},
                    [this](const std::string& line) { host_.tell_line("note: " + line); });
}

void TraceExport::open_collector(const std::string& where) {
  Result<wire::Url> url = collector_url(otlp_endpoint(where, "traces"));
  if (!url.ok()) return;  // check_otlp has told.
  collector_.emplace(host_.world().loop(), http_, std::move(url).value(),
                     otlp_headers(host_, where));
  exporter_.emplace(host_.world().loop(), *collector_, trace::Resource{otlp_service(), kVersion},
                    [this](const std::string& line) { host_.tell_line("note: " + line); });
}

Task<void> TraceExport::flush() {
  if (exporter_) co_await exporter_->flush();
}

}  // namespace plumbline::cli
