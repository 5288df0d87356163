// The words of the names that a subject gives its tools and parameters.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::conformance {

// words_of returns the words that a name is made of, in small letters: readFile2 has read, file, 2.
std::vector<std::string> words_of(std::string_view name);

// spaced_words_of returns them with a blank between: "dry run" of dryRun.
std::string spaced_words_of(std::string_view name);

// singular returns what one of many is called: "stations" are of a station, "cities" of a city.
std::string singular(std::string_view name);

}  // namespace plumbline::conformance
