#include "core/rpc/in_flight.h"

#include <chrono>

#include <gtest/gtest.h>

namespace plumbline::rpc {
namespace {

using std::chrono::seconds;
using Standing = InFlight::Standing;

constexpr Instant at(int second) { return Instant(seconds(second)); }

TEST(InFlightTest, IdsAreNeverGivenOutTwice) {
  InFlight table(2);
  EXPECT_EQ(table.start("a", at(0), kNever), 1);
  EXPECT_EQ(table.answer(1).method, "a");
  EXPECT_EQ(table.start("b", at(0), kNever), 2);
  EXPECT_EQ(table.abandon(2).method, "b");
  EXPECT_EQ(table.start("c", at(0), kNever), 3);
}

TEST(InFlightTest, AnIdIsKnownByHowItEnded) {
  InFlight table(4);
  for (int i = 0; i < 3; ++i) table.start("m", at(0), kNever);
  table.answer(1);
  table.abandon(2);
  EXPECT_EQ(table.standing(1), Standing::kAnswered);
  EXPECT_EQ(table.standing(2), Standing::kAbandoned);
  EXPECT_EQ(table.standing(3), Standing::kWaiting);
  EXPECT_EQ(table.standing(4), Standing::kNeverSent);
  EXPECT_EQ(table.standing(0), Standing::kNeverSent);
  EXPECT_EQ(table.standing(-1), Standing::kNeverSent);
  EXPECT_TRUE(table.judge(RpcId(3)).awaited);
  EXPECT_TRUE(table.judge(RpcId(2)).late);
  EXPECT_EQ(table.judge(RpcId(2)).violation, "a second answer to request 2");
  EXPECT_EQ(table.judge(RpcId(4)).violation, "an answer to request 4, which was never sent");
  EXPECT_EQ(table.judge(RpcId(std::string("3"))).violation,
            "an answer to request \"3\", which was never sent");
}

TEST(InFlightTest, DeadlinesComeEarliestFirst) {
  InFlight table(4);
  table.start("a", at(0), at(9));
  table.start("b", at(0), at(3));
  table.start("c", at(0), kNever);
  EXPECT_EQ(table.next_deadline(), at(3));
  EXPECT_TRUE(table.due(at(2)).empty());
  EXPECT_EQ(table.due(at(3)), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(table.due(at(9)), (std::vector<std::int64_t>{1, 2}));
  table.find(2)->deadline = at(20);
  EXPECT_EQ(table.next_deadline(), at(9));
  EXPECT_EQ(table.ids().size(), 3U);
}

TEST(InFlightTest, TheTableIsBoundedAndSoIsItsMemory) {
  InFlight table(2);
  table.start("a", at(0), kNever);
  EXPECT_FALSE(table.full());
  table.start("b", at(0), kNever);
  EXPECT_TRUE(table.full());
  table.abandon(1);
  table.abandon(2);
  table.start("c", at(0), kNever);
  table.abandon(3);
  EXPECT_EQ(table.standing(1), Standing::kAnswered);
  EXPECT_EQ(table.standing(2), Standing::kAbandoned);
  EXPECT_TRUE(table.empty());
}

}  // namespace
}  // namespace plumbline::rpc
