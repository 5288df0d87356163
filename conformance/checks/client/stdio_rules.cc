// Rules about what a client writes to the stdin of its server: spec, basic/transports, stdio.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/checks/client/rule_kit.h"
#include "conformance/peer/client/scenario.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoLines = "nothing was written";

std::vector<const Heard*> lines_of(const Record& record) {
  return record.all([](const Heard& message) { return message.connection != 0; });
}

// What a line that is no JSON looks like decides which rule it breaks.
enum class Wrong { kNothing, kBegun, kSeveral, kForeign };

Wrong wrong_with(const Heard& message) {
  if (message.garbage.empty()) return Wrong::kNothing;
  if (message.several) return Wrong::kSeveral;
  return message.garbage.starts_with("{") ? Wrong::kBegun : Wrong::kForeign;
}

Finding no_line_is(const Record& record, Wrong wrong, const std::string& what) {
  const Complaint complaint = [&](const Heard& message) -> std::string {
    return wrong_with(message) == wrong ? what + ": " + message.garbage : "";
  };
  return each_of(record, lines_of(record), complaint, kNoLines);
}

Finding keeps_newlines_out(const Record& record) {
  return no_line_is(record, Wrong::kBegun, "a message does not end on its line");
}

Finding ends_messages_with_newlines(const Record& record) {
  return no_line_is(record, Wrong::kSeveral, "two messages on one line");
}

// is_foreign returns whether a line is JSON, but nothing that looks like a message.
bool is_foreign(const Heard& message) {
  if (!message.garbage.empty() || message.batched) return false;
  if (!message.message.is_object()) return true;
  for (const char* const member : {"jsonrpc", "method", "id", "result", "error"}) {
    if (find(message.message, member) != nullptr) return false;
  }
  return true;
}

Finding writes_messages_alone(const Record& record) {
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const Wrong wrong = wrong_with(message);
    if (wrong == Wrong::kForeign) return "a line that is no message: " + message.garbage;
    if (is_foreign(message)) return "a line that is no message: " + shown(&message.message);
    if (wrong != Wrong::kSeveral || !record.stateless()) return "";
    return "a line that is more than one message: " + message.garbage;
  };
  return each_of(record, lines_of(record), complaint, kNoLines);
}

Finding writes_single_messages(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    return message.batched ? "a line holds an array" : "";
  };
  return each_of(record, lines_of(record), complaint, kNoLines);
}

Finding closes_before_it_kills(const Record& record) {
  bool seen = false;
  for (const StreamHeard& stream : record.streams) {
    if (!record.exit || !stream.closed || stream.cut_by_us) continue;
    seen = true;
    if (!stream.orderly) {
      return broken("the server was ended without its stdin being closed first");
    }
  }
  return seen ? passes() : not_for_it("it never shut a server down");
}

constexpr ClientRule kStdioRules[] = {
    {"stdio.newline-delimited", ends_messages_with_newlines},
    {"stdio.no-embedded-newlines", keeps_newlines_out},
    {"stdio.stdin-only-mcp", writes_messages_alone},
    {"stdio.single-message-lines", writes_single_messages},
    {"stdio.shutdown-client-sequence", closes_before_it_kills},
};

}  // namespace

ClientRules stdio_rules() { return kStdioRules; }

}  // namespace plumbline::conformance
