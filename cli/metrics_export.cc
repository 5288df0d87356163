#include "cli/metrics_export.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "cli/options/version.h"
#include "core/base/text.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

constexpr Duration kInterval = std::chrono::seconds(60);
constexpr int kIntervalMsMax = 86'400'000;

// endpoint_named returns what the variables say of the collector; empty: nothing.
std::string endpoint_named() {
  const auto own = os::environment_variable("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
  if (own && !own->empty()) return *own;
  std::string all = os::environment_variable("OTEL_EXPORTER_OTLP_ENDPOINT").value_or("");
  if (all.empty()) return all;
  while (all.ends_with('/')) all.pop_back();
  return all + "/v1/metrics";
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const char low = lower_case(c);
    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

// headers_named reads "name=value,name=value". What is no header is left out.
wire::HttpHeaders headers_named(Host& host) {
  wire::HttpHeaders headers;
  const std::string all = os::environment_variable("OTEL_EXPORTER_OTLP_HEADERS").value_or("");
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string name(trimmed(one.substr(0, equals)));
    std::string value(trimmed(one.substr(equals + 1)));
    if (!is_name(name) || !wire::is_header_value(value)) continue;
    host.secrets().add(value);
    headers.set(name, std::move(value));
  }
  return headers;
}

Duration interval_named() {
  const std::string text = os::environment_variable("OTEL_METRIC_EXPORT_INTERVAL").value_or("");
  int milliseconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || milliseconds < 1 || milliseconds > kIntervalMsMax) return kInterval;
  return std::chrono::milliseconds(milliseconds);
}

}  // namespace

MetricsExport::MetricsExport(Host& host)
    : host_(host), http_(host.world().loop(), host.world().network()) {
  const std::string endpoint = endpoint_named();
  if (endpoint.empty()) return;
  Result<wire::Url> url = wire::parse_url(endpoint);
  if (!url.ok() || url.value().scheme.starts_with("ws")) {
    host.tell_line(
        "note: no metrics are sent: the endpoint that the variables of OpenTelemetry "
        "name is no URL of http or https");
    return;
  }
  metrics::Resource resource;
  resource.service_name = os::environment_variable("OTEL_SERVICE_NAME").value_or("plumbline");
  resource.service_version = kVersion;
  exporter_.emplace(host.world().loop(), http_, clock_, metrics_, std::move(resource),
                    std::move(url).value(), headers_named(host),
                    [&host](const std::string& line) { host.tell_line("note: " + line); });
  exporter_->start(interval_named());
}

Task<void> MetricsExport::flush() {
  if (!exporter_) co_return;
  const Status sent = co_await exporter_->flush();
  if (!sent.ok()) host_.tell_line("note: metrics cannot be sent: " + sent.error().message);
}

}  // namespace plumbline::cli
