// Short forms of a request, in the words that tools use.

#pragma once

#include <array>
#include <string>
#include <string_view>

namespace plumbline::agents {

struct LongForm {
  std::string_view brief;  // As written.
  std::string_view whole;
};

inline constexpr auto kLongForms = std::to_array<LongForm>({{"MR", "merge request"},
                                                            {"MRs", "merge requests"},
                                                            {"PR", "pull request"},
                                                            {"PRs", "pull requests"}});

// spelled_out returns a request, whose words are set apart by single spaces, with long forms in
// place of short ones: "the pull request 17" of "the PR 17", "the first 1 lines" of "the first
// line". What is quoted or a name stays as it is: it is given to somebody, letter for letter.
std::string spelled_out(std::string_view request);

}  // namespace plumbline::agents
