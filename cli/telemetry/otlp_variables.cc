#include "cli/telemetry/otlp_variables.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

bool is_header_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const char low = lower_case(c);
    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

}  // namespace

std::string otlp_endpoint(const std::string& signal) {
  std::string variable = "OTEL_EXPORTER_OTLP_";
  for (const char c : signal) variable += static_cast<char>(c - 'a' + 'A');
  const auto own = os::environment_variable((variable + "_ENDPOINT").c_str());
  if (own && !own->empty()) return *own;
  std::string all = os::environment_variable("OTEL_EXPORTER_OTLP_ENDPOINT").value_or("");
  if (all.empty()) return all;
  while (all.ends_with('/')) all.pop_back();
  return all + "/v1/" + signal;
}

wire::HttpHeaders otlp_headers(Host& host) {
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
