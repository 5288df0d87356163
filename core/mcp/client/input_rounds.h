// InputRounds are the calls of a stateless revision that may come back for input. A caller knows a
// call by the id of its first request; with the input it is sent again under a new one.
//
// Spec 2026-07-28, basic/patterns/mrtr.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::mcp {

class InputRounds {
 public:
  struct Round {
    std::int64_t id = 0;  // What the caller knows it by.
    std::string method;
    Json params;  // As the caller gave them.
    Instant started{};
    Instant deadline = kNever;
    std::size_t count = 1;
    std::optional<std::string> state;  // The server's requestState.
  };

  // send says that `round` is on the wire as request `wire`.
  void send(std::int64_t wire, Round round) { sent_.insert_or_assign(wire, std::move(round)); }

  // find_sent returns the call that is on the wire as request `wire`, nullptr when that is none.
  const Round* find_sent(std::int64_t wire) const;

  // wire_of returns the request that the call `id` is on the wire as; `id` when it is no call.
  std::int64_t wire_of(std::int64_t id) const;

  // end forgets the call that was on the wire as `wire`, and returns what its caller knows it by;
  // `wire` when it is no call.
  std::int64_t end(std::int64_t wire);

  // wait takes the call `wire` off the wire: until `deadline` it waits for input, which goes to
  // the server with `state`. Returns what its caller knows it by. There must be such a call.
  std::int64_t wait(std::int64_t wire, Instant deadline, std::optional<std::string> state);

  // find_waiting returns the call `id` if it waits, take_waiting hands it over.
  const Round* find_waiting(std::int64_t id) const;
  std::optional<Round> take_waiting(std::int64_t id);

  std::size_t waiting() const { return waiting_.size(); }
  std::vector<std::int64_t> all_waiting() const;

  // due returns which of them have waited too long.
  std::vector<std::int64_t> due(Instant now) const;
  Instant next_deadline() const;

 private:
  std::map<std::int64_t, Round> sent_;     // By the id of the present request.
  std::map<std::int64_t, Round> waiting_;  // By the id that the caller knows.
};

}  // namespace plumbline::mcp
