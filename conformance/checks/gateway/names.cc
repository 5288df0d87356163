#include "conformance/checks/gateway/names.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace plumbline::conformance {

namespace {

constexpr std::string_view kNamePlace = "{name}";

// More names than these tell nothing new of what is the same for all.
constexpr std::size_t kNamesMax = 1'000;

std::size_t explained_by(const Renaming& renaming, const std::vector<std::string>& before,
                         const std::set<std::string>& after) {
  return static_cast<std::size_t>(std::ranges::count_if(
      before, [&](const std::string& name) { return after.contains(renaming.of(name)); }));
}

}  // namespace

Result<Renaming> read_renaming(std::string_view pattern) {
  const std::size_t at = pattern.find(kNamePlace);
  const bool once =
      at != std::string_view::npos && pattern.find(kNamePlace, at + 1) == std::string_view::npos;
  if (!once) {
    return Error{ErrorCode::kInvalidInput, "expected {name} in it, once"};
  }
  return Renaming{std::string(pattern.substr(0, at)),
                  std::string(pattern.substr(at + kNamePlace.size()))};
}

Renaming find_renaming(const std::vector<std::string>& before, const std::vector<std::string>& all,
                       const Renaming& known) {
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kNamesMax));
  const std::set<std::string> after(all.begin(), end);
  Renaming best;
  if (explained_by(best, before, after) > 0) return best;
  std::size_t most = 1;
  if (const std::size_t explained = explained_by(known, before, after); explained > 0) {
    most = explained;
    best = known;
  }
  for (const std::string& name : before) {
    for (const std::string& other : after) {
      const std::size_t at = other.find(name);
      if (at == std::string::npos) continue;
      const Renaming tried = {other.substr(0, at), other.substr(at + name.size())};
      const std::size_t explained = explained_by(tried, before, after);
      if (explained <= most) continue;
      most = explained;
      best = tried;
    }
  }
  return best;
}

}  // namespace plumbline::conformance
