#include "fakes/sim_pipe.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace plumbline::fakes {

namespace {

Error connection_reset() { return {ErrorCode::kDisconnected, "the connection was reset"}; }

}  // namespace

SimPipePair make_sim_pipe(Loop& loop, const PipeOptions& options, const Rng& rng) {
  check(options.latency_min <= options.latency_max, "latency_min is above latency_max");
  SimPipePair pair{std::make_unique<SimPipe>(loop, options, rng.fork("near")),
                   std::make_unique<SimPipe>(loop, options, rng.fork("far"))};
  pair.near->peer_ = pair.far.get();
  pair.far->peer_ = pair.near.get();
  return pair;
}

SimPipe::~SimPipe() { close(); }

void SimPipe::start(transport::PipeReader& reader) {
  check(reader_ == nullptr, "a pipe is started once");
  reader_ = &reader;
  arm_next();
}

void SimPipe::write(std::string bytes) {
  if (write_closed_ || peer_ == nullptr || bytes.empty()) return;
  if (bytes.size() <= options_.queue_bytes_max - peer_->inbox_bytes_) {
    return peer_->receive(std::move(bytes));
  }
  peer_->break_with(connection_reset());
  break_with({ErrorCode::kLimitReached,
              "more than " + std::to_string(options_.queue_bytes_max) + " bytes wait to be sent"});
}

void SimPipe::close_write() {
  if (std::exchange(write_closed_, true)) return;
  if (peer_ != nullptr) peer_->receive_end();
}

void SimPipe::close() {
  close_write();
  if (peer_ != nullptr) std::exchange(peer_, nullptr)->peer_ = nullptr;
  ended_ = true;
  inbox_.clear();
  first_ = 0;
  disarm();
}

void SimPipe::stall_until(Instant when) {
  stalled_until_ = when;
  disarm();
  arm_next();
}

void SimPipe::reset() {
  if (peer_ != nullptr) peer_->break_with(connection_reset());
  break_with(connection_reset());
}

void SimPipe::reset_after(std::size_t bytes) {
  if (bytes == 0) return reset();
  reset_after_ = bytes;
}

Instant SimPipe::draw_due() {
  const Duration latency =
      options_.latency_min == options_.latency_max
          ? options_.latency_min
          : Duration(rng_.between(options_.latency_min.count(), options_.latency_max.count()));
  last_due_ = std::max(last_due_, after(loop_.now(), latency));
  return last_due_;
}

void SimPipe::receive(std::string bytes) {
  if (end_queued_) return;
  inbox_bytes_ += bytes.size();
  inbox_.push_back(Parcel{draw_due(), std::move(bytes), {}});
  arm_next();
}

void SimPipe::receive_end() {
  if (std::exchange(end_queued_, true)) return;
  inbox_.push_back(Parcel{draw_due(), {}, {}});
  arm_next();
}

void SimPipe::break_with(Error error) {
  write_closed_ = true;
  if (ended_) return;
  end_queued_ = true;
  inbox_.clear();
  first_ = 0;
  cut_ = 0;
  inbox_bytes_ = 0;
  reset_after_.reset();
  stalled_until_ = Instant();
  inbox_.push_back(Parcel{loop_.now(), {}, std::move(error)});
  disarm();
  arm_next();
}

void SimPipe::arm_next() {
  if (armed() || ended_ || reader_ == nullptr || first_ == inbox_.size()) return;
  const Instant when = std::max(inbox_[first_].due, stalled_until_);
  if (when != kNever) loop_.arm(*this, when);
}

void SimPipe::fire() {
  if (inbox_[first_].bytes.empty()) return deliver_end();
  std::string piece = take_piece();
  if (reset_after_) {
    piece.resize(std::min(piece.size(), *reset_after_));
    *reset_after_ -= piece.size();
    if (*reset_after_ == 0) reset();
  }
  bytes_read_ += piece.size();
  arm_next();
  reader_->on_bytes(piece);  // May destroy this.
}

void SimPipe::deliver_end() {
  const std::optional<Error> error = std::move(inbox_[first_].error);
  ended_ = true;
  reader_->on_end(error ? &*error : nullptr);  // May destroy this.
}

// take_piece takes the next bytes to hand over out of the inbox, which begins with some.
std::string SimPipe::take_piece() {
  std::size_t size = inbox_[first_].bytes.size() - cut_;
  if (options_.fragments == Fragments::kOneByte) size = 1;
  if (options_.fragments == Fragments::kRandom) {
    for (std::size_t next = first_ + 1; next < inbox_.size(); ++next) {
      const Parcel& parcel = inbox_[next];
      if (parcel.due > loop_.now() || parcel.bytes.empty() || rng_.chance(1, 2)) break;
      size += parcel.bytes.size();
    }
    size = 1 + static_cast<std::size_t>(rng_.below(size));
  }
  inbox_bytes_ -= size;
  std::string piece;
  while (piece.size() < size) {
    Parcel& parcel = inbox_[first_];
    const std::size_t wanted = size - piece.size();
    const std::size_t held = parcel.bytes.size() - cut_;
    if (piece.empty() && cut_ == 0 && wanted >= held) {
      piece = std::move(parcel.bytes);
    } else {
      piece.append(parcel.bytes, cut_, std::min(wanted, held));
    }
    cut_ = wanted >= held ? 0 : cut_ + wanted;
    if (cut_ == 0) ++first_;
  }
  if (first_ == inbox_.size() || first_ >= 64) {
    inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  return piece;
}

}  // namespace plumbline::fakes
