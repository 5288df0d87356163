// Risks: why something must not be done without asking a person.

#pragma once

#include <string_view>
#include <vector>

namespace plumbline::agents {

// Risk is one reason why a capability must not run without approval.
enum class Risk {
  kWritesFiles,
  kSendsMessages,
  kUpdatesRecords,
  kControlsDevices,
  kMovesMoney,
  kSensitiveData,
  kExecutesCode,
  kUnknownEffect,  // Nothing says that it only reads.
  kDrifted,        // It is not what its server offered when it was first seen.
  kPolicyReview,   // The policy file wants a person to look.
  kDenied,         // The policy file forbids it; approval does not help.
};

// name_of returns the risk as reports spell it: "writes_files", "sends_messages" ...
std::string_view name_of(Risk risk);

// describe returns it as part of a sentence: "sending external messages".
std::string_view describe(Risk risk);

// add_once adds `risk` unless it is there.
void add_once(std::vector<Risk>& risks, Risk risk);

}  // namespace plumbline::agents
