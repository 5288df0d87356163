// What somebody may have meant who mistyped an id, an option, a command or a value: the one
// mechanism behind every "did you mean".

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

// nearest_ids returns at most three of `known` that are like `id`: a few letters apart, of the same
// words, or with `id` as their beginning. Capitals do not count. The nearest first; none when
// nothing is like it.
std::vector<std::string> nearest_ids(std::string_view id, const std::vector<std::string>& known);

// did_you_mean returns "; did you mean A or B?" with what is nearest to `word`; empty when nothing
// is like it. Of several only those stand there that are as near as the first.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace plumbline::cli
