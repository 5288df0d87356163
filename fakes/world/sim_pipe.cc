#include "fakes/world/sim_pipe.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace plumbline::fakes {

namespace {

// A write that bandwidth stretches arrives in so many pieces at most, of so many bytes at least.
constexpr std::size_t kSlowPiecesMax = 8;
constexpr std::size_t kSlowPieceBytesMin = 64;

Error connection_reset() { return {ErrorCode::kDisconnected, "the connection was reset"}; }

}  // namespace

SimPipePair make_sim_pipe(Loop& loop, const PipeOptions& options, const Rng& rng) {
  SimPipePair pair{std::make_unique<SimPipe>(loop, options, rng.fork("near")),
                   std::make_unique<SimPipe>(loop, options, rng.fork("far"))};
  pair.near->peer_ = pair.far.get();
  pair.far->peer_ = pair.near.get();
  pair.far->belongs_to(options.far_actor);
  return pair;
}

SimPipe::~SimPipe() { close(); }

void SimPipe::start(net::PipeReader& reader) {
  check(reader_ == nullptr, "a pipe is started once");
  reader_ = &reader;
  arm_next();
}

void SimPipe::write(std::string bytes) {
  if (write_closed_ || peer_ == nullptr || bytes.empty()) return;
  if (bytes.size() <= queue_bytes_max_ - peer_->inbox_bytes_) {
    return peer_->receive(std::move(bytes));
  }
  peer_->break_with(connection_reset());
  break_with({ErrorCode::kLimitReached,
              "more than " + std::to_string(queue_bytes_max_) + " bytes wait to be sent"});
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
  drained_turn_.cancel();
}

Ending SimPipe::ending() const {
  if (ended_) return Ending::kHeard;
  return end_queued_ ? Ending::kOnItsWay : Ending::kNone;
}

void SimPipe::stall_until(Instant when, Felt felt) {
  if (felt) trouble().stalls.add(when, std::move(felt));
  stalled_until_ = std::max(stalled_until_, when);
  disarm();
  arm_next();
}

void SimPipe::hold_until(Instant when, Felt felt) {
  stall_until(when, [this, felt = std::move(felt)] {
    trouble().joined = true;
    if (felt) felt();
  });
}

void SimPipe::throttle_until(Instant when, std::int64_t bytes_per_s, Felt felt) {
  pace_.throttle_until(when, bytes_per_s, std::move(felt));
}

void SimPipe::fragment_until(Instant when, Felt felt) {
  trouble().fragments_until = when;
  trouble().fragments_felt = std::move(felt);
}

void SimPipe::delay_writes(std::function<Extra()> extra) { trouble().delay = std::move(extra); }

void SimPipe::reset() {
  if (peer_ != nullptr) peer_->break_with(connection_reset());
  break_with(connection_reset());
}

void SimPipe::reset_after(std::size_t bytes, std::function<void()> struck) {
  trouble().reset_after = bytes;
  trouble().on_reset = std::move(struck);
  std::string none;
  if (bytes == 0) cut_for_reset(none);
}

void SimPipe::receive(std::string bytes) {
  if (end_queued_) return;
  inbox_bytes_ += bytes.size();
  if (trouble_ != nullptr && trouble_->delay) pace_.delay_next(trouble_->delay());
  if (pace_.counts_bytes(loop_.now())) {
    receive_slowly(bytes);
  } else {
    const Instant due = pace_.due(loop_.now(), bytes.size(), rng_);
    inbox_.push_back(Parcel{due, std::move(bytes), {}});
  }
  arm_next();
}

void SimPipe::receive_slowly(const std::string& bytes) {
  const std::size_t each = std::max(kSlowPieceBytesMin, bytes.size() / kSlowPiecesMax + 1);
  for (std::size_t at = 0; at < bytes.size(); at += each) {
    std::string piece = bytes.substr(at, each);
    const Instant due = pace_.due(loop_.now(), piece.size(), rng_);
    inbox_.push_back(Parcel{due, std::move(piece), {}});
  }
}

