// From what was answered to a test file: one that passes against what it was made of.

#pragma once

#include <string>
#include <vector>

#include "scenarios/suite/draft.h"
#include "scenarios/suite/expectation.h"
#include "scenarios/suite/suite_text.h"

namespace plumbline::suite {

// Play is what came of each draft, in their order, of one time that all were asked. A null response
// is one that was not asked.
using Play = std::vector<Json>;

struct FirstFile {
  std::string text;
  Snapshots snapshots;
  std::size_t answers = 0;  // Tests by what they expect.
  std::size_t refusals = 0;
  std::size_t lists = 0;
  std::size_t masks = 0;                // That were learned.
  std::vector<std::string> unsteady;    // Tests that expect nothing but an answer.
  std::vector<std::string> unanswered;  // Drafts that became no test: nothing was answered.
  std::vector<std::string> loose;       // Tests whose masks cover more than half of the answer.
};

// first_file writes a test for each draft that was answered. What differs between two plays is
// masked; of one play alone, what looks like a time or an id of its own. `file_name` is where it
// will stand.
FirstFile first_file(SuiteHead head, std::vector<Draft> drafts, const std::vector<Play>& plays,
                     const std::string& file_name);

}  // namespace plumbline::suite
