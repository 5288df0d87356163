// SimPipe is one end of a stream of bytes in a simulated world: with latency, cut anywhere, and
// breakable on demand.
//
// Faults are the verbs of Breakable, on the end at which they are felt. A stream that met none pays
// for none.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/net/pipe.h"
#include "fakes/faults/breakable.h"
#include "fakes/faults/pace.h"
#include "fakes/world/actor.h"

namespace plumbline::fakes {

// Fragments says how what was written arrives.
enum class Fragments {
  kWhole,    // As it was written: one on_bytes for each write, unless bandwidth cuts it.
  kRandom,   // Cut, and joined, at bytes drawn from the stream.
  kOneByte,  // A byte at a time.
};

struct PipeOptions {
  Duration latency_min{};
  Duration latency_max{};  // Drawn for each write when it is more than latency_min.
  Fragments fragments = Fragments::kWhole;
  std::size_t queue_bytes_max = limits::kWriteQueueBytesMax;
  std::uint32_t far_actor = 0;  // Whose turn it is when something arrives at the far end.
  Duration latency_tail{};
  int latency_tail_percent = 0;  // Of the writes take latency_tail instead.
  std::int64_t bytes_per_s = 0;  // 0: any number.

  PaceOptions pace() const {
    return {latency_min, latency_max, latency_tail, latency_tail_percent, bytes_per_s};
  }
};

class SimPipe;

struct SimPipePair {
  std::unique_ptr<SimPipe> near;
  std::unique_ptr<SimPipe> far;
};

// make_sim_pipe returns two connected ends. `rng` is forked for each direction. The ends may be
// destroyed in any order; `loop` must outlive both.
SimPipePair make_sim_pipe(Loop& loop, const PipeOptions& options, const Rng& rng);

class SimPipe final : public net::Pipe, public Breakable, private Owned {
 public:
  // An end of its own, whose writes go nowhere: use make_sim_pipe.
  SimPipe(Loop& loop, const PipeOptions& options, Rng rng)
      : loop_(loop),
        fragments_(options.fragments),
        queue_bytes_max_(options.queue_bytes_max),
        pace_(options.pace()),
        rng_(rng) {}
  ~SimPipe() override;

  // implements transport::Pipe ---
  //
  // What was written before the writer ended or was destroyed still arrives. Bytes that arrive
  // before start() wait for it.
  void start(net::PipeReader& reader) override;
  void write(std::string bytes) override;
  void close_write() override;
  void close() override;
  std::size_t queued_bytes() const override { return peer_ == nullptr ? 0 : peer_->inbox_bytes_; }
  void await_drained() override { drain_awaited_ = true; }

  // implements Breakable ---
  SimPipe* other_end() override { return peer_; }
  Ending ending() const override;
  void stall_until(Instant when, Felt felt = {}) override;
  void hold_until(Instant when, Felt felt = {}) override;
  void throttle_until(Instant when, std::int64_t bytes_per_s, Felt felt = {}) override;
  void fragment_until(Instant when, Felt felt = {}) override;
  void delay_writes(std::function<Extra()> extra) override;
  void end_input() override { receive_end(); }
  void reset() override;
  void reset_after(std::size_t bytes, std::function<void()> struck = {}) override;

  using Owned::belongs_to;

  // bytes_read returns how many bytes this end has been given.
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  friend SimPipePair make_sim_pipe(Loop& loop, const PipeOptions& options, const Rng& rng);

  // Parcel is on its way to this end: bytes, or the end of the stream when there are none.
  struct Parcel {
    Instant due{};
    std::string bytes;
    std::optional<Error> error;  // Of the end of the stream.
  };

  // Trouble is what faults have in store for this end.
  struct Trouble {
    bool joined = false;  // The next piece is everything that was kept back.
    Unfelt stalls;
    Instant fragments_until{};
    Felt fragments_felt;
    std::function<Extra()> delay;
    std::optional<std::size_t> reset_after;
    std::function<void()> on_reset;
  };

  void fire() override;
  void receive(std::string bytes);
  void receive_slowly(const std::string& bytes);
  void receive_end();
  void break_with(Error error);
  void arm_next();
  void tell_drained();
  std::size_t next_size();
  std::size_t due_bytes() const;
  std::string take_piece();
  void cut_for_reset(std::string& piece);
  void deliver_end();
  Trouble& trouble();

  Loop& loop_;
  Fragments fragments_;
  std::size_t queue_bytes_max_;
  Pace pace_;
  Rng rng_;
  SimPipe* peer_ = nullptr;  // Null once the peer is closed or destroyed.
  net::PipeReader* reader_ = nullptr;

  std::vector<Parcel> inbox_;  // From first_ on, in order.
  std::size_t first_ = 0;
  std::size_t cut_ = 0;  // Bytes of the first parcel that were given already.
  std::size_t inbox_bytes_ = 0;
  bool drain_awaited_ = false;
  Alarm drained_turn_{[this] {
    if (reader_ != nullptr && !ended_) reader_->on_drained();
  }};
  Instant stalled_until_{};
  std::unique_ptr<Trouble> trouble_;  // Null while there is none.
  std::uint64_t bytes_read_ = 0;
  bool write_closed_ = false;  // Our direction.
  bool end_queued_ = false;    // The peer's direction.
  bool ended_ = false;         // on_end was called, or close().
};

}  // namespace plumbline::fakes
