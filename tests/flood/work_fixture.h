// Work is counted in steps: what is judged is compiled so that each of its basic blocks tells that
// it runs (-fsanitize-coverage=trace-pc). They are as many on a busy machine as on an idle one, and
// no loop can keep itself out of the count.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace plumbline {

#ifdef PLUMBLINE_SANITIZED
inline constexpr int kFew = 12;
#else
inline constexpr int kFew = 36;
#endif
// How many messages are judged: few, four times and sixteen times as many.
inline constexpr std::array<int, 3> kSizes = {kFew, 4 * kFew, 16 * kFew};

// steps_taken returns how many steps were taken so far.
std::int64_t steps_taken();

// Work is the steps that each rule took at each size.
using Work = std::map<std::string, std::array<std::int64_t, kSizes.size()>>;

// expect_in_proportion fails for every rule whose steps grow faster than the messages, and prints
// the sum of all as a row of a table.
void expect_in_proportion(const std::string& kind, const Work& work);

// numbered returns `text` with `number` in place of each #.
std::string numbered(std::string text, int number);

}  // namespace plumbline
