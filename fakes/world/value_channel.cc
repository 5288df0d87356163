#include "fakes/world/value_channel.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace plumbline::fakes {

ValueChannelPair make_value_channel(Loop& loop, const ValueOptions& options, const Rng& rng) {
  ValueChannelPair pair{std::make_unique<ValueChannel>(loop, options, rng.fork("near")),
                        std::make_unique<ValueChannel>(loop, options, rng.fork("far"))};
  pair.near->peer_ = pair.far.get();
  pair.far->peer_ = pair.near.get();
  return pair;
}

ValueChannel::~ValueChannel() { close(); }

void ValueChannel::start(transport::MessageReceiver& receiver) {
  check(receiver_ == nullptr, "a channel is started once");
  receiver_ = &receiver;
  arm_next();
}

void ValueChannel::send(Json message) {
  if (send_closed_ || peer_ == nullptr) return;
  // As on a stream of bytes, a message after half a line is the rest of that line.
  if (peer_->line_open_) return peer_->receive_raw(dump_json(message) + '\n');
  Parcel parcel;
  parcel.message = std::move(message);
  peer_->receive(std::move(parcel));
}

void ValueChannel::send_raw(std::string text) {
  if (!send_closed_ && peer_ != nullptr && !text.empty()) peer_->receive_raw(text);
}

void ValueChannel::close_send() {
  if (std::exchange(send_closed_, true)) return;
  if (peer_ != nullptr) peer_->receive_end();
}

void ValueChannel::close() {
  close_send();
  if (peer_ != nullptr) std::exchange(peer_, nullptr)->peer_ = nullptr;
  ended_ = true;
  inbox_.clear();
  first_ = 0;
  disarm();
}

void ValueChannel::reset() {
  if (peer_ != nullptr) peer_->break_off();
  break_off();
}

Ending ValueChannel::ending() const {
  if (ended_) return Ending::kHeard;
  return end_queued_ ? Ending::kOnItsWay : Ending::kNone;
}

void ValueChannel::stall_until(Instant when, Felt felt) {
  stalls_.add(when, std::move(felt));
  stalled_until_ = std::max(stalled_until_, when);
  disarm();
  arm_next();
}

void ValueChannel::throttle_until(Instant when, std::int64_t bytes_per_s, Felt felt) {
  pace_.throttle_until(when, bytes_per_s, std::move(felt));
}

// size_of returns how many bytes the line of a parcel would have.
std::size_t ValueChannel::size_of(const Parcel& parcel) {
  if (parcel.kind == Parcel::Kind::kEnd) return 0;
  if (parcel.kind == Parcel::Kind::kGarbage) return parcel.bytes.size() + 1;
  return dump_json(parcel.message).size() + 1;
}

void ValueChannel::receive(Parcel parcel) {
  if (end_queued_ || ended_) return;
  if (delay_ && parcel.kind != Parcel::Kind::kEnd) pace_.delay_next(delay_());
  std::size_t bytes = 0;
  if (pace_.counts_bytes(loop_.now())) bytes = size_of(parcel);
  parcel.due = pace_.due(loop_.now(), bytes, rng_);
  inbox_.push_back(std::move(parcel));
  arm_next();
}

void ValueChannel::receive_raw(std::string_view text) {
  if (end_queued_ || ended_) return;
  line_open_ = text.back() != '\n';
  lines_.feed(text);
  receive_lines();
}

void ValueChannel::receive_lines() {
  while (const std::optional<wire::Line> line = lines_.next()) {
    Parcel parcel;
    parcel.kind = Parcel::Kind::kGarbage;
    parcel.bytes = line->bytes;
    if (line->kind == wire::Line::Kind::kTooLong) {
      parcel.error = Error{ErrorCode::kLimitReached, "a line that is too long"};
    } else if (line->kind == wire::Line::Kind::kUnterminated) {
      parcel.error = Error{ErrorCode::kDisconnected, "the stream ended inside a line"};
    } else if (Result<Json> message = parse_json(line->bytes); !message.ok()) {
      parcel.error = message.error();
    } else {
      parcel.kind = Parcel::Kind::kMessage;
      parcel.message = std::move(message).value();
    }
    receive(std::move(parcel));
  }
}

void ValueChannel::receive_end() {
  if (end_queued_ || ended_) return;
  lines_.finish();
  receive_lines();
  Parcel end;
  end.kind = Parcel::Kind::kEnd;
  receive(std::move(end));
  end_queued_ = true;
}

void ValueChannel::break_off() {
  send_closed_ = true;
  if (ended_) return;
  end_queued_ = true;
  inbox_.clear();
  first_ = 0;
  stalled_until_ = Instant();
  Parcel end;
  end.kind = Parcel::Kind::kEnd;
  end.due = loop_.now();
  end.error = Error{ErrorCode::kDisconnected, "the connection was reset"};
  inbox_.push_back(std::move(end));
  disarm();
  arm_next();
}

void ValueChannel::arm_next() {
  if (armed() || ended_ || receiver_ == nullptr || first_ == inbox_.size()) return;
  const Instant due = std::max(inbox_[first_].due, loop_.now());
  if (due < stalled_until_) stalls_.feel(due);
  const Instant when = std::max(inbox_[first_].due, stalled_until_);
  if (when != kNever) loop_.arm(*this, when);
}

void ValueChannel::fire() {
  Parcel parcel = std::move(inbox_[first_]);
  if (++first_ == inbox_.size() || first_ >= 64) {
    inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  arm_next();
  switch (parcel.kind) {  // Each may destroy this.
    case Parcel::Kind::kMessage:
      return receiver_->on_message(std::move(parcel.message));
    case Parcel::Kind::kGarbage:
      return receiver_->on_garbage(parcel.bytes, *parcel.error);
    case Parcel::Kind::kEnd:
      ended_ = true;
      return receiver_->on_closed(parcel.error ? &*parcel.error : nullptr);
  }
}

}  // namespace plumbline::fakes
