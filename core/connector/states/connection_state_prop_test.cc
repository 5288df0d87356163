// The states of a connection: the table beside what is written of it in words, and the life of one
// under any moves.

#include "core/connector/states/connection_state.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::connector {
namespace {

using State = ConnectionState;

State any_state() {
  return kConnectionStates[*rc::gen::inRange<std::size_t>(0, kConnectionStates.size())];
}

std::set<State> reached_from(State from) {
  std::set<State> reached;
  for (const State to : kConnectionStates) {
    if (may_follow(from, to)) reached.insert(to);
  }
  return reached;
}

TEST(ConnectionStateTest, AreCalledAsTheDocumentCallsThem) {
  std::vector<std::string> names;
  for (const State state : kConnectionStates) names.emplace_back(name_of(state));
  EXPECT_EQ(names, (std::vector<std::string>{"disconnected", "connecting", "authenticating",
                                             "connected", "ready", "error"}));
}

TEST(ConnectionStateTest, LegalMovesAreThoseOfTheDecisions) {
  EXPECT_EQ(reached_from(State::kDisconnected), std::set<State>{State::kConnecting});
  EXPECT_EQ(reached_from(State::kError), (std::set{State::kConnecting, State::kDisconnected}));
  for (const State from : kConnectionStates) {
    EXPECT_FALSE(may_follow(from, from)) << name_of(from);
    // Whatever it is doing, a person can end it; and what is open or opening can fail.
    if (from != State::kDisconnected) {
      EXPECT_TRUE(may_follow(from, State::kDisconnected)) << name_of(from);
    }
    const bool alive = from != State::kDisconnected && from != State::kError;
    EXPECT_EQ(may_follow(from, State::kError), alive) << name_of(from);
    // Only what has answered is listed, and nobody answers before somebody has asked.
    EXPECT_EQ(may_follow(from, State::kReady), from == State::kConnected) << name_of(from);
  }
}

TEST(ConnectionStateTest, AnErrorIsRememberedUntilItIsReadyAgain) {
  ConnectionLife life;
  const Instant at(std::chrono::seconds(3));
  life.move(State::kConnecting, at, "asked for");
  life.move(State::kError, at, "it refused");
  life.move(State::kConnecting, at, "asked for again");
  life.move(State::kConnected, at, "it answered");
  EXPECT_EQ(life.last_error(), "it refused");
  life.move(State::kReady, at, "its lists were read");
  EXPECT_EQ(life.last_error(), "");
  EXPECT_EQ(life.since(), at);
}

RC_GTEST_PROP(ConnectionLifePropTest, TellsEachMoveOnceAndTheyJoinUp, ()) {
  std::vector<StateChange> told;
  ConnectionLife life([&told](const StateChange& change) { told.push_back(change); });
  Instant now{};
  std::size_t moves = 0;
  const auto wanted = *rc::gen::inRange(0, 60);
  for (int i = 0; i < wanted; ++i) {
    now += std::chrono::milliseconds(*rc::gen::inRange(0, 3));
    const State before = life.state();
    const State to = any_state();
    if (to != before && !life.may_move(to)) continue;
    life.move(to, now, std::to_string(i));
    if (to == before) continue;
    ++moves;
    RC_ASSERT(told.size() == moves);
    RC_ASSERT((told.back().from == before && told.back().to == to && life.state() == to));
    RC_ASSERT((told.back().at == now && life.since() == now));
    RC_ASSERT(told.back().reason == std::to_string(i));
  }
  RC_ASSERT(told.size() == moves);
  for (std::size_t i = 0; i < told.size(); ++i) {
    RC_ASSERT(told[i].from == (i == 0 ? State::kDisconnected : told[i - 1].to));
    RC_ASSERT(may_follow(told[i].from, told[i].to));
  }
  // Nothing is ready that was not connecting since it was last gone.
  bool dialled = false;
  for (const StateChange& change : told) {
    if (change.to == State::kConnecting) dialled = true;
    if (change.to == State::kDisconnected || change.to == State::kError) dialled = false;
    RC_ASSERT((change.to != State::kReady || dialled));
  }
}

RC_GTEST_PROP(ConnectionLifePropTest, ComesToReadyFromAnywhere, ()) {
  ConnectionLife life;
  for (int i = 0; i < 20; ++i) {
    const State to = any_state();
    if (life.may_move(to)) life.move(to, Instant(), "at random");
  }
  int moves = 0;
  while (life.state() != State::kReady) {
    for (const State next : {State::kReady, State::kConnected, State::kConnecting}) {
      if (!life.may_move(next)) continue;
      life.move(next, Instant(), "on its way");
      break;
    }
    RC_ASSERT(++moves <= 3);
  }
}

}  // namespace
}  // namespace plumbline::connector
