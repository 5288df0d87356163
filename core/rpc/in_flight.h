// InFlight is the table of the requests that wait for an answer. It gives out the ids, never one
// twice, and ends each request exactly once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/rpc/message.h"

namespace plumbline::rpc {

class InFlight {
 public:
  struct Entry {
    std::int64_t id = 0;
    std::string method;
    Instant started{};
    Instant deadline = kNever;
    std::optional<RpcId> progress_token;  // Set when the request asks for progress.
    std::optional<double> progress;       // The last one reported.
  };

  // What is known of an id that a peer names.
  enum class Standing {
    kWaiting,    // In flight.
    kAbandoned,  // We gave up on it (timeout, cancel): its answer is merely late.
    kAnswered,   // Ended by an answer: a second one is a duplicate.
    kNeverSent,
  };

  // At most `size_max` wait at a time, and as many abandoned ids are remembered; an older one
  // counts as answered.
  explicit InFlight(std::size_t size_max);

  // named returns our request `id` as messages name it, and number_of the one that a message names:
  // nothing when the name is of another form than ours. "7" is not 7.
  RpcId named(std::int64_t id) const;
  std::optional<std::int64_t> number_of(const RpcId& name) const;

  bool full() const { return entries_.size() >= size_max_; }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  // start adds a request and returns its id: 1, 2, 3 ... Aborts when full().
  std::int64_t start(std::string method, Instant now, Instant deadline);

  Standing standing(std::int64_t id) const;

  // find returns the request while it waits, else nullptr. Valid until the next change.
  Entry* find(std::int64_t id);

  // find_token returns the waiting request that asked for progress under `token`, else nullptr.
  Entry* find_token(const RpcId& token);

  // answer takes out a request whose answer has come. It must be waiting.
  Entry answer(std::int64_t id);

  // abandon takes out a request that nobody waits for any more. It must be waiting.
  Entry abandon(std::int64_t id);

  // Judgement is what an answer to some id means: the end of a waiting request, a late one to be
  // dropped, or a violation by the peer.
  struct Judgement {
    bool awaited = false;
    bool late = false;
    std::string violation;  // Empty: none.
  };

  // judge says so, and remembers a late answer: the next one would be a duplicate. An id of
  // another JSON type than ours was never sent: "7" does not end 7.
  Judgement judge(const RpcId& id);

  // next_deadline returns the earliest one, kNever when there is none.
  Instant next_deadline() const;

  // due returns the ids whose deadline is at or before `now`, oldest first.
  std::vector<std::int64_t> due(Instant now) const;

  // ids returns every waiting id, oldest first.
  std::vector<std::int64_t> ids() const;

 private:
  Entry take(std::int64_t id);

  std::size_t size_max_;
  std::int64_t first_id_ = 1;
  std::int64_t next_id_ = 1;
  bool text_ = false;                   // Messages name requests by strings.
  std::deque<Entry> entries_;           // Sorted by id: mostly the oldest is taken out.
  std::deque<std::int64_t> abandoned_;  // Oldest first.
};

}  // namespace plumbline::rpc
