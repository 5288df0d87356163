#include "core/trace/tracer.h"

#include <optional>

#include "core/base/percent.h"
#include "core/base/text.h"

namespace plumbline::trace {

namespace {

constexpr std::size_t kTraceIdBytes = 16;
constexpr std::size_t kSpanIdBytes = 8;

// id_of returns an id; never the one that means that there is none.
std::string id_of(const RandomBytes& random, std::size_t count) {
  std::string bytes = random(count);
  if (bytes.find_first_not_of('\0') == std::string::npos) bytes.assign(count, '\1');
  return hex_of(bytes);
}

}  // namespace

Tracer::Tracer(const Loop& loop, Duration since_1970, RandomBytes random, const Redactor& redactor,
               SpanSink& sink)
    : loop_(loop),
      began_(loop.now()),
      origin_(since_1970),
      random_(std::move(random)),
      redactor_(redactor),
      sink_(sink) {}

OpenSpan::OpenSpan(Tracer* tracer, std::string name, SpanKind kind, const std::string& parent)
    : tracer_(tracer), parent_(parent) {
  if (tracer_ == nullptr) return;
  const std::optional<SpanContext> around = read_traceparent(parent);
  if (around) {
    span_.context = *around;
    span_.parent_id = around->span_id;
  } else {
    span_.context.trace_id = id_of(tracer_->random_, kTraceIdBytes);
  }
  span_.context.span_id = id_of(tracer_->random_, kSpanIdBytes);
  span_.name = shown(std::move(name));
  span_.kind = kind;
  span_.start = tracer_->now();
}

OpenSpan& OpenSpan::operator=(OpenSpan&& other) noexcept {
  if (this == &other) return *this;
  end();
  tracer_ = std::exchange(other.tracer_, nullptr);
  span_ = std::move(other.span_);
  parent_ = std::move(other.parent_);
  return *this;
}

std::string OpenSpan::shown(std::string text) const {
  return clipped(tracer_->redactor_.redact(std::move(text)), kAttributeBytesMax);
}

void OpenSpan::set(const std::string& name, Value value) {
  if (tracer_ == nullptr) return;
  if (span_.attributes.size() >= kAttributesMax && !span_.attributes.contains(name)) return;
  if (auto* const text = std::get_if<std::string>(&value)) *text = shown(std::move(*text));
  if (auto* const texts = std::get_if<std::vector<std::string>>(&value)) {
    for (std::string& text : *texts) text = shown(std::move(text));
  }
  span_.attributes.insert_or_assign(name, std::move(value));
}

void OpenSpan::fail(const std::string& type, std::string why) {
  if (tracer_ == nullptr) return;
  set("error.type", type);
  span_.error = shown(std::move(why));
}

void OpenSpan::end() {
  Tracer* const tracer = std::exchange(tracer_, nullptr);
  if (tracer == nullptr || !span_.context.sampled) return;
  span_.end = tracer->now();
  tracer->sink_.on_span(std::move(span_));
}

}  // namespace plumbline::trace
