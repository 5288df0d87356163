// The grade of what a server offers: a letter for each part, and the worst of them for the whole.
// Nothing is weighed, so that anybody can recompute it.
//
//   cost    by the tokens of the list: A to 2,000, B to 5,000, C to 10,000, D to 20,000, else F
//   safety  a sure finding is F, a suspicion C, else A
//   others  by the share of tools with a warning: A none, B to 10 %, C to 25 %, D to 50 %, else F

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/quality/checks.h"

namespace plumbline::conformance {

struct PartGrade {
  std::string_view part;
  char letter = 'A';
  std::string why;  // In numbers: "3 of 14 tools with a warning".
};

// Gain is what would raise a part by a letter.
struct Gain {
  std::string_view part;
  char from = 'B';
  char to = 'A';
  std::size_t changes = 0;  // How many things are to be changed; of cost, tokens.
  std::string what;         // "describe the arguments: path and head of read_file".
};

struct Grade {
  char letter = 'A';
  std::vector<PartGrade> parts;  // Those that say something of this server.
  std::vector<Gain> gains;       // What holds the whole back first, of those the fewest changes.
};

Grade grade_of(const Reading& read, const Notes& notes);

}  // namespace plumbline::conformance
