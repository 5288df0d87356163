#include "core/trace/otlp_traces.h"

#include <utility>

namespace plumbline::trace {

namespace {

constexpr int kStatusError = 2;  // STATUS_CODE_ERROR.
constexpr unsigned kFlagSampled = 1;

// any_value writes one as AnyValue.
struct any_value {
  Json operator()(bool value) const { return {{"boolValue", value}}; }
  Json operator()(std::int64_t value) const { return {{"intValue", std::to_string(value)}}; }
  Json operator()(double value) const { return {{"doubleValue", value}}; }
  Json operator()(const std::string& value) const { return {{"stringValue", value}}; }
  Json operator()(const std::vector<std::string>& values) const {
    Json all = Json::array();
    for (const std::string& value : values) all.push_back((*this)(value));
    Json out = Json::object();
    out["arrayValue"]["values"] = std::move(all);
    return out;
  }
};

Json attribute(const std::string& name, const Value& value) {
  return {{"key", name}, {"value", std::visit(any_value{}, value)}};
}

Json span_json(const Span& span) {
  Json out = {{"traceId", span.context.trace_id},
              {"spanId", span.context.span_id},
              {"name", span.name},
              {"kind", static_cast<int>(span.kind)},
              {"flags", kFlagSampled},
              {"startTimeUnixNano", std::to_string(span.start.count())},
              {"endTimeUnixNano", std::to_string(span.end.count())},
              {"attributes", Json::array()},
              {"status", Json::object()}};
  if (!span.parent_id.empty()) out["parentSpanId"] = span.parent_id;
  for (const auto& [name, value] : span.attributes) {
    out["attributes"].push_back(attribute(name, value));
  }
  if (span.error) out["status"] = {{"code", kStatusError}, {"message", *span.error}};
  return out;
}

}  // namespace

Json otlp_traces(std::span<const Span> spans, const Resource& resource) {
  Json scope = Json::object();
  scope["scope"]["name"] = "plumbline";
  scope["scope"]["version"] = resource.service_version;
  scope["spans"] = Json::array();
  for (const Span& span : spans) scope["spans"].push_back(span_json(span));
  Json whose = Json::array({attribute("service.name", resource.service_name)});
  if (!resource.service_version.empty()) {
    whose.push_back(attribute("service.version", resource.service_version));
  }
  Json of_resource = Json::object();
  of_resource["resource"]["attributes"] = std::move(whose);
  of_resource["scopeSpans"] = Json::array({std::move(scope)});
  Json out = Json::object();
  out["resourceSpans"] = Json::array({std::move(of_resource)});
  return out;
}

}  // namespace plumbline::trace
