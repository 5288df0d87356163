#include "core/trace/span.h"

#include <algorithm>

#include "core/base/percent.h"

namespace plumbline::trace {

namespace {

constexpr std::size_t kTraceparentBytes = 55;
constexpr std::size_t kTraceAt = 3;
constexpr std::size_t kTraceDigits = 32;
constexpr std::size_t kSpanAt = 36;
constexpr std::size_t kSpanDigits = 16;
constexpr std::size_t kFlagsAt = 53;

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return hex_digit(c) >= 0 && (c < 'A' || c > 'F'); });
}

bool is_id(std::string_view text) {
  return is_hex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace

std::string traceparent(const SpanContext& context) {
  return "00-" + context.trace_id + "-" + context.span_id + (context.sampled ? "-01" : "-00");
}

std::optional<SpanContext> read_traceparent(std::string_view text) {
  if (text.size() < kTraceparentBytes) return std::nullopt;
  const std::string_view version = text.substr(0, 2);
  if (!is_hex(version) || version == "ff") return std::nullopt;
  const std::string_view rest = text.substr(kTraceparentBytes);
  if (version == "00" ? !rest.empty() : !rest.empty() && rest.front() != '-') return std::nullopt;
  for (const std::size_t dash : {kTraceAt - 1, kSpanAt - 1, kFlagsAt - 1}) {
    if (text[dash] != '-') return std::nullopt;
  }
  const std::string_view trace = text.substr(kTraceAt, kTraceDigits);
  const std::string_view span = text.substr(kSpanAt, kSpanDigits);
  const std::string_view flags = text.substr(kFlagsAt, 2);
  if (!is_id(trace) || !is_id(span) || !is_hex(flags)) return std::nullopt;
  const bool sampled = (static_cast<unsigned>(hex_digit(flags[1])) & 1U) != 0;
  return SpanContext{std::string(trace), std::string(span), sampled};
}

}  // namespace plumbline::trace
