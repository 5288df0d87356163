// Signs that a text works on the model against its user. One sign is none: texts of honest tools
// have each of them now and then. They count by groups (signs.tsv), and together.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/quality/checks.h"
#include "conformance/quality/safety/said.h"
#include "conformance/quality/safety/unfolded.h"

namespace plumbline::conformance {

struct Signs {
  std::vector<std::string_view> groups;  // Each once: "orders", "credentials".
  std::string seen;                      // Of the text, what shows them: an excerpt.
  bool hides = false;                    // It has something that is not shown.
  bool hides_words = false;              // And that says something.
  std::string decoded;                   // What it says; empty: it is not known.

  bool looks_for_attacks = false;  // So says it, and then nothing that it names is sure.

  bool sure() const { return hides_words || (groups.size() >= 3 && !looks_for_attacks); }
  bool suspect() const { return hides_words || hides || groups.size() >= 2; }
  bool has(std::string_view group) const;
};

// read_of returns what of a text is read.
std::string_view read_of(const Text& text);

// signs_of reads a text, of which `unfolded` is what is read. `own` are the names of the server's
// tools.
Signs signs_of(const SaidText& said, const Unfolded& unfolded, const Reading& own,
               const Around& around);

}  // namespace plumbline::conformance
