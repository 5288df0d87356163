// ConnectionState is how far the connection to one agent has come. One table says which move is
// legal; ConnectionLife makes no other.

#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace plumbline::connector {

enum class ConnectionState {
  kDisconnected,    // There is none, and none is wanted.
  kConnecting,      // It is being opened.
  kAuthenticating,  // The agent wants to know who we are.
  kConnected,       // Transport and authentication are done: the agent has answered the opening.
  kReady,           // Its lists have been read.
  kError,           // It could not be opened, or was lost. The next call may open it again.
};

inline constexpr std::array kConnectionStates = {
    ConnectionState::kDisconnected, ConnectionState::kConnecting, ConnectionState::kAuthenticating,
    ConnectionState::kConnected,    ConnectionState::kReady,      ConnectionState::kError};

// name_of returns "disconnected", "connecting", "authenticating", "connected", "ready", "error".
std::string_view name_of(ConnectionState state);

// may_follow returns whether a connection may go from one state to the other. None goes to itself;
// an error leaves to connecting or disconnected only.
bool may_follow(ConnectionState from, ConnectionState to);

// StateChange is one move. `reason` is for people: a sentence without a full stop.
struct StateChange {
  Instant at{};
  ConnectionState from = ConnectionState::kDisconnected;
  ConnectionState to = ConnectionState::kDisconnected;
  std::string reason;
};

// ConnectionLife is the state of one connection, since when, and why.
class ConnectionLife {
 public:
  using OnChange = std::function<void(const StateChange& change)>;

  // `on_change` may be empty. It hears of each move, after it, and must not make another.
  explicit ConnectionLife(OnChange on_change = nullptr) : on_change_(std::move(on_change)) {}

  // move goes to `to`. A move to where it is already does nothing. Aborts when the table does not
  // allow it: see may_move().
  void move(ConnectionState to, Instant now, std::string reason);

  bool may_move(ConnectionState to) const { return may_follow(state_, to); }

  ConnectionState state() const { return state_; }

  // since returns when the state was entered: Instant() before the first move.
  Instant since() const { return since_; }

  // last_error returns the reason of the last move to kError; empty when there was none, or when
  // the connection has become ready since.
  const std::string& last_error() const { return last_error_; }

 private:
  OnChange on_change_;
  ConnectionState state_ = ConnectionState::kDisconnected;
  Instant since_{};
  std::string last_error_;
};

}  // namespace plumbline::connector
