// Drafts are tests that nobody has written: of a recording one for each thing that was asked, of a
// server one for each thing that it lists. What has to come of them is found by asking.

#pragma once

#include <string>
#include <vector>

#include "core/base/budget/budget.h"
#include "core/json/json.h"
#include "scenarios/record/recording.h"
#include "scenarios/suite/suite.h"

namespace plumbline::suite {

struct Draft {
  Test test;        // Of one step, which expects nothing yet.
  Json response{};  // That was recorded; null: none.
  std::vector<std::string> masks{};
  bool writes = false;  // It calls a tool that does not say it only reads.
};

// drafts_of returns the tests of a recording, in its order. Where a later request sends what an
// earlier answer brought first, an id or a cursor, the test keeps it and the later one names it.
std::vector<Draft> drafts_of(const scenarios::Recording& recording);

// Listed is what a server lists.
struct Listed {
  std::vector<Json> tools;
  std::vector<Json> resources;
  std::vector<Json> prompts;
};

// drafts_of returns an answer, and where arguments are required a refusal, of each tool that only
// reads, or of all of them; one of each prompt and of each resource, and of each list. Arguments
// are made from schemas at the cost of `budget`.
std::vector<Draft> drafts_of(const Listed& listed, bool allow_writes, Budget& budget);

}  // namespace plumbline::suite
