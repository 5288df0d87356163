#include "cli/options/nearest_ids.h"

#include <gtest/gtest.h>

namespace plumbline::cli {
namespace {

const std::vector<std::string> kKnown = {"tools.unknown-tool-protocol-error",
                                         "tools.inputs-validated", "jsonrpc.batch-receive",
                                         "ping.empty-result"};

TEST(NearestIds, AreAFewLettersApart) {
  EXPECT_EQ(nearest_ids("ping.emtpy-result", kKnown).front(), "ping.empty-result");
  EXPECT_EQ(nearest_ids("jsonrpc.batch-recieve", kKnown).front(), "jsonrpc.batch-receive");
}

TEST(NearestIds, OrHaveTheSameWords) {
  EXPECT_EQ(nearest_ids("tools.call-unknown-name", kKnown).front(),
            "tools.unknown-tool-protocol-error");
}

TEST(NearestIds, OrBeginAlikeWhateverTheCapitals) {
  EXPECT_EQ(nearest_ids("TOOLS.Inputs", kKnown).front(), "tools.inputs-validated");
}

TEST(NearestIds, ASwapOfTwoLettersIsOneMistake) {
  EXPECT_EQ(did_you_mean("chekc", {"check", "choke"}), "; did you mean check?");
  EXPECT_EQ(did_you_mean("hosts", {"host", "posts"}), "; did you mean host or posts?");
  EXPECT_EQ(did_you_mean("ab", {"xyz"}), "");
}

TEST(NearestIds, AreNoneOfWhatIsNotLikeIt) { EXPECT_TRUE(nearest_ids("gateway", kKnown).empty()); }

}  // namespace
}  // namespace plumbline::cli
