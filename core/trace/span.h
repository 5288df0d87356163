// Span is one piece of work of a trace: what was done, from when to when, for whom, and how it
// ended. Names and attributes are as OpenTelemetry's conventions have them.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/time.h"

namespace plumbline::trace {

// SpanContext is where a span stands, for those who work for it.
struct SpanContext {
  std::string trace_id{};  // 32 hexadecimal digits in lower case.
  std::string span_id{};   // 16 of them.
  bool sampled = true;     // false: it is carried on, but nobody is told of it.

  bool operator==(const SpanContext&) const = default;
};

// traceparent returns it as "00-TRACE-SPAN-FLAGS".
//
// W3C Trace Context, traceparent; Spec 2026-07-28, basic/index, _meta (traceparent).
std::string traceparent(const SpanContext& context);

// read_traceparent returns what such a text says. Nothing: it is none, or its ids are all zeros. Of
// a version that is not known its beginning is read, as W3C Trace Context has it.
std::optional<SpanContext> read_traceparent(std::string_view text);

// SpanKind says on which side of a call a span stands. The numbers are those of OTLP.
enum class SpanKind { kInternal = 1, kServer = 2, kClient = 3 };

using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

struct Span {
  SpanContext context{};
  std::string parent_id{};  // Empty: it is the first of its trace.
  std::string name{};
  SpanKind kind = SpanKind::kInternal;
  Duration start{};  // Since 1970.
  Duration end{};    // Never before its start.
  std::map<std::string, Value> attributes{};
  std::optional<std::string> error{};  // Why it failed; nothing: it did not.
};

// SpanSink gets spans when they have ended: inner ones before those around them.
class SpanSink {
 public:
  virtual void on_span(Span span) = 0;

 protected:
  ~SpanSink() = default;
};

}  // namespace plumbline::trace
