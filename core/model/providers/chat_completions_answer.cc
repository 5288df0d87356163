#include <array>
#include <utility>

#include "core/json/quick_text.h"
#include "core/model/providers/chat_completions.h"
#include "core/model/providers/refusal.h"

namespace plumbline::model {

namespace {

std::optional<FinishReason> chat_finish_of(std::string_view reason) {
  if (reason == "stop") return FinishReason::kStop;
  if (reason == "tool_calls" || reason == "function_call") return FinishReason::kToolCalls;
  if (reason == "length") return FinishReason::kLength;
  if (reason == "content_filter") return FinishReason::kRefusal;
  return std::nullopt;
}

// A chunk that has nothing but text in it, as nearly all have.
using Shape = TextShape;
constexpr std::array kChatDelta = {
    Shape{.name = "content", .kind = Shape::Kind::kText, .required = true},
    Shape{.name = "tool_calls", .kind = Shape::Kind::kToken, .token = "null"},
    Shape{.name = "refusal", .kind = Shape::Kind::kToken, .token = "null"}};
constexpr std::array kChatChoice = {
    Shape{.name = "index", .kind = Shape::Kind::kToken, .token = "0"},
    Shape{.name = "delta", .kind = Shape::Kind::kObject, .required = true, .members = kChatDelta},
    Shape{.name = "finish_reason", .kind = Shape::Kind::kToken, .token = "null"}};
constexpr std::array kChatChunk = {
    Shape{.name = "choices",
          .kind = Shape::Kind::kOnlyItem,
          .required = true,
          .members = kChatChoice},
    Shape{.name = "usage", .kind = Shape::Kind::kToken, .token = "null"},
    Shape{.name = "error", .kind = Shape::Kind::kToken, .token = "null"}};

class ChatAnswerReader final : public AnswerReader {
 public:
  explicit ChatAnswerReader(AnswerBuilder& answer) : answer_(answer) {}

  // implements AnswerReader ---
  bool on_event(std::string_view data) override {
    if (quick_text(data, kChatChunk, text_)) {
      answer_.text(text_);
      return false;
    }
    if (data == "[DONE]") return done();
    const Result<Json> chunk = parse_json(data);
    if (!chunk.ok()) {
      answer_.fail(unreadable("a chunk of the answer is no JSON: " + chunk.error().message));
    } else {
      read(chunk.value(), "delta");
    }
    return false;
  }

  void on_whole(const Json& body) override {
    read(body, "message");
    if (!answer_.finished() && !answer_.failed()) {
      answer_.fail(unreadable("the answer has no choices[0].finish_reason"));
    }
  }

 private:
  // done ends a stream that may have left out why.
  bool done() {
    if (!answer_.finished()) answer_.finish(FinishReason::kStop);
    return true;
  }

  // read takes a chunk or a whole answer, which are alike but for the name of what is in them.
  void read(const Json& chunk, const char* said) {
    if (!chunk.is_object()) {
      return answer_.fail(
          unreadable("the answer is " + std::string(type_name(chunk)) + ", expected an object"));
    }
    const Json* const error = find(chunk, "error");
    if (error != nullptr && !error->is_null()) return answer_.fail(failure_of_error(*error));
    read_usage(chunk);
    const Json* const choices = find(chunk, "choices");
    if (choices == nullptr || !choices->is_array()) return;
    for (const Json& choice : *choices) {
      if (int_or(choice, "index", 0) == 0) return read_choice(choice, said);
    }
  }

  void read_usage(const Json& chunk) {
    const Json* const usage = find(chunk, "usage");
    if (usage == nullptr || !usage->is_object()) return;
    if (const auto tokens = find_int(*usage, "prompt_tokens")) answer_.input_tokens(*tokens);
    if (const auto tokens = find_int(*usage, "completion_tokens")) answer_.output_tokens(*tokens);
  }

  void read_choice(const Json& choice, const char* said) {
    if (const Json* const delta = find(choice, said)) read_delta(*delta);
    const Json* const reason = find(choice, "finish_reason");
    if (reason == nullptr || reason->is_null() || answer_.finished()) return;
    const std::optional<FinishReason> known =
        reason->is_string() ? chat_finish_of(reason->get_ref<const std::string&>()) : std::nullopt;
    // A reason that is not known here ends the answer all the same.
    answer_.finish(refused_ ? FinishReason::kRefusal : known.value_or(FinishReason::kStop));
  }

  void read_delta(const Json& delta) {
    const Json* const content = find(delta, "content");
    if (content != nullptr && content->is_string()) {
      answer_.text(content->get_ref<const std::string&>());
    }
    const Json* const refusal = find(delta, "refusal");
    if (refusal != nullptr && refusal->is_string()) {
      refused_ = true;
      answer_.text(refusal->get_ref<const std::string&>());
    }
    const Json* const calls = find(delta, "tool_calls");
    if (calls == nullptr || !calls->is_array()) return;
    std::int64_t number = 0;
    for (const Json& call : *calls) read_call(call, number++);
  }

  // read_call takes a call, or a piece of one. Most providers number calls; some tell them apart by
  // nothing but a new id.
  void read_call(const Json& call, std::int64_t number) {
    const std::int64_t place = int_or(call, "index", number);
    const std::string id = string_or(call, "id", "");
    const Json* const function = find(call, "function");
    const std::string name = function == nullptr ? "" : string_or(*function, "name", "");
    if (!answer_.has_call(place, id)) {
      if (name.empty()) return answer_.fail(unreadable("a piece of a call that has not begun"));
      answer_.call_begins(place, id, name);
    }
    if (function == nullptr) return;
    const Json* const arguments = find(*function, "arguments");
    if (arguments == nullptr || arguments->is_null()) return;
    // An object is not what the interface says, but what is meant is plain.
    answer_.call_arguments(place, arguments->is_string() ? arguments->get_ref<const std::string&>()
                                                         : dump_json(*arguments));
  }

  AnswerBuilder& answer_;
  bool refused_ = false;
  std::string text_;  // Of the chunk at hand.
};

}  // namespace

std::unique_ptr<AnswerReader> ChatCompletions::read(AnswerBuilder& answer) const {
  return std::make_unique<ChatAnswerReader>(answer);
}

}  // namespace plumbline::model
