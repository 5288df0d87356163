// Requirement is one testable rule of the specification. Its id is the id of the check that judges
// it, in every report, forever.
//
// Each stands in a record of conformance/rules, once for both eras (2024-11-05 to 2025-11-25, and
// 2026-07-28), which word many rules under one id and differ in their strength. A record says as
// well why a rule that binds a server or a client has no check.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conformance/catalogue/revisions.h"

namespace plumbline::conformance {

struct Requirement {
  std::string_view id;         // "lifecycle.initialize-first".
  std::string_view area;       // "lifecycle".
  std::string_view level;      // "MUST", "MUST_NOT", "SHOULD", "SHOULD_NOT", "MAY".
  std::string_view role;       // "server", "client", "both", "authorization-server".
  std::string_view transport;  // "any", "stdio", "http".
  std::string_view since;      // The first revision in which it holds.
  std::string_view until;      // The last one; empty: it still holds.
  std::string_view summary;    // The rule in our words.
  std::string_view page;       // "basic/lifecycle#initialization".
  bool observable = true;      // Whether the wire can show it.
  std::string_view contested;  // Where it is disputed what it asks for, a link; empty: nowhere.

  bool must() const { return level.starts_with("MUST"); }
  bool binds(std::string_view who) const { return role == who || role == "both"; }

  // holds_in returns whether the rule is in force in `revision`.
  bool holds_in(std::string_view revision) const {
    return since <= revision && (until.empty() || revision <= until) &&
           is_stateless(since) == is_stateless(revision);
  }
};

// requirements returns every row, the stateful ones first, in the order of their files.
std::span<const Requirement> requirements();

// find_requirement returns the row of `id` that is in force in `revision`; nullptr: none is.
const Requirement* find_requirement(std::string_view id, std::string_view revision);

// link_of returns where the specification says it: "https://modelcontextprotocol.io/...".
std::string link_of(const Requirement& requirement);

// Unjudged is one line "unjudged" of a record. Its kind is one of
//   other-side  what the rule asks for is done by another role, or never comes to this one;
//   unseen      no message shows it: it happens inside, before a user, or in documents;
//   unmeasured  the specification gives no bound or measure that a message could miss;
//   parts       it is made of rules that are judged, of which `why` names one or more;
//   needs       it could be judged with something more than a black box offers;
//   not-built   it could be judged as things are.
struct Unjudged {
  std::string_view id;
  std::string_view role;  // Whose check is missing: "server" or "client".
  std::string_view era;   // "stateful" or "stateless".
  std::string_view kind;
  std::string_view why;

  // counts returns whether the rule is one that this side could be seen to break: it is missing.
  bool counts() const { return kind == "needs" || kind == "not-built"; }
};

std::span<const Unjudged> unjudged();

}  // namespace plumbline::conformance
