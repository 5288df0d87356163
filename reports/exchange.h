// What of a row's wire log shows the finding best: what was sent, and what came back.

#pragma once

#include <string>

#include "core/events/check_result.h"

namespace plumbline::reports {

// Exchange is one message or HTTP request of the harness and what the subject said to it, in one
// line each. Empty: nothing was sent, or nothing came back.
struct Exchange {
  std::string sent;
  std::string got;
};

// exchange_of returns the one of `result` of which its message speaks, as far as words tell; of
// several, the last. A ping that only asks whether the subject is still there comes after others.
Exchange exchange_of(const CheckResult& result);

}  // namespace plumbline::reports
