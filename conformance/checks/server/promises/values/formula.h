// A formula that a description spells out: "priceCents is dailyCents times nights".

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/server/promises/said.h"

namespace plumbline::conformance {

// Formula is one thing times another. The phrases are as they are written.
struct Formula {
  Sentence result;  // What is said to be that; with no words where nothing is named.
  Sentence one;
  Sentence other;
  double divided_by = 1;
};

// formula_in returns the formula of a sentence; nothing: there is none, or more is in it than two
// factors and a whole number by which they are divided.
std::optional<Formula> formula_in(const Sentence& sentence);

// is_changed_elsewhere returns whether what else is said may make another number of the product: a
// discount, a tax.
bool is_changed_elsewhere(const std::vector<Sentence>& said);

// is_other_unit returns whether a factor may come of another unit alone: a power of ten, minutes
// of an hour, days of a week.
bool is_other_unit(double factor);

}  // namespace plumbline::conformance
