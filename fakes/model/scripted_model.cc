#include "fakes/model/scripted_model.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/base/wait.h"
#include "core/model/conversation.h"
#include "core/model/tokens.h"
#include "fakes/peers/placeholders.h"

namespace plumbline::fakes {

namespace {

using model::Completion;
using model::Failure;
using model::FailureKind;
using model::FinishReason;
using model::Message;
using model::Prompt;
using model::Role;
using model::ToolCall;

constexpr std::string_view kOrder = "call ";
constexpr std::string_view kIdStart = "call_";

// end_of_object returns where the JSON object that starts at `start` ends; npos: nowhere.
std::size_t end_of_object(std::string_view text, std::size_t start) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = start; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted && c == '\\') {
      ++at;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '{') {
      ++depth;
    } else if (!quoted && c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

// order_in finds `call NAME {ARGUMENTS}` in what a tool has said.
std::optional<ScriptedCall> order_in(std::string_view text) {
  for (std::size_t at = text.find(kOrder); at != text.npos; at = text.find(kOrder, at + 1)) {
    const std::size_t name = at + kOrder.size();
    const std::size_t space = text.find(' ', name);
    if (space == text.npos || space == name || text.substr(space + 1, 1) != "{") continue;
    const std::size_t end = end_of_object(text, space + 1);
    if (end == text.npos) continue;
    ScriptedCall call;
    call.name = text.substr(name, space - name);
    call.arguments_text = std::string(text.substr(space + 1, end - space - 1));
    return call;
  }
  return std::nullopt;
}

// order_in finds one in the results since the assistant's last message.
std::optional<ScriptedCall> order_in(const Prompt& prompt) {
  for (auto message = prompt.messages.rbegin(); message != prompt.messages.rend(); ++message) {
    if (message->role != Role::kTool) break;
    if (std::optional<ScriptedCall> order = order_in(message->text)) return order;
  }
  return std::nullopt;
}

// next_id returns the number of an id that no call of the conversation has.
std::int64_t next_id(const Prompt& prompt) {
  std::int64_t highest = 0;
  for (const Message& message : prompt.messages) {
    for (const ToolCall& call : message.tool_calls) {
      if (!call.id.starts_with(kIdStart)) continue;
      std::int64_t number = 0;
      std::from_chars(call.id.data() + kIdStart.size(), call.id.data() + call.id.size(), number);
      highest = std::max(highest, number);
    }
  }
  return highest + 1;
}

// placeholders_of returns what {{names}} of a turn stand for.
Json placeholders_of(const Prompt& prompt) {
  if (prompt.messages.empty()) return Json::object();
  const std::string& last = prompt.messages.back().text;
  const Result<Json> read = parse_json(last);
  Json fields = read.ok() && read.value().is_object() ? read.value() : Json::object();
  fields["last"] = last;
  return fields;
}

std::string repeated(const std::string& text, std::size_t bytes) {
  std::string all;
  all.reserve(bytes);
  while (all.size() < bytes) all.append(text, 0, bytes - all.size());
  return all;
}

Completion answer_of(const ModelTurn& turn, const Prompt& prompt) {
  const Json fields = placeholders_of(prompt);
  Completion answer;
  answer.message.role = Role::kAssistant;
  answer.message.text = fill_placeholders(turn.text, fields);
  if (turn.bytes > 0) answer.message.text = repeated(answer.message.text, turn.bytes);
  std::vector<ScriptedCall> calls = turn.calls;
  if (turn.obeys) calls.push_back(order_in(prompt).value_or(ScriptedCall()));
  std::int64_t id = next_id(prompt);
  for (ScriptedCall& call : calls) {
    fill_placeholders_in(call.arguments, fields);
    answer.message.tool_calls.push_back({std::string(kIdStart) + std::to_string(id++), call.name,
                                         call.arguments_text.value_or(dump_json(call.arguments))});
  }
  answer.finish =
      turn.finish.value_or(calls.empty() ? FinishReason::kStop : FinishReason::kToolCalls);
  answer.usage = turn.usage.value_or(model::Usage{.input_tokens = model::estimated_tokens(prompt),
                                                  .output_tokens = estimated_tokens(answer.message),
                                                  .estimated = !turn.tells_usage});
  return answer;
}

// next_piece returns the end of the word that begins at `at`, with the spaces behind it.
std::size_t next_piece(std::string_view text, std::size_t at) {
  const std::size_t space = std::min(text.find(' ', at), text.size());
  return std::min(text.find_first_not_of(' ', space), text.size());
}

}  // namespace

ScriptedModel::ScriptedModel(Loop& loop, const ModelScript& script)
    : loop_(loop), script_(script), taken_(script.turns.size()) {}

const ModelTurn* ScriptedModel::choose(const Prompt& prompt) {
  for (std::size_t i = 0; i < script_.turns.size(); ++i) {
    const ModelTurn& turn = script_.turns[i];
    if (turn.times && taken_[i] >= *turn.times) continue;
    const Message* const last = prompt.messages.empty() ? nullptr : &prompt.messages.back();
    if (turn.role && (last == nullptr || last->role != *turn.role)) continue;
    if (turn.when && (last == nullptr || last->text.find(*turn.when) == last->text.npos)) continue;
    if (turn.obeys && !order_in(prompt)) continue;
    ++taken_[i];
    return &turn;
  }
  return nullptr;
}

Task<model::Completed> ScriptedModel::complete(Prompt prompt, model::DeltaReader* reader,
                                               Instant deadline) {
  ++completions_;
  if (on_prompt_) on_prompt_(prompt);
  const Failure late{FailureKind::kUnavailable, "the model did not answer in time", {}};
  if (const std::optional<std::string> fault = model::fault_of(prompt.messages)) {
    co_await Sleep(loop_, loop_.now());
    co_return Failure{FailureKind::kInvalidRequest, "the conversation is not valid: " + *fault, {}};
  }
  if (script_.context_tokens && model::estimated_tokens(prompt) > *script_.context_tokens) {
    co_await Sleep(loop_, loop_.now());
    co_return Failure{
        FailureKind::kTooLong,
        "the prompt has more than " + std::to_string(*script_.context_tokens) + " tokens",
        {}};
  }
  const ModelTurn* const turn = choose(prompt);
  const Instant first = after(loop_.now(), turn == nullptr ? Duration{} : turn->latency);
  co_await Sleep(loop_, std::min(first, deadline));
  if (first > deadline) co_return late;
  if (turn == nullptr) {
    co_return Failure{FailureKind::kInvalidRequest, "the script has no turn left for this", {}};
  }
  if (turn->fails) co_return *turn->fails;
  const Completion answer = answer_of(*turn, prompt);
  const std::string& text = answer.message.text;
  std::size_t pieces = 0;
  for (std::size_t at = 0; at < text.size(); ++pieces) {
    if (turn->cut_after && pieces == *turn->cut_after) break;
    if (turn->piece > Duration{}) {
      const Instant due = after(loop_.now(), turn->piece);
      co_await Sleep(loop_, std::min(due, deadline));
      if (due > deadline) co_return late;
    }
    const std::size_t end = next_piece(text, at);
    if (reader != nullptr) reader->on_text(std::string_view(text).substr(at, end - at));
    at = end;
  }
  if (turn->cut_after) co_return Failure{FailureKind::kUnavailable, "the answer was cut", {}};
  if (turn->garbage) co_return Failure{FailureKind::kUnreadable, "the answer is not readable", {}};
  for (const ToolCall& call : answer.message.tool_calls) {
    if (reader != nullptr) reader->on_tool_call(call);
  }
  co_return answer;
}

}  // namespace plumbline::fakes
