// What the sources may not say, and what they say instead.

#pragma once

#include <string>
#include <vector>

namespace plumbline::tidy {

// Ban is text that only some paths may hold. `allowed` is a list of path prefixes, and of path
// endings where one starts with '_'.
struct Ban {
  std::vector<std::string> words;
  std::string instead;
  std::vector<std::string> allowed;
};

// bans returns them. Words are looked for in code, not in comments or literals.
const std::vector<Ban>& bans();

// Where a system or third-party header may be included: by the prefix of its name.
struct HeaderBan {
  std::string prefix;
  std::string instead;
  std::vector<std::string> allowed;
};

// header_bans returns them: the first whose prefix it is decides of a header.
const std::vector<HeaderBan>& header_bans();

// clock_words are names by which clocks are read.
const std::vector<std::string>& clock_words();

}  // namespace plumbline::tidy
