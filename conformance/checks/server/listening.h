// Waiting for what a server says by itself: notifications of a session, or of a subscription of the
// stateless revision.

#pragma once

#include <cstddef>
#include <string>

#include "conformance/peer/client.h"

namespace plumbline::conformance {

// frames_of returns how many frames have come, for await_notice().
inline std::size_t frames_of(Client& client) {
  return client.session().wire().inbox().frames.size();
}

// await_notice returns the first notification `method` that came as frame `first` or later, null
// when none does within `patience`.
Task<Json> await_notice(Client& client, std::size_t first, std::string method, Duration patience);

// Listening is one open subscriptions/listen.
struct Listening {
  Client::Begun begun;
  Json id;
  std::size_t first = 0;  // The frame it may begin with.
};

// about returns it as one about what asked for a subscription.
inline Finding about(Finding finding, const Listening& listening) {
  finding.about = listening.begun.places;
  return finding;
}

// begin_listening sends subscriptions/listen with this filter. An `id` of null is a new number.
Listening begin_listening(Client& client, Json filter, Json id = {});

// begin_listening_by sends this subscriptions/listen.
Listening begin_listening_by(Client& client, Json message);

// heard returns the messages of a subscription so far: those that name it and, on HTTP, all of its
// stream. In the order they came, its response included.
std::vector<Json> heard(Client& client, const Listening& listening);

// acknowledged waits for the acknowledgement and returns it; null when it does not come.
Task<Json> acknowledged(Client& client, Listening& listening);

// stop_listening ends the subscription from our side.
Task<void> stop_listening(Client& client, Listening& listening);

// subscription_of returns the subscription that `message` says it belongs to; null for none.
Json subscription_of(const Json& message);

}  // namespace plumbline::conformance
