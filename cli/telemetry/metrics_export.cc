#include "cli/telemetry/metrics_export.h"

#include <charconv>
#include <utility>

#include "cli/options/version.h"
#include "cli/telemetry/otlp_collector.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

constexpr Duration kInterval = std::chrono::seconds(60);
constexpr int kIntervalMsMax = 86'400'000;

Duration interval_named() {
  const std::string text = os::environment_variable("OTEL_METRIC_EXPORT_INTERVAL").value_or("");
  int milliseconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || milliseconds < 1 || milliseconds > kIntervalMsMax) return kInterval;
  return std::chrono::milliseconds(milliseconds);
}

}  // namespace

MetricsExport::MetricsExport(Host& host, const std::string& where)
    : host_(host), http_(host.world().loop(), host.world().network()) {
  Result<wire::Url> url = collector_url(otlp_endpoint(where, "metrics"));
  if (!url.ok()) return;
  metrics::Resource resource;
  resource.service_name = otlp_service();
  resource.service_version = kVersion;
  exporter_.emplace(host.world().loop(), http_, clock_, metrics_, std::move(resource),
                    std::move(url).value(), otlp_headers(host, where),
                    [&host](const std::string& line) { host.tell_line("note: " + line); });
  exporter_->start(interval_named());
}

Task<void> MetricsExport::flush() {
  if (!exporter_) co_return;
  const Status sent = co_await exporter_->flush();
  if (!sent.ok()) host_.tell_line("note: metrics cannot be sent: " + sent.error().message);
}

}  // namespace plumbline::cli
