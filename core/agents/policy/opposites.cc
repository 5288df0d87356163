#include "core/agents/policy/opposites.h"

#include <algorithm>
#include <array>

namespace plumbline::agents {

namespace {

struct Opposites {
  std::string_view one;
  std::string_view other;
};

// A word and the same behind "un", "de" or "dis" are opposites, too.
constexpr auto kOpposites = std::to_array<Opposites>({
    {"accept", "decline"},  {"accept", "dismiss"}, {"accept", "reject"},   {"add", "delete"},
    {"approve", "reject"},  {"close", "open"},     {"compress", "expand"}, {"create", "delete"},
    {"download", "upload"}, {"enable", "disable"}, {"encode", "decode"},   {"encrypt", "decrypt"},
    {"export", "import"},   {"grant", "revoke"},   {"hide", "show"},       {"insert", "delete"},
    {"login", "logout"},    {"pause", "resume"},   {"pull", "push"},       {"start", "stop"},
});

bool undoes(std::string_view one, std::string_view other) {
  for (const std::string_view lead : {"un", "de", "dis"}) {
    if (one.size() == other.size() + lead.size() && one.starts_with(lead) && one.ends_with(other)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool are_opposites(std::string_view one, std::string_view other) {
  return undoes(one, other) || undoes(other, one) ||
         std::ranges::any_of(kOpposites, [&](const Opposites& pair) {
           return (one == pair.one && other == pair.other) ||
                  (one == pair.other && other == pair.one);
         });
}

}  // namespace plumbline::agents
