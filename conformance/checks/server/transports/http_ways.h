// Ways over HTTP that many checks go: a request with other headers, a GET, a cut stream.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// ask_harmlessly asks what every server answers at once, with changed headers.
Task<Reply> ask_harmlessly(Client& client, wire::HttpHeaders headers);

// bare_request returns a request of `method` to the subject's URL with the headers that belong to
// the session.
wire::HttpRequest bare_request(const Client& client, std::string method);

// open_quietly makes a session without a GET stream.
Task<Client> open_quietly(Probe& probe);

// opened_slowly returns whether initialize took so long over HTTP that not everything can be tried
// with this server.
bool opened_slowly(const Client& client);

// refused_by_status returns whether a reply is a status of 4xx.
bool refused_by_status(const Reply& reply);

// is_loopback returns whether `host` is this machine.
bool is_loopback(std::string_view host);

// Streaming is a call that a server may answer with a stream of events, with progress if it can.
// Null: nothing may be called.
Task<std::optional<Json>> streaming_call(Probe& probe, Client client, std::string token);

// longest_call returns the call that took longest when all tools were called, of those that were
// answered in less than `most`, with `token` for its progress: what is made beside it overlaps,
// over stdio as well. Null: none may be called.
Task<Json> longest_call(Probe& probe, Client& client, std::string token,
                        Duration most = std::chrono::milliseconds(2'500));

// answered_get makes a GET of the session and returns its exchange once its head has come; nothing:
// it did not come in time.
Task<std::optional<std::size_t>> answered_get(Client client);

// cut waits until the answer to `begun` is a stream of events that has begun, and drops it. Returns
// the id of its last event; nothing when it is no stream, has ended, or its events have no ids.
Task<std::optional<std::string>> cut(Client& client, Client::Begun begun);

// resume makes a GET behind `event_id` and returns its exchange.
std::size_t resume(Client& client, const std::string& event_id);

// await_response waits until `exchange` brings the response to `id`. Null: it did not in
// `patience`, or the exchange ended before.
Task<Json> await_response(Client& client, std::size_t exchange, Json id, Duration patience);

// messages_of returns what an exchange has brought.
std::vector<Json> messages_of(const Client& client, std::size_t exchange);

}  // namespace plumbline::conformance
