// What RapidCheck's assertions make of && and ||: they look at both sides, whatever the first says.

#include <string>

#include "core/tidy_rules.h"

namespace plumbline::tidy {
namespace {

// has_bare_choice returns whether && or || stands in the parentheses that open at `open`, and in
// none within them.
bool has_bare_choice(const std::string& code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return false;
    const bool twice = at + 1 < code.size() && code[at + 1] == c;
    if (depth == 1 && twice && (c == '&' || c == '|')) return true;
  }
  return false;
}

}  // namespace

void check_properties(const std::string& code, Findings& out) {
  for (const std::string word : {"RC_ASSERT(", "RC_ASSERT_FALSE(", "RC_PRE(", "RC_SUCCEED_IF("}) {
    for (std::size_t at = find_word(code, word); at != std::string::npos;
         at = find_word(code, word, at + 1)) {
      if (!has_bare_choice(code, at + word.size() - 1)) continue;
      out.push_back({line_at(code, at), word + ") looks at both sides of && and ||: put them "
                                               "into parentheses of their own"});
    }
  }
}

}  // namespace plumbline::tidy