void SimPipe::receive_end() {
  if (std::exchange(end_queued_, true)) return;
  inbox_.push_back(Parcel{pace_.due(loop_.now(), 0, rng_), {}, {}});
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
  trouble_.reset();
  stalled_until_ = Instant();
  inbox_.push_back(Parcel{loop_.now(), {}, std::move(error)});
  disarm();
  arm_next();
}

void SimPipe::arm_next() {
  if (armed() || ended_ || reader_ == nullptr || first_ == inbox_.size()) return;
  const Instant due = std::max(inbox_[first_].due, loop_.now());
  if (trouble_ != nullptr && due < stalled_until_) trouble_->stalls.feel(due);
  const Instant when = std::max(inbox_[first_].due, stalled_until_);
  if (when != kNever) loop_.arm(*this, when);
}

void SimPipe::fire() {
  if (inbox_[first_].bytes.empty()) return deliver_end();
  std::string piece = take_piece();
  if (trouble_ != nullptr) cut_for_reset(piece);
  bytes_read_ += piece.size();
  arm_next();
  if (inbox_bytes_ == 0 && peer_ != nullptr) peer_->tell_drained();
  reader_->on_bytes(piece);  // May destroy this.
}

// tell_drained: the other end has taken all that was written.
void SimPipe::tell_drained() {
  if (std::exchange(drain_awaited_, false)) loop_.arm(drained_turn_, loop_.now());
}

void SimPipe::deliver_end() {
  const std::optional<Error> error = std::move(inbox_[first_].error);
  ended_ = true;
  reader_->on_end(error ? &*error : nullptr);  // May destroy this.
}

// cut_for_reset cuts `piece` where the stream is to break, and breaks it there.
void SimPipe::cut_for_reset(std::string& piece) {
  if (!trouble_->reset_after) return;
  std::size_t& left = *trouble_->reset_after;
  piece.resize(std::min(piece.size(), left));
  left -= piece.size();
  if (left > 0) return;
  const std::function<void()> struck = std::move(trouble_->on_reset);
  reset();
  if (struck) struck();
}

SimPipe::Trouble& SimPipe::trouble() {
  if (trouble_ == nullptr) trouble_ = std::make_unique<Trouble>();
  return *trouble_;
}

// due_bytes returns how many bytes could be handed over now.
std::size_t SimPipe::due_bytes() const {
  std::size_t size = inbox_[first_].bytes.size() - cut_;
  for (std::size_t next = first_ + 1; next < inbox_.size(); ++next) {
    const Parcel& parcel = inbox_[next];
    if (parcel.due > loop_.now() || parcel.bytes.empty()) break;
    size += parcel.bytes.size();
  }
  return size;
}

// next_size returns how many bytes are handed over next.
std::size_t SimPipe::next_size() {
  if (trouble_ != nullptr && std::exchange(trouble_->joined, false)) return due_bytes();
  if (fragments_ == Fragments::kOneByte) return 1;
  std::size_t size = inbox_[first_].bytes.size() - cut_;
  const bool cut = trouble_ != nullptr && loop_.now() < trouble_->fragments_until;
  if (!cut && fragments_ != Fragments::kRandom) return size;
  const std::size_t whole = size;
  for (std::size_t next = first_ + 1; next < inbox_.size(); ++next) {
    const Parcel& parcel = inbox_[next];
    if (parcel.due > loop_.now() || parcel.bytes.empty() || rng_.chance(1, 2)) break;
    size += parcel.bytes.size();
  }
  size = 1 + static_cast<std::size_t>(rng_.below(size));
  const bool by_fault = cut && fragments_ != Fragments::kRandom && size != whole;
  if (by_fault && trouble_->fragments_felt) std::exchange(trouble_->fragments_felt, nullptr)();
  return size;
}

// take_piece takes the next bytes to hand over out of the inbox, which begins with some.
std::string SimPipe::take_piece() {
  const std::size_t size = next_size();
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
