// ServerCheck is one check of a server: the id of a Requirement and the script that puts it to the
// test. What the rule says, where it says it and how strong it is stand in the catalogue alone.

#pragma once

#include <span>
#include <string_view>

#include "conformance/catalogue/finding.h"
#include "conformance/catalogue/selection.h"
#include "core/base/task.h"

namespace plumbline::conformance {

class Probe;

// SessionUse is how a check uses sessions: where it speaks.
enum class SessionUse {
  kShared,  // On the session that all polite checks share. It must leave no trace.
  kAlone,   // On a session that nobody else uses meanwhile; it may misbehave and even end it.
  kOpens,   // It opens what it needs, or needs nothing: it reads the survey.
  kWaits,   // Likewise, and what it waits for takes its time: the sooner it begins the better.
};

struct ServerCheck {
  std::string_view id;
  Eras eras = Eras::kBoth;
  SessionUse session = SessionUse::kShared;
  Task<Finding> (*run)(Probe& probe);
  // Judged in each revision that is accepted, also where a newer one alone is judged whole.
  bool everywhere = false;
};

using ServerChecks = std::span<const ServerCheck>;

// all_server_checks returns every check, in the order in which reports show them.
ServerChecks all_server_checks();

// two_users_checks returns those of them that need a second user.
ServerChecks two_users_checks();

}  // namespace plumbline::conformance
