#include "core/base/budget/guest_rounds.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::transports_test {
namespace {

struct Turning final : GuestRounds::Waiting {
  Turning(GuestRounds& its_turns, std::string its_guest, std::vector<std::string>& all)
      : turns(its_turns), guest(std::move(its_guest)), served(all) {}

  void ask() {
    if (turns.take(guest, *this)) served.push_back(guest);
  }
  void on_turn() override {
    served.push_back(guest);
    if (--more > 0) ask();
  }

  GuestRounds& turns;
  std::string guest;
  std::vector<std::string>& served;
  int more = 0;
};

TEST(GuestRoundsTest, OneWhoFloodsIsServedOnceARoundLikeAnybody) {
  fakes::SimLoop loop;
  GuestRounds turns(loop);
  std::vector<std::string> served;
  std::vector<std::unique_ptr<Turning>> flood;
  for (int i = 0; i < 50; ++i) flood.push_back(std::make_unique<Turning>(turns, "f", served));
  Turning modest(turns, "m", served);
  for (const auto& connection : flood) connection->ask();
  modest.ask();
  EXPECT_EQ(served, (std::vector<std::string>{"f", "m"}));
  modest.more = 3;
  modest.ask();
  EXPECT_TRUE(loop.run_until_idle(limits::kTurnsMax, kNever).ok());
  EXPECT_EQ(served.size(), 54U);
  EXPECT_EQ((std::vector<std::string>(served.begin() + 2, served.begin() + 8)),
            (std::vector<std::string>{"f", "m", "f", "m", "f", "m"}));
}

TEST(GuestRoundsTest, WhoeverLeavesIsNotCalled) {
  fakes::SimLoop loop;
  GuestRounds turns(loop);
  std::vector<std::string> served;
  Turning first(turns, "a", served);
  {
    Turning second(turns, "a", served);
    first.ask();
    second.ask();
    turns.leave("a", second);
  }
  EXPECT_TRUE(loop.run_until_idle(limits::kTurnsMax, kNever).ok());
  EXPECT_EQ(served.size(), 1U);
}

}  // namespace
}  // namespace plumbline::transports_test
