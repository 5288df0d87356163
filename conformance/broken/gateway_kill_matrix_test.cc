// Each check of a gateway bites: a plain proxy passes them all, and each wrong gateway fails the
// check of its id and no unrelated one.

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/sample_size.h"

namespace plumbline::conformance {
namespace {

TEST(Gateway, APlainProxyPassesEverythingInBothEras) {
  const std::vector<CheckResult> rows = GatewayWorld(nullptr).judge();
  for (const CheckResult& row : rows) {
    EXPECT_EQ(row.verdict, Verdict::kPass) << row.id << " " << row.revision << ": " << row.message;
  }
  EXPECT_EQ(rows.size(), 2 * all_gateway_checks().size() - 3);
}

class BrokenGateway : public testing::TestWithParam<std::size_t> {};

TEST_P(BrokenGateway, FailsItsCheckAndNoUnrelatedOne) {
  const Deviation& deviation = gateway_deviations()[GetParam()];
  bool caught = false;
  for (const CheckResult& row : GatewayWorld(&deviation).judge()) {
    const bool failed = row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn;
    if (row.id == deviation.id) {
      caught = caught || failed;
    } else if (std::ranges::find(deviation.also, row.id) == deviation.also.end()) {
      EXPECT_FALSE(failed) << deviation.what << ": " << row.id << ": " << row.message;
    }
  }
  EXPECT_TRUE(caught) << deviation.id << ": " << deviation.what;
}

INSTANTIATE_TEST_SUITE_P(All, BrokenGateway,
                         testing::Range(std::size_t{0}, gateway_deviations().size(), kEachNth));

TEST(Gateway, EachCheckHasAWrongGateway) {
  std::set<std::string_view> caught;
  for (const Deviation& deviation : gateway_deviations()) caught.insert(deviation.id);
  for (const GatewayCheck& check : all_gateway_checks()) {
    EXPECT_TRUE(caught.contains(check.id)) << check.id;
  }
}

}  // namespace
}  // namespace plumbline::conformance
