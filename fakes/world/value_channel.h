// ValueChannel is one end of a connection that passes Json values as they are, without bytes: the
// fast way to run a world.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/mcp/transport/message_channel.h"
#include "core/wire/lines.h"
#include "fakes/faults/breakable.h"
#include "fakes/faults/pace.h"
#include "fakes/world/actor.h"

namespace plumbline::fakes {

// RawSender is a channel that can also send text as it is, well formed or not.
class RawSender {
 public:
  // send_raw sends `text` as if it were bytes on a stream of lines: each whole line arrives as
  // on_message when it is JSON and as on_garbage otherwise, an empty one as nothing.
  virtual void send_raw(std::string text) = 0;

  // reset breaks the connection: what is on its way is lost and both receivers hear kDisconnected.
  virtual void reset() = 0;

 protected:
  ~RawSender() = default;
};

// A message is as large as the line of bytes that it would be.
using ValueOptions = PaceOptions;

class ValueChannel;

struct ValueChannelPair {
  std::unique_ptr<ValueChannel> near;
  std::unique_ptr<ValueChannel> far;
};

// make_value_channel returns two connected ends. `rng` is forked for each direction. The ends may
// be destroyed in any order; `loop` must outlive both.
ValueChannelPair make_value_channel(Loop& loop, const ValueOptions& options, const Rng& rng);

class ValueChannel final : public transport::MessageChannel,
                           public RawSender,
                           public Breakable,
                           private Owned {
 public:
  // An end of its own, whose messages go nowhere: use make_value_channel.
  ValueChannel(Loop& loop, const ValueOptions& options, Rng rng)
      : loop_(loop), pace_(options), rng_(rng) {}
  ~ValueChannel() override;

  // implements transport::MessageChannel ---
  void start(transport::MessageReceiver& receiver) override;
  void send(Json message) override;
  void close_send() override;
  void close() override;

  // implements RawSender and Breakable ---
  void send_raw(std::string text) override;
  void reset() override;

  // implements Breakable ---
  ValueChannel* other_end() override { return peer_; }
  Ending ending() const override;
  void stall_until(Instant when, Felt felt = {}) override;
  void hold_until(Instant when, Felt felt = {}) override { stall_until(when, std::move(felt)); }
  void throttle_until(Instant when, std::int64_t bytes_per_s, Felt felt = {}) override;
  void fragment_until(Instant, Felt = {}) override {}
  void delay_writes(std::function<Extra()> extra) override { delay_ = std::move(extra); }
  void end_input() override { receive_end(); }
  void reset_after(std::size_t, std::function<void()>) override {}

  using Owned::belongs_to;

 private:
  friend ValueChannelPair make_value_channel(Loop& loop, const ValueOptions& options,
                                             const Rng& rng);

  // Parcel is on its way to this end: a message, a line that is none, or the end.
  struct Parcel {
    enum class Kind { kMessage, kGarbage, kEnd } kind = Kind::kMessage;
    Instant due{};
    Json message;
    std::string bytes;           // Of garbage.
    std::optional<Error> error;  // Of garbage and of the end.
  };

  static std::size_t size_of(const Parcel& parcel);
  void fire() override;
  void receive(Parcel parcel);
  void receive_raw(std::string_view text);
  void receive_lines();
  void receive_end();
  void break_off();
  void arm_next();

  Loop& loop_;
  Pace pace_;
  Rng rng_;
  ValueChannel* peer_ = nullptr;  // Null once the peer is closed or destroyed.
  transport::MessageReceiver* receiver_ = nullptr;

  std::vector<Parcel> inbox_;  // From first_ on, in order.
  std::size_t first_ = 0;
  Instant stalled_until_{};
  Unfelt stalls_;
  std::function<Extra()> delay_;  // Empty: no fault wants to know.
  wire::LineReader lines_;        // Of what was sent raw to this end.
  bool line_open_ = false;        // The raw text so far ends inside a line.
  bool send_closed_ = false;
  bool end_queued_ = false;
  bool ended_ = false;
};

}  // namespace plumbline::fakes
