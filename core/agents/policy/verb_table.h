// The verbs and things that the policy knows, and what each of them means.

#pragma once

#include <optional>
#include <string_view>

#include "core/agents/policy/risk.h"

namespace plumbline::agents {

// Does is what a verb asks for.
enum class Does {
  kReads,
  kChanges,  // What is changed says which risk it is.
  kFiles,
  kSends,
  kRecords,
  kDevices,
  kMoney,
  kCode,
};

struct Verb {
  std::string_view word;  // Folded: "remove" is "delete", "mail" is "email".
  Does does;
  bool noun_too = false;  // "a message", "the order": a verb only where a clause begins with it.
};

// plain_verb returns the row of a folded word, nullptr when it is no verb. find_verb also knows
// "sending", "creating", "running" and "sent".
const Verb* plain_verb(std::string_view word);
const Verb* find_verb(std::string_view word);

// phrasal_verb returns the folded verb that two words in lower case mean together, "delete" of "get
// rid"; empty where they mean none.
std::string_view phrasal_verb(std::string_view first, std::string_view second);

// object_risk returns what changing the thing that `word` names is.
std::optional<Risk> object_risk(std::string_view word);

}  // namespace plumbline::agents
