// The records of rules name every wrong peer that there is, and no other.

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/broken/client/client_deviation.h"
#include "conformance/broken/deviation.h"
#include "conformance/broken/gateway_world.h"
#include "conformance/broken/right_authority.h"
#include "conformance/catalogue/records.h"

namespace plumbline::conformance {
namespace {

// Names are what peers are known by: the rule that they break, and how.
using Names = std::set<std::pair<std::string_view, std::string_view>>;

template <typename Peers>
void add_names(Names& names, const Peers& peers) {
  for (const auto& peer : peers) names.emplace(peer.id, peer.what);
}

TEST(WrongPeers, AreThoseThatTheRecordsName) {
  Names there;
  add_names(there, all_deviations());
  add_names(there, all_client_deviations());
  add_names(there, gateway_deviations());
  add_names(there, all_authority_deviations());
  Names named;
  add_names(named, records().wrong_peers);
  EXPECT_GT(there.size(), 900U);
  for (const auto& [id, what] : there) {
    EXPECT_TRUE(named.contains({id, what}))
        << "the record of " << id << " lacks: wrong " << what << " => ...";
  }
  for (const auto& [id, what] : named) {
    EXPECT_TRUE(there.contains({id, what})) << id << ": there is no peer that " << what;
  }
}

}  // namespace
}  // namespace plumbline::conformance
