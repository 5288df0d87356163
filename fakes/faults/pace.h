// Pace says when what is written to one end of a simulated stream arrives there: latency with a
// long tail, bandwidth, and what a fault adds to them.

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/rng.h"
#include "core/base/time.h"
#include "fakes/faults/breakable.h"

namespace plumbline::fakes {

struct PaceOptions {
  Duration latency_min{};
  Duration latency_max{};  // Drawn for each write when it is more than latency_min.
  Duration latency_tail{};
  int latency_tail_percent = 0;  // Of the writes take latency_tail instead.
  std::int64_t bytes_per_s = 0;  // 0: any number.
};

class Pace {
 public:
  explicit Pace(const PaceOptions& options);

  // due returns when a write of `bytes` at `now` arrives, never before the one before it.
  Instant due(Instant now, std::size_t bytes, Rng& rng) {
    Duration latency = options_.latency_min;
    if (drawn_) latency = draw_latency(rng);
    if (special_) return slowed_due(now, bytes, latency);
    const Instant when = after(now, latency);
    if (when > last_due_) last_due_ = when;
    return last_due_;
  }

  // counts_bytes returns whether the size of a write at `now` matters.
  bool counts_bytes(Instant now) const {
    return options_.bytes_per_s > 0 || now < throttled_until_;
  }

  // throttle_until makes writes until `when` arrive at `bytes_per_s` at most, or at `when`.
  // `felt` is called when that first makes one later; it replaces that of an earlier call.
  void throttle_until(Instant when, std::int64_t bytes_per_s, Felt felt = {});

  // delay_next makes the next write take `extra` longer.
  void delay_next(Extra extra);

 private:
  Duration draw_latency(Rng& rng) const;
  Instant slowed_due(Instant now, std::size_t bytes, Duration latency);
  Instant sent_at(Instant now, std::size_t bytes) const;

  PaceOptions options_;
  bool drawn_ = false;    // The latency of a write is drawn.
  bool special_ = false;  // More than the latency counts.
  Instant last_due_{};
  Instant line_free_{};  // When the last byte so far has left the writer.
  Instant throttled_until_{};
  std::int64_t throttled_to_ = 0;
  Felt throttle_felt_;
  Extra extra_;
};

}  // namespace plumbline::fakes
