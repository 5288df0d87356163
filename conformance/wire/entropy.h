// How hard ids are to guess, as far as a few of them show.

#pragma once

#include <string>
#include <vector>

namespace plumbline::conformance {

// weakness_of says what makes `ids` guessable, empty when nothing does. What all of them share is
// no secret; the rest has to be worth about 64 bits. A few ids can show weakness, never strength.
std::string weakness_of(const std::vector<std::string>& ids);

}  // namespace plumbline::conformance
