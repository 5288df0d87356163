// ValueChannel is one end of a connection that passes Json values as they are, without bytes: the
// fast way to run a world.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/transport/message_channel.h"
#include "core/wire/lines.h"

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

struct ValueOptions {
  Duration latency_min{};
  Duration latency_max{};  // Drawn for each message when it is more than latency_min.
};

class ValueChannel;

struct ValueChannelPair {
  std::unique_ptr<ValueChannel> near;
  std::unique_ptr<ValueChannel> far;
};

// make_value_channel returns two connected ends. `rng` is forked for each direction. The ends may
// be destroyed in any order; `loop` must outlive both.
ValueChannelPair make_value_channel(Loop& loop, const ValueOptions& options, const Rng& rng);

class ValueChannel final : public transport::MessageChannel, public RawSender, private Timer {
 public:
  // An end of its own, whose messages go nowhere: use make_value_channel.
  ValueChannel(Loop& loop, const ValueOptions& options, Rng rng)
      : loop_(loop), options_(options), rng_(rng) {}
  ~ValueChannel() override;

  // implements transport::MessageChannel ---
  void start(transport::MessageReceiver& receiver) override;
  void send(Json message) override;
  void close_send() override;
  void close() override;

  // implements RawSender ---
  void send_raw(std::string text) override;
  void reset() override;

  // stall_until keeps everything from this end until `when`; nothing is lost.
  void stall_until(Instant when);

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

  void fire() override;
  void receive(Parcel parcel);
  void receive_raw(std::string_view text);
  void receive_lines();
  void receive_end();
  void break_off();
  void arm_next();

  Loop& loop_;
  ValueOptions options_;
  Rng rng_;
  ValueChannel* peer_ = nullptr;  // Null once the peer is closed or destroyed.
  transport::MessageReceiver* receiver_ = nullptr;

  std::vector<Parcel> inbox_;  // From first_ on, in order.
  std::size_t first_ = 0;
  Instant last_due_{};
  Instant stalled_until_{};
  wire::LineReader lines_;  // Of what was sent raw to this end.
  bool line_open_ = false;  // The raw text so far ends inside a line.
  bool send_closed_ = false;
  bool end_queued_ = false;
  bool ended_ = false;
};

}  // namespace plumbline::fakes
