#include <array>
#include <utility>

#include "core/json/quick_text.h"
#include "core/model/providers/messages.h"
#include "core/model/providers/refusal.h"

namespace plumbline::model {

namespace {

FinishReason message_finish_of(std::string_view reason) {
  if (reason == "tool_use") return FinishReason::kToolCalls;
  if (reason == "max_tokens" || reason == "model_context_window_exceeded") {
    return FinishReason::kLength;
  }
  if (reason == "refusal") return FinishReason::kRefusal;
  return FinishReason::kStop;  // end_turn, stop_sequence, pause_turn, and what is to come.
}

// A piece of text, as nearly all events are.
constexpr std::array kMessageDelta = {
    TextShape{.name = "type",
              .kind = TextShape::Kind::kToken,
              .token = "\"text_delta\"",
              .required = true},
    TextShape{.name = "text", .kind = TextShape::Kind::kText, .required = true}};
constexpr std::array kMessageText = {TextShape{.name = "type",
                                               .kind = TextShape::Kind::kToken,
                                               .token = "\"content_block_delta\"",
                                               .required = true},
                                     TextShape{.name = "delta",
                                               .kind = TextShape::Kind::kObject,
                                               .required = true,
                                               .members = kMessageDelta}};

class MessageAnswerReader final : public AnswerReader {
 public:
  explicit MessageAnswerReader(AnswerBuilder& answer) : answer_(answer) {}

  // implements AnswerReader ---
  bool on_event(std::string_view data) override {
    if (quick_text(data, kMessageText, text_)) {
      answer_.text(text_);
      return false;
    }
    const Result<Json> read = parse_json(data);
    if (!read.ok()) {
      answer_.fail(unreadable("an event of the answer is no JSON: " + read.error().message));
      return false;
    }
    const Json& event = read.value();
    const std::string type = string_or(event, "type", "");
    const std::int64_t place = int_or(event, "index", 0);
    if (type == "content_block_start") {
      begin(place, event);
    } else if (type == "content_block_delta") {
      add(place, event);
    } else if (type == "content_block_stop") {
      answer_.call_ends(place);  // A block of text has nothing to end.
    } else if (type == "message_start") {
      if (const Json* const message = find(event, "message")) read_usage(*message);
    } else if (type == "message_delta") {
      read_usage(event);
      if (const Json* const delta = find(event, "delta")) read_reason(*delta);
    } else if (type == "error") {
      const Json* const error = find(event, "error");
      answer_.fail(failure_of_error(error == nullptr ? event : *error));
    }
    return type == "message_stop";
  }

  void on_whole(const Json& body) override {
    const Json* const content = find(body, "content");
    std::int64_t place = 0;
    if (content != nullptr && content->is_array()) {
      for (const Json& block : *content) read_block(place++, block);
    }
    read_usage(body);
    read_reason(body);
    if (!answer_.finished()) answer_.fail(unreadable("the answer has no stop_reason"));
  }

 private:
  void begin(std::int64_t place, const Json& event) {
    const Json* const block = find(event, "content_block");
    if (block == nullptr) return answer_.fail(unreadable("a block that is none begins"));
    if (string_or(*block, "type", "") == "tool_use") {
      answer_.call_begins(place, string_or(*block, "id", ""), string_or(*block, "name", ""));
    } else {
      answer_.text(string_or(*block, "text", ""));
    }
  }

  void add(std::int64_t place, const Json& event) {
    const Json* const delta = find(event, "delta");
    const std::string type = delta == nullptr ? "" : string_or(*delta, "type", "");
    if (type == "text_delta") {
      answer_.text(string_or(*delta, "text", ""));
    } else if (type == "input_json_delta") {
      if (!answer_.call_arguments(place, string_or(*delta, "partial_json", ""))) {
        answer_.fail(unreadable("a piece of a call that has not begun"));
      }
    }
  }

  void read_block(std::int64_t place, const Json& block) {
    const std::string type = string_or(block, "type", "");
    if (type == "text") answer_.text(string_or(block, "text", ""));
    if (type != "tool_use") return;
    answer_.call_begins(place, string_or(block, "id", ""), string_or(block, "name", ""));
    if (const Json* const input = find(block, "input")) {
      answer_.call_arguments(place, dump_json(*input));
    }
    answer_.call_ends(place);
  }

  // read_usage counts what was read from a cache, or written to one, with the rest of the prompt.
  void read_usage(const Json& from) {
    const Json* const usage = find(from, "usage");
    if (usage == nullptr || !usage->is_object()) return;
    if (const auto input = find_int(*usage, "input_tokens")) {
      answer_.input_tokens(*input + int_or(*usage, "cache_creation_input_tokens", 0) +
                           int_or(*usage, "cache_read_input_tokens", 0));
    }
    if (const auto output = find_int(*usage, "output_tokens")) answer_.output_tokens(*output);
  }

  void read_reason(const Json& from) {
    if (const auto reason = find_string(from, "stop_reason")) {
      answer_.finish(message_finish_of(*reason));
    }
  }

  AnswerBuilder& answer_;
  std::string text_;  // Of the event at hand.
};

}  // namespace

std::unique_ptr<AnswerReader> Messages::read(AnswerBuilder& answer) const {
  return std::make_unique<MessageAnswerReader>(answer);
}

}  // namespace plumbline::model
