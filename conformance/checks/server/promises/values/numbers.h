// How the numbers of one answer may contradict each other, or what the tool says of them. Each of
// these returns what is wrong in a few words; empty: nothing is.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/exercise.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/promises/said.h"

namespace plumbline::conformance {

// Look is an answer of a tool, and what is known besides.
struct Look {
  const Json* tool;
  std::vector<Sentence> said;
  Json arguments;  // An object.
  Json answer;
};

// look_at_answers tells of each answer of a tool in which `problem` finds something: the tool, what
// it was called with, `says`, and that.
void look_at_answers(Probe& probe, const Exercise& exercise, std::string_view says,
                     const std::function<std::string(const Look&)>& problem, Tally& tally);

// bounds_apart: the least is no more than the most.
std::string bounds_apart(const Look& look);

// sums_apart: what is said to be the sum of items is that, and how many there are is counted.
std::string sums_apart(const Look& look);

// spans_apart: nights, and days, are those between two dates.
std::string spans_apart(const Look& look);

// products_apart: a formula that the description spells out, with members and arguments by name.
std::string products_apart(const Look& look);

// ranks_apart: what has equal points shares a rank, where the description says so.
std::string ranks_apart(const Look& look);

// pairs_apart: what is told in two ways is the same, and what starts ends after that.
std::string pairs_apart(const Look& look);

}  // namespace plumbline::conformance
