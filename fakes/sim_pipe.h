// SimPipe is one end of a stream of bytes in a simulated world: with latency, cut anywhere, and
// breakable on demand.
//
// Each end owns what is on its way to it. Faults are verbs on the end at which they are felt: a
// stalled end hears nothing for a while, a reset breaks both.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/transport/pipe.h"

namespace plumbline::fakes {

// Fragments says how what was written arrives.
enum class Fragments {
  kWhole,    // As it was written: one on_bytes for each write.
  kRandom,   // Cut, and joined, at bytes drawn from the stream.
  kOneByte,  // A byte at a time.
};

struct PipeOptions {
  Duration latency_min{};
  Duration latency_max{};  // Drawn for each write when it is more than latency_min.
  Fragments fragments = Fragments::kWhole;
  std::size_t queue_bytes_max = limits::kWriteQueueBytesMax;
};

class SimPipe;

struct SimPipePair {
  std::unique_ptr<SimPipe> near;
  std::unique_ptr<SimPipe> far;
};

// make_sim_pipe returns two connected ends. `rng` is forked for each direction. The ends may be
// destroyed in any order; `loop` must outlive both.
SimPipePair make_sim_pipe(Loop& loop, const PipeOptions& options, const Rng& rng);

class SimPipe final : public transport::Pipe, private Timer {
 public:
  // An end of its own, whose writes go nowhere: use make_sim_pipe.
  SimPipe(Loop& loop, const PipeOptions& options, Rng rng)
      : loop_(loop), options_(options), rng_(rng) {}
  ~SimPipe() override;

  // implements transport::Pipe ---
  //
  // What was written before the writer ended or was destroyed still arrives. Bytes that arrive
  // before start() wait for it.
  void start(transport::PipeReader& reader) override;
  void write(std::string bytes) override;
  void close_write() override;
  void close() override;

  // Faults ---

  // stall_until keeps everything from this end until `when`; kNever for good. Nothing is lost, and
  // what the peer writes meanwhile counts against its queue.
  void stall_until(Instant when);

  // reset breaks the stream in both directions: what is on its way is lost and both readers hear
  // kDisconnected, from the loop.
  void reset();

  // reset_after breaks the stream as reset() does once this end has been given `bytes` more bytes,
  // the last piece cut short for it.
  void reset_after(std::size_t bytes);

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

  void fire() override;
  void receive(std::string bytes);
  void receive_end();
  void break_with(Error error);
  void arm_next();
  Instant draw_due();
  std::string take_piece();
  void deliver_end();

  Loop& loop_;
  PipeOptions options_;
  Rng rng_;
  SimPipe* peer_ = nullptr;  // Null once the peer is closed or destroyed.
  transport::PipeReader* reader_ = nullptr;

  std::vector<Parcel> inbox_;  // From first_ on, in order.
  std::size_t first_ = 0;
  std::size_t cut_ = 0;  // Bytes of the first parcel that were given already.
  std::size_t inbox_bytes_ = 0;
  Instant last_due_{};
  Instant stalled_until_{};
  std::optional<std::size_t> reset_after_;
  std::uint64_t bytes_read_ = 0;
  bool write_closed_ = false;  // Our direction.
  bool end_queued_ = false;    // The peer's direction.
  bool ended_ = false;         // on_end was called, or close().
};

}  // namespace plumbline::fakes
