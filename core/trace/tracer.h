// Tracer makes the spans of a program, and tells a sink of each that has ended.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/loop.h"
#include "core/base/random_bytes.h"
#include "core/json/redactor.h"
#include "core/trace/span.h"

namespace plumbline::trace {

// What a span keeps of one text, and how many attributes. More is clipped, or left out.
inline constexpr std::size_t kAttributeBytesMax = 4'096;
inline constexpr std::size_t kAttributesMax = 64;

class Tracer {
 public:
  // `since_1970` is what the time is for people now; from here on `loop` measures it. `random`
  // makes the ids: in simulation from the seed, so that a run has the same trace each time. All
  // must outlive the tracer and its spans; what `redactor` knows of secrets no span holds.
  Tracer(const Loop& loop, Duration since_1970, RandomBytes random, const Redactor& redactor,
         SpanSink& sink);

 private:
  friend class OpenSpan;

  Duration now() const { return origin_ + (loop_.now() - began_); }

  const Loop& loop_;
  Instant began_;
  Duration origin_;
  RandomBytes random_;
  const Redactor& redactor_;
  SpanSink& sink_;
};

// OpenSpan is work under way. It ends when it is destroyed, or before that by end().
class OpenSpan {
 public:
  OpenSpan() = default;  // Of nothing: what is said to it is forgotten.

  // Begins now. `parent` is the traceparent of the work that it belongs to; with one that cannot be
  // read, or an empty one, it begins a trace. `tracer` may be null: then nobody is told, and
  // traceparent() is that of the parent.
  OpenSpan(Tracer* tracer, std::string name, SpanKind kind, const std::string& parent);

  OpenSpan(OpenSpan&& other) noexcept
      : tracer_(std::exchange(other.tracer_, nullptr)),
        span_(std::move(other.span_)),
        parent_(std::move(other.parent_)) {}
  OpenSpan& operator=(OpenSpan&& other) noexcept;
  ~OpenSpan() { end(); }

  // set gives an attribute, in place of one of that name. Texts are redacted, then clipped.
  void set(const std::string& name, Value value);

  // fail says that it failed: `type` is "error.type", a word of few possible ones.
  void fail(const std::string& type, std::string why);

  // traceparent is what others are told who work for this span; empty: there is none.
  std::string traceparent() const {
    return tracer_ == nullptr ? parent_ : trace::traceparent(span_.context);
  }

  bool told() const { return tracer_ != nullptr; }
  void end();

 private:
  std::string shown(std::string text) const;

  Tracer* tracer_ = nullptr;
  Span span_;
  std::string parent_;
};

}  // namespace plumbline::trace
