// What every single message has to be.

#include <string>

#include "conformance/invariants/rules.h"

namespace plumbline::conformance {

namespace {

// wrong_message fails with the one message that breaks a rule as evidence.
Finding wrong_message(const Conversation& conversation, const LogEntry& entry, std::string what) {
  Finding finding = broken(std::move(what));
  finding.evidence.push_back(conversation.log.evidence(entry));
  return finding;
}

}  // namespace

Finding says_version(const Conversation& conversation) {
  bool seen = false;
  for (const LogEntry& entry : conversation.entries) {
    if (entry.sender != conversation.judged || entry.garbage || !entry.message.is_object())
      continue;
    seen = true;
    if (find_string(entry.message, "jsonrpc") != "2.0") {
      return wrong_message(conversation, entry, "a message without \"jsonrpc\": \"2.0\"");
    }
  }
  return seen ? passes() : not_for_it("nothing was said");
}

}  // namespace plumbline::conformance
