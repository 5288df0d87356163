#include "core/model/providers/ollama.h"

#include <array>
#include <map>
#include <utility>

#include "core/json/quick_text.h"
#include "core/model/providers/refusal.h"
#include "core/model/providers/request_parts.h"

namespace plumbline::model {

namespace {

// OllamaMessages writes the conversation. Results of tools go by the name of the tool.
class OllamaMessages {
 public:
  void add(const Message& message) {
    static constexpr const char* kRoles[] = {"system", "user", "assistant", "tool"};
    Json out = {{"role", kRoles[static_cast<int>(message.role)]}, {"content", message.text}};
    for (const Media& media : message.media) out["images"].push_back(media.data_base64);
    for (const ToolCall& call : message.tool_calls) {
      tools_[call.id] = call.name;
      Json function = {{"name", call.name}};
      function["arguments"] = arguments_as_object(call.arguments);
      out["tool_calls"].push_back({{"function", std::move(function)}});
    }
    if (message.role == Role::kTool) out["tool_name"] = tools_[message.tool_call_id];
    out_.push_back(std::move(out));
  }

  Json take() { return std::move(out_); }

 private:
  std::map<std::string, std::string> tools_;  // Their names, by the ids of calls.
  Json out_ = Json::array();
};

// A piece of text, as nearly all lines are.
constexpr std::array kOllamaMessage = {
    TextShape{.name = "content", .kind = TextShape::Kind::kText, .required = true},
    TextShape{.name = "tool_calls", .kind = TextShape::Kind::kToken, .token = "null"}};
constexpr std::array kOllamaLine = {
    TextShape{.name = "message",
              .kind = TextShape::Kind::kObject,
              .required = true,
              .members = kOllamaMessage},
    TextShape{.name = "done", .kind = TextShape::Kind::kToken, .token = "false"},
    TextShape{.name = "error", .kind = TextShape::Kind::kToken, .token = ""}};  // None at all.

class OllamaAnswerReader final : public AnswerReader {
 public:
  explicit OllamaAnswerReader(AnswerBuilder& answer) : answer_(answer) {}

  // implements AnswerReader ---
  bool on_event(std::string_view data) override {
    if (quick_text(data, kOllamaLine, text_)) {
      answer_.text(text_);
      return false;
    }
    const Result<Json> line = parse_json(data);
    if (!line.ok()) {
      answer_.fail(unreadable("a line of the answer is no JSON: " + line.error().message));
      return false;
    }
    return read(line.value());
  }

  void on_whole(const Json& body) override {
    if (!read(body) && !answer_.failed()) {
      answer_.fail(unreadable("the answer is not \"done\""));
    }
  }

 private:
  // read returns whether the answer is over.
  bool read(const Json& line) {
    if (const Json* const error = find(line, "error")) {
      answer_.fail(failure_of_error(*error));
      return false;
    }
    const Json* const message = find(line, "message");
    if (message != nullptr) {
      answer_.text(string_or(*message, "content", ""));
      const Json* const calls = find(*message, "tool_calls");
      if (calls != nullptr && calls->is_array()) {
        for (const Json& call : *calls) read_call(call);
      }
    }
    if (!bool_or(line, "done", false)) return false;
    if (const auto tokens = find_int(line, "prompt_eval_count")) answer_.input_tokens(*tokens);
    if (const auto tokens = find_int(line, "eval_count")) answer_.output_tokens(*tokens);
    const bool length = string_or(line, "done_reason", "") == "length";
    answer_.finish(length ? FinishReason::kLength : FinishReason::kStop);
    return true;
  }

  // read_call takes a call, which comes whole.
  void read_call(const Json& call) {
    const Json* const function = find(call, "function");
    if (function == nullptr) return answer_.fail(unreadable("a call without a function"));
    const std::int64_t place = calls_++;
    answer_.call_begins(place, string_or(call, "id", ""), string_or(*function, "name", ""));
    if (const Json* const arguments = find(*function, "arguments")) {
      answer_.call_arguments(place, dump_json(*arguments));
    }
    answer_.call_ends(place);
  }

  AnswerBuilder& answer_;
  std::int64_t calls_ = 0;
  std::string text_;  // Of the line at hand.
};

}  // namespace

bool Ollama::takes(std::string_view mime_type) const { return is_image(mime_type); }

Asking Ollama::ask(const Prompt& prompt, std::string_view model, const Account& account) const {
  Asking asking{.path = "/api/chat"};
  if (!account.key.empty()) asking.headers.set("Authorization", "Bearer " + account.key);
  OllamaMessages messages;
  for (const Message& message : prompt.messages) messages.add(message);
  Json& body = asking.body;
  body = {{"model", model}, {"stream", true}};
  body["messages"] = messages.take();
  if (!prompt.tools.empty()) body["tools"] = function_tools_of(prompt);
  const Settings& settings = prompt.settings;
  if (settings.response_schema) body["format"] = *settings.response_schema;
  if (settings.thinks) body["think"] = true;
  if (settings.temperature) body["options"]["temperature"] = *settings.temperature;
  if (settings.output_tokens_max) body["options"]["num_predict"] = *settings.output_tokens_max;
  if (account.window_tokens > 0) body["options"]["num_ctx"] = account.window_tokens;
  return asking;
}

std::unique_ptr<AnswerReader> Ollama::read(AnswerBuilder& answer) const {
  return std::make_unique<OllamaAnswerReader>(answer);
}

}  // namespace plumbline::model
