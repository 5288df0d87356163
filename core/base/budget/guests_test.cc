#include "core/base/budget/guests.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline {
namespace {

Amounts bytes(std::uint64_t amount) { return Amounts().set(Resource::kTextBytes, amount); }

TEST(GuestsTest, OneGuestCannotTakeWhatAnotherNeeds) {
  Guests guests(bytes(100), bytes(60));
  const Share greedy = guests.of("a");
  const Share modest = guests.of("b");
  std::vector<Held> held;
  while (std::optional<Held> more = greedy.take(Resource::kTextBytes, 10)) {
    held.push_back(*std::move(more));
  }
  EXPECT_EQ(greedy.taken(Resource::kTextBytes), 60U);
  EXPECT_TRUE(modest.take(Resource::kTextBytes, 40));
  EXPECT_EQ(guests.refusals(Resource::kTextBytes), 1U);
}

TEST(GuestsTest, TheRefusalSaysWhoseEndItIs) {
  Guests guests(bytes(100), bytes(60));
  const Share a = guests.of("a");
  const std::optional<Held> first = a.take(Resource::kTextBytes, 60);
  const std::optional<Held> second = guests.of("b").take(Resource::kTextBytes, 40);
  EXPECT_EQ(a.refusal(Resource::kTextBytes, 1).status, 429);
  EXPECT_EQ(a.refusal(Resource::kTextBytes, 61).what,
            "this needs 61 bytes of text, and one caller gets 60 at most");
  EXPECT_EQ(guests.of("b").refusal(Resource::kTextBytes, 1).status, 503);
  EXPECT_EQ(guests.of("c").refusal(Resource::kTextBytes, 1).what,
            "the 100 bytes of text of this server are taken: come again later");
}

TEST(GuestsTest, AShareIsTheSameWhileAnythingIsHeldOfIt) {
  Guests guests(bytes(100), bytes(60));
  std::optional<Held> held = guests.of("a").take(Resource::kTextBytes, 50);
  for (int i = 0; i < 1'000; ++i) (void)guests.of("other " + std::to_string(i));
  EXPECT_FALSE(guests.of("a").take(Resource::kTextBytes, 11));
  held.reset();
  EXPECT_TRUE(guests.of("a").take(Resource::kTextBytes, 60));
}

TEST(GuestsTest, WhatIsHeldOutlivesTheGuestsAndMoves) {
  Held kept;
  {
    Guests guests(bytes(100), bytes(60));
    kept = *guests.of("a").take(Resource::kTextBytes, 20);
    kept = *guests.of("b").take(Resource::kTextBytes, 30);
    EXPECT_EQ(guests.taken(Resource::kTextBytes), 30U);
    EXPECT_TRUE(kept.grow_to(60));
    EXPECT_FALSE(kept.grow_to(61));
  }
  EXPECT_EQ(kept.amount(), 60U);
}

TEST(GuestsTest, AProxyHasNoEndButThatOfAll) {
  Guests guests(bytes(100), bytes(60));
  EXPECT_TRUE(guests.trusted().take(Resource::kTextBytes, 100));
}

}  // namespace
}  // namespace plumbline
