// Ids that somebody may have meant who wrote another one.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

// nearest_ids returns at most three of `known` that are like `id`: a few letters apart, or of the
// same words. The nearest first; none when nothing is like it.
std::vector<std::string> nearest_ids(std::string_view id, const std::vector<std::string>& known);

}  // namespace plumbline::cli
