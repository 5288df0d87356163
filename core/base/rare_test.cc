#include "core/base/rare.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace plumbline {
namespace {

std::vector<bool> asked(std::uint64_t seed, const std::vector<std::string>& on, Rare site) {
  RareBranches branches(on, Rng(seed));
  const RareBranches::In in(&branches);
  std::vector<bool> out;
  for (int i = 0; i < 200; ++i) out.push_back(rare(site));
  return out;
}

TEST(RareTest, EverySiteStandsAtItsPlaceWithANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kRareCount; ++i) {
    const RareSite& known = rare_sites()[i];
    EXPECT_EQ(static_cast<std::size_t>(known.site), i);
    EXPECT_TRUE(names.insert(known.name).second) << known.name;
    EXPECT_TRUE(known.what.ends_with('.')) << known.name;
    EXPECT_EQ(find_rare(known.name), known.site);
  }
  EXPECT_EQ(find_rare("hub.dance"), std::nullopt);
}

TEST(RareTest, NothingIsRareOutsideAWorld) {
  for (const RareSite& known : rare_sites()) EXPECT_FALSE(rare(known.site));
}

TEST(RareTest, ASiteThatIsOnSaysYesNowAndThenAndOthersNever) {
  const std::vector<bool> yes = asked(1, {"hub.reopen"}, Rare::kHubReopen);
  const auto times = std::ranges::count(yes, true);
  EXPECT_GT(times, 20);
  EXPECT_LT(times, 100);
  EXPECT_EQ(std::ranges::count(asked(1, {"hub.reopen"}, Rare::kHubOrder), true), 0);
}

TEST(RareTest, TheSeedDecidesAndOtherSitesChangeNothing) {
  const std::vector<bool> alone = asked(7, {"hub.reopen"}, Rare::kHubReopen);
  EXPECT_EQ(alone, asked(7, {"mcp.ping", "hub.reopen"}, Rare::kHubReopen));
  EXPECT_NE(alone, asked(8, {"hub.reopen"}, Rare::kHubReopen));
}

TEST(RareTest, WorldsNestAndCountWhatTheirSitesSaid) {
  RareBranches outer({"hub.reopen"}, Rng(1));
  const RareBranches::In in(&outer);
  {
    RareBranches inner({}, Rng(1));
    const RareBranches::In within(&inner);
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(rare(Rare::kHubReopen));
  }
  std::int64_t yes = 0;
  for (int i = 0; i < 100; ++i) yes += rare(Rare::kHubReopen) ? 1 : 0;
  EXPECT_GT(yes, 0);
  EXPECT_EQ(outer.fired(Rare::kHubReopen), yes);
}

}  // namespace
}  // namespace plumbline
