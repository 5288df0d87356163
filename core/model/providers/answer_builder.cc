#include "core/model/providers/answer_builder.h"

#include <utility>

#include "core/model/tokens.h"

namespace plumbline::model {

AnswerBuilder::AnswerBuilder(const Prompt& prompt, DeltaReader* reader)
    : reader_(reader), prompt_tokens_(estimated_tokens(prompt)) {
  for (const Message& message : prompt.messages) {
    for (const ToolCall& call : message.tool_calls) ids_.insert(call.id);
  }
}

void AnswerBuilder::text(std::string_view piece) {
  if (piece.empty() || failed()) return;
  text_ += piece;
  if (reader_ != nullptr) reader_->on_text(piece);
}

void AnswerBuilder::call_begins(std::int64_t place, std::string_view id, std::string_view name) {
  calls_.push_back({place, std::string(id), true, {unused_id(id), std::string(name), {}}});
}

bool AnswerBuilder::call_arguments(std::int64_t place, std::string_view piece) {
  Call* const call = open_at(place);
  if (call == nullptr) return false;
  call->call.arguments += piece;
  return true;
}

bool AnswerBuilder::call_ends(std::int64_t place) {
  Call* const call = open_at(place);
  if (call == nullptr) return false;
  end(*call);
  return true;
}

bool AnswerBuilder::has_call(std::int64_t place, std::string_view id) const {
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    if (call->open && call->place == place) return id.empty() || call->provider_id == id;
  }
  return false;
}

void AnswerBuilder::finish(FinishReason reason) {
  for (Call& call : calls_) {
    if (call.open) end(call);
  }
  // Some say "stop" all the same, and some say nothing else.
  const bool whole = reason == FinishReason::kStop || reason == FinishReason::kToolCalls;
  finish_ = !whole ? reason : calls_.empty() ? FinishReason::kStop : FinishReason::kToolCalls;
}

void AnswerBuilder::fail(Failure failure) {
  if (!failure_) failure_ = std::move(failure);
}

void AnswerBuilder::fail(FailureKind kind, std::string message) {
  fail(Failure{.kind = kind, .message = std::move(message)});
}

Completed AnswerBuilder::take() {
  if (failure_) return *std::move(failure_);
  if (!finish_) return Failure{.kind = FailureKind::kUnavailable, .message = "the answer was cut"};
  Completion whole;
  whole.message.role = Role::kAssistant;
  whole.message.text = std::move(text_);
  for (Call& call : calls_) whole.message.tool_calls.push_back(std::move(call.call));
  whole.finish = *finish_;
  whole.usage.estimated = !input_tokens_ || !output_tokens_;
  whole.usage.input_tokens = input_tokens_.value_or(prompt_tokens_);
  whole.usage.output_tokens = output_tokens_.value_or(estimated_tokens(whole.message));
  return whole;
}

AnswerBuilder::Call* AnswerBuilder::open_at(std::int64_t place) {
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    if (call->open && call->place == place) return &*call;
  }
  return nullptr;
}

void AnswerBuilder::end(Call& call) {
  call.open = false;
  if (call.call.name.empty()) return fail(FailureKind::kUnreadable, "a call of no tool by name");
  if (call.call.arguments.empty()) call.call.arguments = "{}";
  if (reader_ != nullptr && !failed()) reader_->on_tool_call(call.call);
}

std::string AnswerBuilder::unused_id(std::string_view proposed) {
  std::string id(proposed);
  for (std::size_t number = ids_.size() + 1; id.empty() || ids_.contains(id); ++number) {
    id = "call_" + std::to_string(number);
  }
  ids_.insert(id);
  return id;
}

}  // namespace plumbline::model
