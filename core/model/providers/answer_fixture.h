// What the tests of the dialects share: a log of one answer, and what a parser makes of its bytes.

#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/json/json.h"
#include "core/model/providers/answer_parser.h"
#include "core/model/providers/dialect.h"
#include "core/wire/sse.h"

namespace plumbline::model {

// DeltaLog writes down what is heard: "Hello" and "look({})".
struct DeltaLog final : DeltaReader {
  void on_text(std::string_view piece) override {
    pieces.emplace_back(piece);
    text += piece;
  }
  void on_tool_call(const ToolCall& call) override {
    calls.push_back(call.id + ": " + call.name + "(" + call.arguments + ")");
  }
  std::vector<std::string> pieces;
  std::string text;
  std::vector<std::string> calls;
};

// shown writes an answer in one line.
inline std::string shown(const Completed& completed) {
  if (const Failure* const failure = std::get_if<Failure>(&completed)) {
    static constexpr const char* kKinds[] = {"authentication", "rate limit",  "too long",
                                             "invalid",        "unavailable", "unreadable"};
    return std::string(kKinds[static_cast<int>(failure->kind)]) + ": " + failure->message;
  }
  static constexpr const char* kFinishes[] = {"stop", "tool calls", "length", "refusal"};
  const auto& whole = std::get<Completion>(completed);
  std::string out = std::string(kFinishes[static_cast<int>(whole.finish)]) + ", ";
  out += (whole.usage.estimated ? "about " : "") + std::to_string(whole.usage.input_tokens) + "+" +
         std::to_string(whole.usage.output_tokens) + ": " + whole.message.text;
  for (const ToolCall& call : whole.message.tool_calls) {
    out += " | " + call.id + ": " + call.name + "(" + call.arguments + ")";
  }
  return out;
}

struct Heard {
  std::string deltas;  // The text, and the calls behind it.
  std::string completed;
  friend bool operator==(const Heard&, const Heard&) = default;
};

// heard_of has an answer of status 200 parsed in these pieces. It ends in order, or is cut.
inline Heard heard_of(const Dialect& dialect, std::string_view content_type,
                      const std::vector<std::string>& pieces, bool cut = false,
                      std::size_t bytes_max = 1U << 20U) {
  const Prompt prompt{.messages = {{.text = "hello"}}};
  DeltaLog log;
  AnswerParser parser(dialect, prompt, &log, bytes_max);
  parser.on_head(200, {{"Content-Type", std::string(content_type)}});
  for (const std::string& piece : pieces) parser.on_body(std::string(piece));
  const Error gone{ErrorCode::kDisconnected, "the server closed"};
  Heard heard;
  heard.completed = shown(parser.take(cut ? &gone : nullptr));
  heard.deltas = log.text;
  for (const std::string& call : log.calls) heard.deltas += " | " + call;
  return heard;
}

// stream_of writes these data as events.
inline std::string stream_of(const std::vector<std::string>& events) {
  std::string out;
  for (const std::string& event : events) {
    wire::append_sse(out, wire::SseEvent{"", event, std::nullopt, std::nullopt});
  }
  return out;
}

}  // namespace plumbline::model
