// What conformance/rules says: one record for each rule, with everything that is known of it. Its
// lines, which docs/adding-a-check.md explains, are taken apart here and nowhere else.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "core/base/embedded/embedded_file.h"
#include "core/base/result.h"

namespace plumbline::conformance {

// WhenSaid is what a record says only of findings whose message has `words` in it.
struct WhenSaid {
  std::string_view words;
  std::string_view text;
};

// RuleRecord is what is the same of a rule in every revision.
struct RuleRecord {
  std::string_view id;
  std::string_view why;    // What happens to the other side where it is broken; or empty.
  std::string_view mend;   // What to change, in the code or on the wire; or empty.
  std::string_view cause;  // Rules whose failure breaks this one with it, by a blank; or empty.
  std::vector<WhenSaid> mends;   // These go before `mend`,
  std::vector<WhenSaid> causes;  // and these before `cause`.
};

// WrongPeer is a peer that breaks a rule, and why the check of the rule has to complain about it.
struct WrongPeer {
  std::string_view id;      // Of the rule.
  std::string_view what;    // "says pong": as the peer itself has it, in its *_broken.cc.
  std::string_view reason;  // What the check says; * stands for anything.
};

struct Records {
  std::vector<RuleRecord> all;            // In the order of their ids.
  std::vector<Requirement> requirements;  // Of the specification, the stateful ones first.
  std::vector<Requirement> of_gateways;   // Likewise: what a gateway has to keep to.
  std::vector<Unjudged> unjudged;
  std::vector<WrongPeer> wrong_peers;
};

// read_records reads files of conformance/rules. The error names the file and the line. `files`
// must outlive what it returns.
Result<Records> read_records(std::span<const EmbeddedFile> files);

}  // namespace plumbline::conformance
