// The word that somebody may have meant who wrote another one.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace plumbline {

// letters_apart counts the letters to add, drop, change or swap with their neighbour: the distance
// of Damerau and Levenshtein (optimal string alignment). It takes time in proportion to the product
// of the lengths.
std::size_t letters_apart(std::string_view a, std::string_view b);

// nearest_word returns the one of `known` that is spelt most like `word`; empty: none is.
std::string nearest_word(std::string_view word, std::span<const std::string> known);

// meant returns `, did you mean "X"?` for that one; empty: none is spelt so.
std::string meant(std::string_view word, std::span<const std::string> known);

}  // namespace plumbline
