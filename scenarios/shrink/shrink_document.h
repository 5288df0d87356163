// A scenario file as a function of choices: what of it is kept, and how large its numbers are.
// Whatever the choices, the outcome has the shape of a scenario file, though it may be one that is
// refused: a tool without its name.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "fakes/world/choices.h"

namespace plumbline::scenarios {

struct ChosenDocument {
  Json document;
  std::vector<std::string> dropped;  // Pointers into the whole document.
};

// choose_document returns what `choices` leave of `whole`. Members and elements are kept by a
// choice that is 1, each in a span of its own; a number that is more than 0 is a choice of its own
// and can only become less. Names, texts and what every file needs stay. What stands at `held`, a
// pointer into `whole`, stays as it is and where it is reached; empty: nothing is held.
ChosenDocument choose_document(const Json& whole, const std::string& held, fakes::Choices& choices);

// keep_everything returns the values that leave `whole` as it is.
std::vector<std::uint64_t> keep_everything(const Json& whole, const std::string& held);

}  // namespace plumbline::scenarios
