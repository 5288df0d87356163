#include "core/connector/states/connection_state.h"

#include <utility>

#include "core/base/check.h"

namespace plumbline::connector {

namespace {

using State = ConnectionState;

constexpr std::size_t kStates = kConnectionStates.size();

// A row is where a connection stands, a column where it may go, both in the order of the states.
constexpr bool kLegalMoves[kStates][kStates] = {
    // disconnected, connecting, authenticating, connected, ready, error
    {false, true, false, false, false, false},  // disconnected
    {true, false, true, true, false, true},     // connecting
    {true, false, false, true, false, true},    // authenticating
    {true, false, true, false, true, true},     // connected
    {true, false, true, false, false, true},    // ready: asked anew for who we are, or lost
    {true, true, false, false, false, false},   // error
};

}  // namespace

std::string_view name_of(ConnectionState state) {
  switch (state) {
    case State::kDisconnected:
      return "disconnected";
    case State::kConnecting:
      return "connecting";
    case State::kAuthenticating:
      return "authenticating";
    case State::kConnected:
      return "connected";
    case State::kReady:
      return "ready";
    case State::kError:
      return "error";
  }
  check(false, "unknown ConnectionState");
  return {};
}

bool may_follow(ConnectionState from, ConnectionState to) {
  return kLegalMoves[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

void ConnectionLife::move(ConnectionState to, Instant now, std::string reason) {
  if (to == state_) return;
  check(may_move(to), "a connection makes a move that is not legal");
  const State from = std::exchange(state_, to);
  since_ = now;
  if (to == State::kError) last_error_ = reason;
  if (to == State::kReady) last_error_.clear();
  if (on_change_) on_change_(StateChange{now, from, to, std::move(reason)});
}

}  // namespace plumbline::connector
