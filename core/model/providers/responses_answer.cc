#include <array>
#include <set>
#include <utility>

#include "core/json/quick_text.h"
#include "core/model/providers/refusal.h"
#include "core/model/providers/responses.h"

namespace plumbline::model {

namespace {

// A piece of text, as nearly all events are.
constexpr std::array kResponseText = {
    TextShape{.name = "type",
              .kind = TextShape::Kind::kToken,
              .token = "\"response.output_text.delta\"",
              .required = true},
    TextShape{.name = "delta", .kind = TextShape::Kind::kText, .required = true}};

class ResponseAnswerReader final : public AnswerReader {
 public:
  explicit ResponseAnswerReader(AnswerBuilder& answer) : answer_(answer) {}

  // implements AnswerReader ---
  bool on_event(std::string_view data) override {
    if (quick_text(data, kResponseText, text_)) {
      said_ = true;
      answer_.text(text_);
      return false;
    }
    if (data == "[DONE]") return true;  // Not of the interface; some compatible servers say it.
    const Result<Json> read = parse_json(data);
    if (!read.ok()) {
      answer_.fail(unreadable("an event of the answer is no JSON: " + read.error().message));
      return false;
    }
    const Json& event = read.value();
    const std::string type = string_or(event, "type", "");
    const std::int64_t place = int_or(event, "output_index", 0);
    if (type == "response.output_text.delta") {
      said_ = true;
      answer_.text(string_or(event, "delta", ""));
    } else if (type == "response.refusal.delta") {
      refuse(string_or(event, "delta", ""));
    } else if (type == "response.output_item.added") {
      begin(place, event);
    } else if (type == "response.function_call_arguments.delta") {
      add(place, string_or(event, "delta", ""));
    } else if (type == "response.output_item.done") {
      end(place, event);
    } else if (type == "error") {
      const Json* const error = find(event, "error");
      answer_.fail(failure_of_error(error == nullptr ? event : *error));
    } else if (type == "response.completed" || type == "response.incomplete" ||
               type == "response.failed") {
      const Json* const response = find(event, "response");
      finish(response == nullptr ? Json::object() : *response);
      return true;
    }
    return false;
  }

  void on_whole(const Json& body) override { finish(body); }

 private:
  void refuse(std::string_view piece) {
    said_ = true;
    refused_ = true;
    answer_.text(piece);
  }

  static const Json* call_in(const Json& event) {
    const Json* const item = find(event, "item");
    const bool call = item != nullptr && string_or(*item, "type", "") == "function_call";
    return call ? item : nullptr;
  }

  void begin(std::int64_t place, const Json& event) {
    const Json* const item = call_in(event);
    if (item == nullptr) return;
    said_ = true;
    answer_.call_begins(place, string_or(*item, "call_id", ""), string_or(*item, "name", ""));
    add(place, string_or(*item, "arguments", ""));
  }

  void add(std::int64_t place, const std::string& piece) {
    if (piece.empty()) return;
    in_pieces_.insert(place);
    if (!answer_.call_arguments(place, piece)) {
      answer_.fail(unreadable("a piece of a call that has not begun"));
    }
  }

  // end takes the arguments from the item where they did not come in pieces.
  void end(std::int64_t place, const Json& event) {
    const Json* const item = call_in(event);
    if (item == nullptr) return;
    if (!answer_.has_call(place)) begin(place, event);
    if (!in_pieces_.contains(place)) add(place, string_or(*item, "arguments", ""));
    answer_.call_ends(place);
  }

  // finish reads what is known at the end, and the whole output where it was not streamed.
  void finish(const Json& response) {
    const std::string status = string_or(response, "status", "");
    const Json* const error = find(response, "error");
    if (status == "failed" || (error != nullptr && error->is_object())) {
      return answer_.fail(failure_of_error(error == nullptr ? Json() : *error));
    }
    if (status != "completed" && status != "incomplete") {
      return answer_.fail(unreadable("the answer has no status of one that has ended"));
    }
    const Json* const output = find(response, "output");
    if (!said_ && output != nullptr && output->is_array()) read_output(*output);
    if (const Json* const usage = find(response, "usage")) {
      if (const auto tokens = find_int(*usage, "input_tokens")) answer_.input_tokens(*tokens);
      if (const auto tokens = find_int(*usage, "output_tokens")) answer_.output_tokens(*tokens);
    }
    const Json* const reason = at_pointer(response, "/incomplete_details/reason");
    if (status == "incomplete") {
      const bool filtered = reason != nullptr && *reason == "content_filter";
      answer_.finish(filtered ? FinishReason::kRefusal : FinishReason::kLength);
    } else {
      answer_.finish(refused_ ? FinishReason::kRefusal : FinishReason::kStop);
    }
  }

  void read_output(const Json& output) {
    std::int64_t place = 0;
    for (const Json& item : output) {
      end(place++, {{"item", item}});
      const Json* const content = find(item, "content");
      if (string_or(item, "type", "") != "message" || content == nullptr) continue;
      if (!content->is_array()) continue;
      for (const Json& part : *content) {
        answer_.text(string_or(part, "text", ""));
        if (string_or(part, "type", "") == "refusal") refuse(string_or(part, "refusal", ""));
      }
    }
  }

  AnswerBuilder& answer_;
  bool said_ = false;  // Something came before the end.
  bool refused_ = false;
  std::string text_;                  // Of the event at hand.
  std::set<std::int64_t> in_pieces_;  // Calls whose arguments did.
};

}  // namespace

std::unique_ptr<AnswerReader> Responses::read(AnswerBuilder& answer) const {
  return std::make_unique<ResponseAnswerReader>(answer);
}

}  // namespace plumbline::model
