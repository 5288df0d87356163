#include "cli/telemetry/otlp_collector.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/base/text.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

constexpr const char* kTracesPath = "/v1/traces";

bool is_header_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const char low = lower_case(c);
    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

// is_for_another returns whether the variables are about another collector than `where`.
bool is_for_another(const std::string& where) {
  const std::string named = os::environment_variable("OTEL_EXPORTER_OTLP_ENDPOINT").value_or("");
  if (named.empty()) return false;
  const Result<wire::Url> theirs = collector_url(named);
  const Result<wire::Url> ours = collector_url(where);
  return !theirs.ok() || !ours.ok() || theirs.value().origin() != ours.value().origin();
}

}  // namespace

void add_otlp(CLI::App& app, std::string& where) {
  app.add_option("--otlp", where,
                 "Write OpenTelemetry traces to this file or collector (default: none are sent)")
      ->type_name("FILE|URL");
}

Status check_otlp(const std::string& where) {
  if (!is_collector(where)) return Done{};
  const Result<wire::Url> url = collector_url(where);
  if (url.ok()) return Done{};
  return the_error("traces.where", where, url.error().message);
}

bool is_collector(const std::string& where) { return where.find("://") != std::string::npos; }

std::string otlp_endpoint(const std::string& where, const std::string& signal) {
  if (!is_collector(where)) return "";
  if (where.ends_with(kTracesPath)) return signal == "traces" ? where : "";
  std::string all = where;
  while (all.ends_with('/')) all.pop_back();
  return all + "/v1/" + signal;
}

Result<wire::Url> collector_url(const std::string& endpoint) {
  Result<wire::Url> url = wire::parse_url(endpoint);
  if (url.ok() && !url.value().scheme.starts_with("ws")) return url;
  return the_error("traces.url");
}

wire::HttpHeaders otlp_headers(Host& host, const std::string& where) {
  wire::HttpHeaders headers;
  const std::string all = os::environment_variable("OTEL_EXPORTER_OTLP_HEADERS").value_or("");
  if (is_for_another(where)) return headers;
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string name(trimmed(one.substr(0, equals)));
    std::string value(trimmed(one.substr(equals + 1)));
    if (!is_header_name(name) || !wire::is_header_value(value)) continue;
    host.secrets().add(value);
    headers.set(name, std::move(value));
  }
  return headers;
}

std::string otlp_service() {
  return os::environment_variable("OTEL_SERVICE_NAME").value_or("plumbline");
}

}  // namespace plumbline::cli
