#include "core/metrics/otlp_metrics.h"

#include <utility>

namespace plumbline::metrics {

namespace {

constexpr int kCumulative = 2;  // AGGREGATION_TEMPORALITY_CUMULATIVE.
constexpr Duration kTimeout = std::chrono::seconds(10);
constexpr std::size_t kAnswerBytesMax = 64 << 10;

Json attributes_of(const Attributes& attributes) {
  Json out = Json::array();
  for (const auto& [name, value] : attributes) {
    Json one = Json::object();
    one["key"] = name;
    if (name == kOverflow) {
      one["value"]["boolValue"] = true;
    } else {
      one["value"]["stringValue"] = value;
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::string nanoseconds(Duration since_1970) { return std::to_string(since_1970.count()); }

// point_of begins a data point. Only what is cumulative has a beginning.
Json point_of(const Attributes& attributes, const std::string& start, const std::string& now) {
  Json point = Json::object();
  point["attributes"] = attributes_of(attributes);
  if (!start.empty()) point["startTimeUnixNano"] = start;
  point["timeUnixNano"] = now;
  return point;
}

void fill(Json& point, const Histogram& histogram) {
  point["count"] = std::to_string(histogram.count());
  point["sum"] = histogram.sum();
  point["bucketCounts"] = Json::array();
  for (const std::int64_t count : histogram.counts()) {
    point["bucketCounts"].push_back(std::to_string(count));
  }
  point["explicitBounds"] = histogram.bounds();
  if (histogram.count() == 0) return;
  point["min"] = histogram.min();
  point["max"] = histogram.max();
}

Json metric_of(const Family& family, const std::string& start, const std::string& now) {
  Json out = Json::object();
  out["name"] = family.about.name;
  out["description"] = family.about.what;
  out["unit"] = family.about.unit;
  Json points = Json::array();
  for (const auto& [attributes, counter] : family.counters) {
    Json point = point_of(attributes, start, now);
    point["asInt"] = std::to_string(counter.value());
    points.push_back(std::move(point));
  }
  for (const auto& [attributes, gauge] : family.gauges) {
    Json point = point_of(attributes, "", now);
    point["asDouble"] = gauge.value();
    points.push_back(std::move(point));
  }
  for (const auto& [attributes, histogram] : family.histograms) {
    Json point = point_of(attributes, start, now);
    fill(point, histogram);
    points.push_back(std::move(point));
  }
  const bool counts = family.kind == Family::Kind::kCounter;
  const bool gauges = family.kind == Family::Kind::kGauge;
  Json& data = out[counts ? "sum" : gauges ? "gauge" : "histogram"];
  data["dataPoints"] = std::move(points);
  if (!gauges) data["aggregationTemporality"] = kCumulative;
  if (counts) data["isMonotonic"] = true;
  return out;
}

}  // namespace

Json otlp_metrics(Metrics& metrics, const Resource& resource, Duration start, Duration now) {
  Attributes whose = resource.attributes;
  whose["service.name"] = resource.service_name;
  if (!resource.service_version.empty()) whose["service.version"] = resource.service_version;
  Json scope = Json::object();
  scope["scope"]["name"] = "plumbline";
  scope["metrics"] = Json::array();
  for (const auto& [unused, family] : metrics.families()) {
    scope["metrics"].push_back(metric_of(family, nanoseconds(start), nanoseconds(now)));
  }
  Json of_resource = Json::object();
  of_resource["resource"]["attributes"] = attributes_of(whose);
  of_resource["scopeMetrics"] = Json::array({std::move(scope)});
  Json out = Json::object();
  out["resourceMetrics"] = Json::array({std::move(of_resource)});
  return out;
}

OtlpExporter::OtlpExporter(Loop& loop, net::HttpClient& http, const WallClock& clock,
                           Metrics& metrics, Resource resource, wire::Url endpoint,
                           wire::HttpHeaders headers, OnTrouble on_trouble)
    : loop_(loop),
      http_(http),
      clock_(clock),
      metrics_(metrics),
      resource_(std::move(resource)),
      endpoint_(std::move(endpoint)),
      headers_(std::move(headers)),
      on_trouble_(std::move(on_trouble)),
      began_(clock.since_1970()),
      due_([this] {
        loop_.arm(due_, after(loop_.now(), interval_));
        if (!sending_.done()) return;  // The collector is slow; the next time has it all.
        sending_ = send_on_time();
        sending_.start();
      }) {}

void OtlpExporter::start(Duration interval) {
  interval_ = interval;
  loop_.arm(due_, after(loop_.now(), interval));
}

Task<Status> OtlpExporter::flush() {
  wire::HttpRequest request;
  request.method = "POST";
  request.headers = headers_;
  request.headers.set("Content-Type", "application/json");
  request.body = dump_json(otlp_metrics(metrics_, resource_, began_, clock_.since_1970()));
  wire::Url to = endpoint_;
  const Instant deadline = after(loop_.now(), kTimeout);
  const Result<wire::HttpResponse> answer =
      co_await net::fetch(http_, std::move(to), std::move(request), deadline, kAnswerBytesMax);
  if (!answer.ok()) co_return answer.error();
  const int status = answer.value().status;
  if (status >= 200 && status < 300) co_return Done{};
  co_return Error{ErrorCode::kUnsupported,
                  "the collector answers with status " + std::to_string(status)};
}

Task<void> OtlpExporter::send_on_time() {
  const Status sent = co_await flush();
  const bool was_in_trouble = std::exchange(in_trouble_, !sent.ok());
  if (!sent.ok() && !was_in_trouble && on_trouble_) {
    on_trouble_("metrics cannot be sent to " + endpoint_.origin() + ": " + sent.error().message);
  }
}

}  // namespace plumbline::metrics
