#include "core/agents/chat/chat_result.h"

#include <optional>
#include <utility>

#include "core/base/text.h"

namespace plumbline::agents::chat {

namespace {

// AnswerBuilder puts the blocks of one result together.
class AnswerBuilder {
 public:
  AnswerBuilder(model::Message& answer, const ChatLimits& limits)
      : answer_(answer), limits_(limits) {}

  void take(const Json& block) {
    const std::string type = string_or(block, "type", "");
    if (type == "text") return say(string_or(block, "text", ""));
    if (type == "image" || type == "audio") return show(type, block);
    if (type == "resource_link") {
      return say("[resource " + string_or(block, "name", "") + ": " + string_or(block, "uri", "") +
                 "]");
    }
    if (type != "resource") return say("[content of the unknown type \"" + type + "\"]");
    const Json* const resource = find(block, "resource");
    const auto text = resource != nullptr ? find_string(*resource, "text") : std::nullopt;
    if (text) return say(*text);
    say("[a resource without text]");
  }

  void say(std::string_view text) {
    if (!answer_.text.empty()) answer_.text += '\n';
    answer_.text += text;
  }

 private:
  void show(const std::string& type, const Json& block) {
    model::Media media{string_or(block, "mimeType", ""), string_or(block, "data", "")};
    bytes_ += media.data_base64.size();
    if (bytes_ <= limits_.media_bytes_max) return answer_.media.push_back(std::move(media));
    say("[" + type + " left out: too large]");
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
  const Json* const content = find(result, "content");
  if (content != nullptr && content->is_array()) {
    for (const Json& block : *content) builder.take(block);
  }
  const Json* const structured = find(result, "structuredContent");
  if (answer.text.empty() && structured != nullptr) builder.say(dump_json(*structured));
  answer.text = clipped(answer.text, static_cast<std::size_t>(limits.result_bytes_max));
  return answer;
}

}  // namespace plumbline::agents::chat
