#include "core/model/tracing/traced_model.h"

#include <vector>

namespace plumbline::model {

namespace {

// These words are the attributes' own.
std::string finish_word(FinishReason reason) {
  switch (reason) {
    case FinishReason::kStop:
      return "stop";
    case FinishReason::kToolCalls:
      return "tool_calls";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kRefusal:
      return "content_filter";
  }
  return "_OTHER";
}

std::string error_word(FailureKind kind) {
  switch (kind) {
    case FailureKind::kAuthentication:
      return "authentication";
    case FailureKind::kRateLimit:
      return "rate_limit";
    case FailureKind::kTooLong:
      return "too_long";
    case FailureKind::kInvalidRequest:
      return "invalid_request";
    case FailureKind::kUnavailable:
      return "unavailable";
    case FailureKind::kUnreadable:
      return "unreadable";
  }
  return "_OTHER";
}

void tell_settings(const Settings& settings, trace::OpenSpan& span) {
  if (settings.temperature) span.set("gen_ai.request.temperature", *settings.temperature);
  if (settings.output_tokens_max) {
    span.set("gen_ai.request.max_tokens", *settings.output_tokens_max);
  }
}

void tell_completed(const Completed& done, trace::OpenSpan& span) {
  if (const auto* const failure = std::get_if<Failure>(&done)) {
    if (failure->status != 0) {
      span.set("http.response.status_code", std::int64_t{failure->status});
    }
    return span.fail(error_word(failure->kind), failure->message);
  }
  const auto& completion = std::get<Completion>(done);
  span.set("gen_ai.response.finish_reasons",
           std::vector<std::string>{finish_word(completion.finish)});
  if (completion.usage.estimated) return;
  span.set("gen_ai.usage.input_tokens", completion.usage.input_tokens);
  span.set("gen_ai.usage.output_tokens", completion.usage.output_tokens);
}

}  // namespace

Task<Completed> TracedModel::complete(Prompt prompt, DeltaReader* reader, Instant deadline) {
  const std::string model(inner_.name());
  trace::OpenSpan span(tracer_, "chat " + model, trace::SpanKind::kClient, prompt.traceparent);
  span.set("gen_ai.operation.name", std::string("chat"));
  span.set("gen_ai.provider.name", provider_);
  span.set("gen_ai.request.model", model);
  tell_settings(prompt.settings, span);
  prompt.traceparent = span.traceparent();
  Completed done = co_await inner_.complete(std::move(prompt), reader, deadline);
  tell_completed(done, span);
  co_return done;
}

}  // namespace plumbline::model
