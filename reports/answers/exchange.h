// What of a row's wire log the finding is about: what was sent, and what came back.

#pragma once

#include <string>

#include "core/events/check_result.h"

namespace plumbline::reports {

// Exchange is one message or HTTP request of the harness and what the subject said to it, in one
// line each. Empty: nothing was sent, or nothing came back.
struct Exchange {
  std::string sent;
  std::string got;
  // What was asked, in a few words: "tools/call search", "resources/read file:///a", "[]", "GET
  // /mcp", or the method of what the subject said by itself.
  std::string asked;
};

// exchange_of returns the one that the verdict of `result` is about: that of the lines of evidence
// that are marked so; of several, the last. Empty: it is about no message.
Exchange exchange_of(const CheckResult& result);

}  // namespace plumbline::reports
