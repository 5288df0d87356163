// Breakable is one end of a simulated stream, as a fault plan sees it. Each end owns what is on its
// way to it, so a fault is a verb on the end at which it is felt; what the other end is to feel
// goes to other_end().

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <utility>
#include <vector>

#include "core/base/time.h"

namespace plumbline::fakes {

// Felt is called, once, when a fault first changes anything: a byte, a time, an order. It calls
// nothing of the stream. It may be empty.
using Felt = std::function<void()>;

// Extra is how much longer a write takes.
struct Extra {
  Duration time{};
  Felt felt;
};

// Unfelt are faults that go on and have changed nothing yet.
class Unfelt {
 public:
  void add(Instant until, Felt felt) {
    if (felt) faults_.emplace_back(until, std::move(felt));
  }

  // feel tells those that go on beyond `when` that they changed something.
  void feel(Instant when) {
    for (auto& [until, felt] : faults_) {
      if (until > when) std::exchange(felt, nullptr)();
    }
    std::erase_if(faults_, [](const auto& fault) { return !fault.second; });
  }

 private:
  std::vector<std::pair<Instant, Felt>> faults_;
};

// Ending is how far the end of a stream has come on its way to one of its ends.
enum class Ending { kNone, kOnItsWay, kHeard };

class Breakable {
 public:
  // other_end returns the end that writes to this one; null once it is closed or destroyed.
  virtual Breakable* other_end() = 0;

  // ending returns whether this end has heard, or will hear, that the stream has ended.
  virtual Ending ending() const = 0;

  // stall_until keeps everything from this end until `when`, or until an earlier call said, if that
  // is later; kNever for good. Nothing is lost. Over bytes, what the peer writes meanwhile counts
  // against its queue.
  virtual void stall_until(Instant when, Felt felt = {}) = 0;

  // hold_until stalls, and hands over what was kept back together: over bytes in one piece.
  virtual void hold_until(Instant when, Felt felt = {}) = 0;

  // throttle_until makes what is written to this end from now on arrive at `bytes_per_s` at most,
  // in pieces over bytes; what is still on its way at `when` arrives then.
  virtual void throttle_until(Instant when, std::int64_t bytes_per_s, Felt felt = {}) = 0;

  // fragment_until cuts and joins at drawn bytes; nothing where there are no bytes.
  virtual void fragment_until(Instant when, Felt felt = {}) = 0;

  // delay_writes asks `extra`, at each write to this end, how much longer it takes. What is written
  // later does not overtake it.
  virtual void delay_writes(std::function<Extra()> extra) = 0;

  // end_input makes this end hear an orderly end of the stream, after what is on its way. The other
  // direction goes on, and so may the peer, unheard.
  virtual void end_input() = 0;

  // reset breaks the stream in both directions: what is on its way is lost and both readers hear
  // kDisconnected, from the loop.
  virtual void reset() = 0;

  // reset_after breaks the stream as reset() does once this end has been given `bytes` more bytes,
  // the last piece cut short for it, and calls `struck` then. Nothing where there are no bytes.
  virtual void reset_after(std::size_t bytes, std::function<void()> struck) = 0;

 protected:
  ~Breakable() = default;
};

}  // namespace plumbline::fakes
