// Oracle is a rule that holds in every conversation: it reads what was said and judges one side of
// it. Oracles judge every run of `check`, and recordings alike.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/finding.h"
#include "conformance/wire/wire_log.h"

namespace plumbline::conformance {

// Conversation is what was said in one revision, and whose part of it is judged.
struct Conversation {
  const WireLog& log;
  std::span<const LogEntry> entries;
  std::string revision;
  Sender judged = Sender::kSubject;
  bool http = false;  // Over Streamable HTTP: entries have exchanges.
};

struct Oracle {
  std::string_view id;    // Of a Requirement.
  std::string_view role;  // Whom it judges: "server" or "client".
  Finding (*judge)(const Conversation& conversation);
};

std::span<const Oracle> all_oracles();

}  // namespace plumbline::conformance
