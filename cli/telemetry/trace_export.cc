#include "cli/telemetry/trace_export.h"

#include <utility>

#include "cli/options/version.h"
#include "cli/telemetry/otlp_variables.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

constexpr const char* kTracesPath = "/v1/traces";

bool is_url(const std::string& where) { return where.find("://") != std::string::npos; }

Result<wire::Url> collector_url(const std::string& endpoint) {
  Result<wire::Url> url = wire::parse_url(endpoint);
  if (url.ok() && !url.value().scheme.starts_with("ws")) return url;
  return Error{ErrorCode::kInvalidInput, "expected a URL of http or https"};
}

// full_endpoint adds the path of traces where a URL does not say it.
std::string full_endpoint(std::string where) {
  if (where.ends_with(kTracesPath)) return where;
  while (where.ends_with('/')) where.pop_back();
  return where + kTracesPath;
}

}  // namespace

void add_otlp(CLI::App& app, std::string& where) {
  app.add_option("--otlp", where,
                 "Trace the work as OpenTelemetry does: to this file, a line of OTLP each, or to "
                 "the collector at this URL")
      ->type_name("FILE|URL");
}

Status check_otlp(const std::string& where) {
  if (!is_url(where)) return Done{};
  const Result<wire::Url> url = collector_url(where);
  if (url.ok()) return Done{};
  return Error{ErrorCode::kInvalidInput, "--otlp " + where + ": " + url.error().message};
}

TraceExport::TraceExport(Host& host, const std::string& where)
    : host_(host), http_(host.world().loop(), host.world().network()) {
  if (!where.empty() && !is_url(where)) {
    open_file(where);
  } else {
    const std::string endpoint = where.empty() ? otlp_endpoint("traces") : full_endpoint(where);
    if (!endpoint.empty()) open_collector(endpoint);
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

void TraceExport::open_collector(const std::string& endpoint) {
  Result<wire::Url> url = collector_url(endpoint);
  if (!url.ok()) {
    host_.tell_line(
        "note: nothing is traced: the endpoint that the variables of OpenTelemetry name is no URL "
        "of http or https");
    return;
  }
  collector_.emplace(host_.world().loop(), http_, std::move(url).value(), otlp_headers(host_));
  exporter_.emplace(host_.world().loop(), *collector_, trace::Resource{otlp_service(), kVersion},
                    [this](const std::string& line) { host_.tell_line("note: " + line); });
}

Task<void> TraceExport::flush() {
  if (exporter_) co_await exporter_->flush();
}

}  // namespace plumbline::cli
