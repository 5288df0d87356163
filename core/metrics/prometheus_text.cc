#include "core/metrics/prometheus_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace plumbline::metrics {

namespace {

constexpr int kMethodNotAllowed = 405;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// name_of makes a name of letters, digits and underscores that begins with no digit.
std::string name_of(std::string_view text) {
  std::string name;
  if (text.empty() || is_digit(text.front())) name += '_';
  for (const char c : text) name += is_letter(c) || is_digit(c) ? c : '_';
  return name;
}

std::string_view suffix_of(std::string_view unit) {
  if (unit == "s") return "_seconds";
  if (unit == "ms") return "_milliseconds";
  return unit == "By" ? "_bytes" : "";
}

std::string metric_name(const Family& family) {
  std::string name = name_of(family.about.name);
  const std::string_view unit = suffix_of(family.about.unit);
  if (!name.ends_with(unit)) name += unit;
  const bool counts = family.kind == Family::Kind::kCounter;
  if (counts && !name.ends_with("_total")) name += "_total";
  return name;
}

// escaped returns `text` as it stands in a line; quotation marks are only of labels.
std::string escaped(std::string_view text, bool label) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || (label && c == '"')) out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

// labels_of writes {a="b",le="1"}; nothing where there are none.
std::string labels_of(const Attributes& attributes, std::string_view le = "") {
  std::map<std::string, std::string> labels;
  for (const auto& [name, value] : attributes) {
    const auto [at, added] = labels.try_emplace(name_of(name), value);
    if (!added) at->second += ";" + value;
  }
  if (!le.empty()) labels["le"] = le;
  std::string out;
  for (const auto& [name, value] : labels) {
    out += out.empty() ? "{" : ",";
    out += name + "=\"" + escaped(value, true) + '"';
  }
  return out.empty() ? out : out + '}';
}

void write_histogram(const std::string& name, const Attributes& attributes,
                     const Histogram& histogram, std::string& out) {
  std::int64_t so_far = 0;
  for (std::size_t i = 0; i < histogram.counts().size(); ++i) {
    so_far += histogram.counts()[i];
    const bool last = i == histogram.bounds().size();
    const std::string le = last ? "+Inf" : number(histogram.bounds()[i]);
    out += name + "_bucket" + labels_of(attributes, le) + ' ' + std::to_string(so_far) + '\n';
  }
  out += name + "_sum" + labels_of(attributes) + ' ' + number(histogram.sum()) + '\n';
  out += name + "_count" + labels_of(attributes) + ' ' + std::to_string(histogram.count()) + '\n';
}

std::string_view type_of(Family::Kind kind) {
  if (kind == Family::Kind::kCounter) return "counter";
  return kind == Family::Kind::kGauge ? "gauge" : "histogram";
}

}  // namespace

std::string prometheus_text(Metrics& metrics) {
  std::string out;
  for (const auto& [unused, family] : metrics.families()) {
    const std::string name = metric_name(family);
    out += "# HELP " + name + ' ' + escaped(family.about.what, false) + '\n';
    out += "# TYPE " + name + ' ' + std::string(type_of(family.kind)) + '\n';
    for (const auto& [attributes, counter] : family.counters) {
      out += name + labels_of(attributes) + ' ' + std::to_string(counter.value()) + '\n';
    }
    for (const auto& [attributes, gauge] : family.gauges) {
      out += name + labels_of(attributes) + ' ' + number(gauge.value()) + '\n';
    }
    for (const auto& [attributes, histogram] : family.histograms) {
      write_histogram(name, attributes, histogram, out);
    }
  }
  return out;
}

void tell_guests(Metrics& metrics, const Guests* guests) {
  if (guests == nullptr) return;
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<plumbline::Resource>(i);
    const Attributes of = {{"resource", std::string(name_of(resource))}};
    metrics.gauge({"plumbline.server.taken", "What callers have taken of the server", "1"}, of)
        .set(static_cast<double>(guests->taken(resource)));
    metrics
        .gauge({"plumbline.server.refusals", "How often a caller was refused because it was taken",
                "{refusal}"},
               of)
        .set(static_cast<double>(guests->refusals(resource)));
  }
}

void MetricsHandler::on_request(wire::HttpRequest request, net::HttpReply reply) {
  wire::HttpResponse response{200, {}, ""};
  if (request.method != "GET" && request.method != "HEAD") {
    response.status = kMethodNotAllowed;
    response.headers.set("Allow", "GET, HEAD");
    return reply.respond(std::move(response));
  }
  response.headers.set("Content-Type", kPrometheusType);
  tell_guests(metrics_, reply.guests());
  response.body = prometheus_text(metrics_);
  reply.respond(std::move(response));
}

}  // namespace plumbline::metrics
