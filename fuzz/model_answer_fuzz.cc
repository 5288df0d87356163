// Any bytes as the answer of a language model, in each dialect: where they are cut does not matter,
// and a whole answer can be sent again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/check.h"
#include "core/model/conversation.h"
#include "core/model/providers/answer_parser.h"
#include "core/model/providers/dialects.h"

namespace {

using namespace plumbline::model;

constexpr std::size_t kAnswerBytesMax = 4'096;

struct Told final : DeltaReader {
  void on_text(std::string_view piece) override { said += piece; }
  void on_tool_call(const ToolCall& call) override { said += "\n" + call.name + call.arguments; }
  std::string said;
};

// told_by returns all that is told of these bytes, and how it ended.
std::string told_by(Interface interface, std::string_view bytes, std::size_t piece,
                    Completed& completed) {
  const Dialect& dialect = dialect_of(interface);
  Told told;
  AnswerParser parser(dialect, {}, &told, kAnswerBytesMax);
  parser.on_head(200, {});
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    parser.on_body(std::string(bytes.substr(0, piece)));
  }
  completed = parser.take(nullptr);
  if (const auto* const failure = std::get_if<Failure>(&completed)) {
    return told.said + "\n" + failure->message;
  }
  return told.said + "\n" + std::get<Completion>(completed).message.text;
}

void check_again(const Completion& whole) {
  std::vector<Message> messages = {whole.message};
  for (const ToolCall& call : whole.message.tool_calls) {
    messages.push_back({.role = Role::kTool, .tool_call_id = call.id});
  }
  plumbline::check(!fault_of(messages), "an answer that cannot be sent again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto interface = static_cast<Interface>(data[0] % 4U);
  Completed whole;
  Completed cut;
  const std::string told = told_by(interface, bytes, size, whole);
  plumbline::check(told_by(interface, bytes, 1 + data[0] / 4U % 16U, cut) == told,
                   "where bytes are cut matters");
  if (const auto* const completion = std::get_if<Completion>(&whole)) check_again(*completion);
  return 0;
}
