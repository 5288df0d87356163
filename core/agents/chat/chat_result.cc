#include "core/agents/chat/chat_result.h"

#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/connector/result_parts.h"

namespace plumbline::agents::chat {

namespace {

// AnswerBuilder puts the blocks of one result together.
class AnswerBuilder {
 public:
  AnswerBuilder(model::Message& answer, const ChatLimits& limits)
      : answer_(answer), limits_(limits) {}

  void take(connector::ResultPart part) {
    if (part.kind == connector::ResultPart::Kind::kText) return say(part.text);
    if (part.kind == connector::ResultPart::Kind::kMedia) return show(std::move(part));
    say("[" + part.text + "]");
  }

  void say(std::string_view text) {
    if (!answer_.text.empty()) answer_.text += '\n';
    answer_.text += text;
  }

 private:
  void show(connector::ResultPart part) {
    bytes_ += part.data_base64.size();
    if (bytes_ > limits_.media_bytes_max) return say("[" + part.text + " left out: too large]");
    answer_.media.push_back({std::move(part.mime_type), std::move(part.data_base64)});
  }

  model::Message& answer_;
  const ChatLimits& limits_;
  std::size_t bytes_ = 0;
};

}  // namespace

model::Message answer_to(std::string call_id, std::string text, bool is_error) {
  model::Message out;
  out.role = model::Role::kTool;
  out.text = std::move(text);
  out.tool_call_id = std::move(call_id);
  out.is_error = is_error;
  return out;
}

model::Message answer_of(std::string call_id, const Json& result, const ChatLimits& limits) {
  model::Message answer = answer_to(std::move(call_id), "", bool_or(result, "isError", false));
  AnswerBuilder builder(answer, limits);
  for (connector::ResultPart& part : connector::parts_of(result)) builder.take(std::move(part));
  const Json structure = connector::unsaid_structure(result);
  if (!structure.is_null()) builder.say(dump_json(structure));
  answer.text = clipped(answer.text, static_cast<std::size_t>(limits.result_bytes_max));
  return answer;
}

}  // namespace plumbline::agents::chat
