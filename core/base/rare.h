// Rare branches: places where an engine does, in simulation only, something that is correct and
// unusual, so that the paths which hardly ever run are run every day.
//
//   if (rare(Rare::kHubReopen)) ...
//
// Outside a simulated world the answer is false, for the price of one test. In a world each site is
// on or off, and one that is on says yes now and then, as the world's seed decides.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"

namespace plumbline {

// Rare is one site. rare_sites() has its name and what it does.
enum class Rare : std::uint8_t {
  kStdioWrite,
  kStdioRead,
  kHttpWrite,
  kHttpRead,
  kHttpNewConnection,
  kHttpListenLate,
  kHttpReconnect,
  kWebSocketFragments,
  kRpcIdsHigh,
  kRpcIdsText,
  kMcpCacheExpired,
  kMcpListTwice,
  kMcpPing,
  kMcpPingTakenBack,
  kMcpOpeningSlow,
  kHubReopen,
  kHubOrder,
  kHubOneByOne,
  kSelectEquals,
  kRetryLate,
  kGraphTurn,
};

inline constexpr std::size_t kRareCount = static_cast<std::size_t>(Rare::kGraphTurn) + 1;

struct RareSite {
  Rare site;
  std::string_view name;  // "hub.reopen": the engine, and what it does.
  std::string_view what;  // One sentence.
};

// rare_sites returns every site, in the order of the enumeration.
std::span<const RareSite, kRareCount> rare_sites();

// find_rare returns the site of that name.
std::optional<Rare> find_rare(std::string_view name);

// RareBranches are the sites of one world.
class RareBranches {
 public:
  // `on` names sites; other names are ignored. How often a site that is on says yes depends on its
  // own fork of `rng` alone.
  RareBranches(const std::vector<std::string>& on, const Rng& rng);

  bool ask(Rare site);

  // fired returns how often `site` has said yes.
  std::int64_t fired(Rare site) const { return sites_[index(site)].fired; }

  // In makes `branches` those of this thread while it lives; null: none are on. They nest.
  class In {
   public:
    explicit In(RareBranches* branches);
    In(const In&) = delete;
    In& operator=(const In&) = delete;
    ~In();

   private:
    RareBranches* before_;
  };

 private:
  struct Site {
    bool on = false;
    std::int64_t fired = 0;
    Rng rng = Rng(0);
  };

  static std::size_t index(Rare site) { return static_cast<std::size_t>(site); }

  std::array<Site, kRareCount> sites_;
};

namespace internal {
// Of the world that this thread is running; null outside of any.
inline constinit thread_local RareBranches* rare_branches = nullptr;
}  // namespace internal

// rare returns whether to take the unusual way at `site` this time.
inline bool rare(Rare site) {
  RareBranches* const branches = internal::rare_branches;
  if (branches == nullptr) [[likely]] {
    return false;
  }
  return branches->ask(site);
}

}  // namespace plumbline
