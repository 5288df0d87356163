// shrink_choices makes the list of choices behind a failure smaller and simpler, until nothing that
// it knows to try is both smaller and still a failure.
//
// Smaller means fewer choices made, and of equally many the list that comes first when compared
// number by number. It knows nothing of what the choices are for: the spans tell what can go as a
// whole, equal numbers may be one thing named twice, and 0 is always the simplest.

#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/shrink/shrink_search.h"

namespace plumbline::scenarios {

struct ShrunkChoices {
  std::vector<std::uint64_t> values;  // What the smallest failure chose, to its last choice.
  std::int64_t tries = 0;
  bool complete = false;  // Nothing smaller is left to try; false: a limit ended the search.
};

// shrink_choices starts from `values`, which must fail. The same values and the same Fails give the
// same result.
ShrunkChoices shrink_choices(std::vector<std::uint64_t> values, const Fails& fails,
                             const ShrinkLimits& limits = {});

}  // namespace plumbline::scenarios
