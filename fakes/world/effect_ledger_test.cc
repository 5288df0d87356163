#include "fakes/world/effect_ledger.h"

#include <gtest/gtest.h>

#include "fakes/testing/event_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::fakes {
namespace {

class EffectLedgerTest : public testing::Test {
 protected:
  SimLoop loop_;
  EventLog events_;
  EffectLedger ledger_{loop_, events_};
};

TEST_F(EffectLedgerTest, TwoCommitsOfOneEffectAreADuplicate) {
  ledger_.commit("mail", "send", "{\"to\":\"finance\"}", false);
  EXPECT_TRUE(ledger_.duplicates().empty());
  ledger_.commit("mail", "send", "{\"to\":\"finance\"}", false);
  ASSERT_EQ(ledger_.duplicates().size(), 1U);
  EXPECT_EQ(ledger_.duplicates()[0].count, 2);
  EXPECT_EQ(ledger_.effects().size(), 1U);
  EXPECT_EQ(ledger_.total(), 2);
}

TEST_F(EffectLedgerTest, AnotherServerToolOrKeyIsAnotherEffect) {
  ledger_.commit("mail", "send", "a", false);
  ledger_.commit("mail", "send", "b", false);
  ledger_.commit("mail", "draft", "a", false);
  ledger_.commit("post", "send", "a", false);
  EXPECT_EQ(ledger_.effects().size(), 4U);
  EXPECT_TRUE(ledger_.duplicates().empty());
}

TEST_F(EffectLedgerTest, AnIdempotentEffectMayBeRepeatedUnlessOneCommitWasNot) {
  ledger_.commit("files", "write", "a", true);
  ledger_.commit("files", "write", "a", true);
  EXPECT_TRUE(ledger_.duplicates().empty());
  ledger_.commit("files", "write", "a", false);
  EXPECT_EQ(ledger_.duplicates().size(), 1U);
}

TEST_F(EffectLedgerTest, EachCommitIsAnEvent) {
  ledger_.commit("mail", "send", "a", false);
  ledger_.commit("mail", "send", "a", false);
  EXPECT_EQ(events_.lines,
            (std::vector<std::string>{
                R"(0 effect mail {"count":1,"idempotent":false,"key":"a","tool":"send"})",
                R"(0 effect mail {"count":2,"idempotent":false,"key":"a","tool":"send"})"}));
}

TEST_F(EffectLedgerTest, TheKeyOfArgumentsIsTheirDumpAndAHashWhenLong) {
  EXPECT_EQ(effect_key({{"b", 1}, {"a", "x"}}), R"({"a":"x","b":1})");
  const std::string hashed = effect_key({{"text", std::string(1'000, 'x')}});
  EXPECT_EQ(hashed.size(), 7U + 64U);
  EXPECT_EQ(hashed.substr(0, 7), "sha256:");
  EXPECT_NE(hashed, effect_key({{"text", std::string(1'000, 'y')}}));
}

}  // namespace
}  // namespace plumbline::fakes
