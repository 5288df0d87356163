// The collector that --otlp names. Variables of OpenTelemetry refine what is sent there; none of
// them makes anything be sent: they are often set for another program.

#pragma once

#include <string>

#include <CLI/App.hpp>

#include "cli/host.h"
#include "core/base/result.h"
#include "core/wire/http.h"
#include "core/wire/url.h"

namespace plumbline::cli {

// add_otlp declares --otlp; check_otlp returns what is wrong with its value, where anything is.
void add_otlp(CLI::App& app, std::string& where);
Status check_otlp(const std::string& where);

// is_collector returns whether `where` is a URL, and not a file.
bool is_collector(const std::string& where);

// otlp_endpoint returns where `signal` ("metrics", "traces") goes at the collector `where`:
// /v1/SIGNAL is put behind its URL. One that ends in /v1/traces takes traces alone. Empty: nowhere.
std::string otlp_endpoint(const std::string& where, const std::string& signal);

// collector_url reads an endpoint. kInvalidInput: it is no URL of http or https.
Result<wire::Url> collector_url(const std::string& endpoint);

// otlp_headers returns those of OTEL_EXPORTER_OTLP_HEADERS, "name=value,name=value", that may be
// shown to the collector `where`: none when OTEL_EXPORTER_OTLP_ENDPOINT names another one, whose
// keys they are. What is no header is left out. The values become secrets of `host`.
wire::HttpHeaders otlp_headers(Host& host, const std::string& where);

// otlp_service returns OTEL_SERVICE_NAME, or "plumbline".
std::string otlp_service();

}  // namespace plumbline::cli
