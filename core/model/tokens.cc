#include "core/model/tokens.h"

namespace plumbline::model {

namespace {

constexpr std::int64_t kBytesPerToken = 4;     // Of English; other scripts have 2 or 3 a letter.
constexpr std::int64_t kTokensPerMessage = 4;  // Its role and its ends.
constexpr std::int64_t kTokensPerMedia = 1'000;

}  // namespace

std::int64_t estimated_tokens(std::string_view text) {
  std::int64_t quarters = 0;
  for (const char c : text) {
    // A letter beyond ASCII, whose first byte this is, is a token of its own more often than not.
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80U) quarters += 1;
    if (byte >= 0xc0U) quarters += kBytesPerToken;
  }
  return (quarters + kBytesPerToken - 1) / kBytesPerToken;
}

std::int64_t estimated_tokens(const Message& message) {
  std::int64_t tokens = kTokensPerMessage + estimated_tokens(message.text);
  tokens += kTokensPerMedia * static_cast<std::int64_t>(message.media.size());
  for (const ToolCall& call : message.tool_calls) {
    tokens += kTokensPerMessage + estimated_tokens(call.name) + estimated_tokens(call.arguments);
  }
  return tokens;
}

std::int64_t estimated_tokens(const ToolOffer& tool) {
  return kTokensPerMessage + estimated_tokens(tool.name) + estimated_tokens(tool.description) +
         estimated_tokens(dump_json(tool.input_schema));
}

std::int64_t estimated_tokens(const Prompt& prompt) {
  std::int64_t tokens = 0;
  for (const Message& message : prompt.messages) tokens += estimated_tokens(message);
  for (const ToolOffer& tool : prompt.tools) tokens += estimated_tokens(tool);
  return tokens;
}

}  // namespace plumbline::model
