#include "core/connector/pool/connection_pool.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/base/check.h"

namespace plumbline::connector {

namespace {

constexpr int kLooksAnInterval = 16;

}  // namespace

ConnectionPool::ConnectionPool(Loop& loop, PoolOwner& owner, PoolOptions options)
    : loop_(loop), owner_(owner), options_(options), soon_([this] { serve(); }), due_([this] {
        look_at_idle();
      }) {
  check(options_.connections_max > 0 && options_.requests_max > 0, "a pool without room");
}

ConnectionPool::Acquire ConnectionPool::acquire(std::string agent, std::string principal,
                                                Instant deadline) {
  return {*this, PoolKey{std::move(agent), std::move(principal)}, deadline};
}

bool ConnectionPool::is_idle(const Slot& slot) {
  return slot.state == Slot::kOpen && slot.uses == 0 && !slot.pinging;
}

// note takes in what a slot has become: whoever changes one says so.
void ConnectionPool::note(Slots::iterator at) {
  Slot& slot = at->second;
  if (is_idle(slot) && !slot.idle) {
    slot.idle = idle_.size();
    idle_.push_back(at);
  } else if (!is_idle(slot) && slot.idle) {
    idle_[*slot.idle] = idle_.back();
    idle_.back()->second.idle = *slot.idle;
    idle_.pop_back();
    slot.idle.reset();
  }
  const bool lacks = slot.state == Slot::kNone && slot.waiting > 0;
  if (lacks && !slot.lacks) ++lacking_;
  if (!lacks && slot.lacks) --lacking_;
  slot.lacks = lacks;
  const bool unused = slot.state == Slot::kNone && slot.uses + slot.waiting == 0;
  has_unused_ = has_unused_ || unused;
}

// try_now serves who comes while there is room for all. Nobody overtakes those who wait for room,
// or before them on behalf of the same principal.
bool ConnectionPool::try_now(Acquire& waiter) {
  if (used_ >= options_.connections_max && pending_ == 0) drop_dead();
  if (pending_ > 0) {
    const auto slot = slots_.find(waiter.key_);
    const bool open = slot != slots_.end() && slot->second.state == Slot::kOpen;
    const auto line = lines_.find(waiter.key_.principal);
    if (!open || (line != lines_.end() && !line->second.waiting.empty())) return false;
  }
  return grant(waiter, slots_.try_emplace(waiter.key_).first);
}

// grant gives a waiter its connection when it is open, or when the waiter may open it now.
bool ConnectionPool::grant(Acquire& waiter, Slots::iterator at) {
  Slot& slot = at->second;
  if (slot.state == Slot::kOpening || slot.state == Slot::kClosing) return false;
  const bool open = slot.state == Slot::kOpen && owner_.is_open(at->first);
  if (open && slot.uses >= options_.requests_max) return false;
  if (open && short_of_room_ && slot.in_turn >= options_.turn_requests_max) return false;
  if (slot.state == Slot::kNone && used_ >= options_.connections_max) return false;
  if (!open) {
    if (slot.state == Slot::kNone) ++used_;
    slot.state = Slot::kOpening;
    slot.in_turn = 0;
  }
  if (short_of_room_) {
    ++slot.in_turn;
    Lines::value_type& line = line_of(waiter.key_.principal);
    const bool waits = turns_.erase(&line) > 0;
    ++line.second.served;
    if (waits) turns_.insert(&line);
  }
  ++slot.uses;
  note(at);
  waiter.granted_ = at;
  waiter.must_open_ = !open;
  return true;
}

ConnectionPool::Lines::value_type& ConnectionPool::line_of(const std::string& principal) {
  const auto [line, added] = lines_.try_emplace(principal);
  if (added) line->second.served = floor_;
  return *line;
}

// enter takes who comes to wait to have had what those who wait have had at least: nobody saves up
// for later, and nobody pays for a moment in which all of it was served.
void ConnectionPool::enter(Acquire& waiter) {
  floor_ = turns_.empty() ? 0 : (*turns_.begin())->second.served;
  Lines::value_type& entry = line_of(waiter.key_.principal);
  Line& line = entry.second;
  if (line.waiting.empty()) {
    line.served = std::max(line.served, floor_);
    turns_.insert(&entry);
  }
  line.waiting.push_back(&waiter);
  waiter.awaited_ = slots_.try_emplace(waiter.key_).first;
  ++waiter.awaited_->second.waiting;
  note(waiter.awaited_);
  ++pending_;
  serve_soon();
}

void ConnectionPool::leave(Acquire& waiter) {
  Lines::value_type& line = *lines_.find(waiter.key_.principal);
  std::erase(line.second.waiting, &waiter);
  if (line.second.waiting.empty()) turns_.erase(&line);
  --waiter.awaited_->second.waiting;
  note(waiter.awaited_);
  --pending_;
}

void ConnectionPool::serve_soon() {
  if (pending_ > 0 && !soon_.armed()) loop_.arm(soon_, loop_.now());
}

// serve gives out what there is, and makes room for what there is not.
void ConnectionPool::serve() {
  for (;;) {
    drop_dead();
    while (serve_one()) {
    }
    const bool was_short = std::exchange(short_of_room_, make_room());
    if (!was_short || short_of_room_) break;
    for (auto& [key, slot] : slots_) slot.in_turn = 0;  // Nobody is short any more: once again.
  }
  if (short_of_room_) return;
  std::erase_if(lines_, [](const auto& line) { return line.second.waiting.empty(); });
}

bool ConnectionPool::serve_one() {
  for (const Lines::value_type* const line : turns_) {
    for (Acquire* const waiter : line->second.waiting) {
      if (!grant(*waiter, waiter->awaited_)) continue;
      leave(*waiter);
      waiter->waiting_ = false;
      loop_.arm(*waiter, loop_.now());
      return true;
    }
  }
  return false;
}

// make_room ends as many idle connections as are lacking, and returns whether any is.
bool ConnectionPool::make_room() {
  if (lacking_ == 0) return false;
  std::vector<Slots::iterator> idle = idle_;
  std::ranges::sort(idle, {}, [](auto at) { return std::tie(at->second.idle_since, at->first); });
  idle.resize(std::min(idle.size(), lacking_ - std::min(lacking_, closing_)));
  for (const Slots::iterator at : idle) end(at, "another agent needs the room");
  return true;
}

// drop_dead makes room where a connection has died by itself: there is, once it has ended.
void ConnectionPool::drop_dead() {
  std::vector<Slots::iterator> dead;
  std::ranges::copy_if(idle_, std::back_inserter(dead),
                       [this](auto at) { return !owner_.is_open(at->first); });
  std::ranges::sort(dead, {}, [](auto at) -> const PoolKey& { return at->first; });
  for (const Slots::iterator at : dead) end(at, "the connection was lost");
  if (!std::exchange(has_unused_, false)) return;
  std::erase_if(slots_, [](const Slots::value_type& slot) {
    return slot.second.state == Slot::kNone && slot.second.uses + slot.second.waiting == 0;
  });
}

void ConnectionPool::opened(Slots::iterator slot) {
  slot->second.state = Slot::kOpen;
  note(slot);
  serve_soon();
}

void ConnectionPool::release(Slots::iterator slot, bool opening) {
  Slot& released = slot->second;
  --released.uses;
  released.idle_since = released.heard = loop_.now();
  note(slot);
  if (opening) return end(slot, "it was not opened");
  serve_soon();
  if (!due_.armed()) rearm();
}

void ConnectionPool::end(Slots::iterator slot, std::string why) {
  slot->second.state = Slot::kClosing;
  note(slot);
  ++closing_;
  ending_.spawn(end_one(slot, std::move(why)));
}

Task<void> ConnectionPool::end_one(Slots::iterator slot, std::string why) {
  co_await owner_.close(slot->first, std::move(why));
  slot->second.state = Slot::kNone;
  note(slot);
  --used_;
  --closing_;
  serve_soon();
}

Task<void> ConnectionPool::close(std::string agent) {
  for (auto& [principal, line] : lines_) {
    const std::deque<Acquire*> waiting = line.waiting;
    for (Acquire* const waiter : waiting) {
      if (waiter->key_.agent != agent) continue;
      leave(*waiter);
      waiter->waiting_ = false;
      waiter->closed_ = true;
      loop_.arm(*waiter, loop_.now());
    }
  }
  TaskGroup group;
  for (auto at = slots_.begin(); at != slots_.end(); ++at) {
    if (at->first.agent != agent || !is_idle(at->second)) continue;
    at->second.state = Slot::kClosing;
    note(at);
    ++closing_;
    group.spawn(end_one(at, "the agent is disconnected"));
  }
  co_await group.join(loop_);
}

ConnectionStats ConnectionPool::stats() const {
  ConnectionStats stats;
  stats.pending = pending_;
  for (const Slots::value_type& slot : slots_) {
    if (slot.second.state == Slot::kNone) continue;
    const bool in_use = slot.second.uses > 0;
    if (!in_use && !owner_.is_open(slot.first)) continue;
    ++(in_use ? stats.active : stats.idle);
  }
  stats.total = stats.active + stats.idle;
  return stats;
}

// due_of returns when an idle connection is to be looked at.
Instant ConnectionPool::due_of(const Slot& slot) const {
  const auto at = [](Instant since, Duration span) {
    return span > Duration() ? after(since, span) : kNever;
  };
  return std::min(at(slot.idle_since, options_.idle_max),
                  at(slot.heard, options_.heartbeat_interval));
}

// Those that are due soon are pinged with those that are due: there are few looks, however many
// connections there are.
void ConnectionPool::look_at_idle() {
  const Instant soon = after(loop_.now(), options_.heartbeat_interval / kLooksAnInterval);
  std::vector<PoolKey> due;
  for (const Slots::iterator at : idle_) {
    if (due_of(at->second) <= soon) due.push_back(at->first);
  }
  std::ranges::sort(due);
  for (const PoolKey& key : due) {
    const auto at = slots_.find(key);
    if (at == slots_.end() || !is_idle(at->second)) continue;
    const Duration idle = loop_.now() - at->second.idle_since;
    if (options_.idle_max > Duration() && idle >= options_.idle_max) {
      end(at, "nobody has used it for " + std::to_string(milliseconds_of(idle)) + " ms");
    } else if (options_.heartbeat_interval > Duration() &&
               after(at->second.heard, options_.heartbeat_interval) <= soon) {
      at->second.pinging = true;
      note(at);
      ending_.spawn(ping_one(key));
    }
  }
  rearm();
}

void ConnectionPool::rearm() {
  if (options_.heartbeat_interval <= Duration() && options_.idle_max <= Duration()) return;
  Instant next = kNever;
  for (const Slots::iterator at : idle_) next = std::min(next, due_of(at->second));
  if (next != kNever) loop_.arm(due_, next);
}

Task<void> ConnectionPool::ping_one(PoolKey key) {
  const bool alive = co_await owner_.ping(key);
  const auto at = slots_.find(key);
  if (at == slots_.end()) co_return;
  at->second.pinging = false;
  at->second.heard = loop_.now();
  note(at);
  if (!alive && is_idle(at->second)) end(at, "it does not answer its heartbeat");
  serve_soon();
  if (!due_.armed()) rearm();
}

ConnectionPool::Acquire::~Acquire() {
  if (waiting_) pool_.leave(*this);
  if (granted_) pool_.release(*granted_, must_open_);
}

void ConnectionPool::Acquire::await_suspend(std::coroutine_handle<> parent) {
  parent_ = parent;
  waiting_ = true;
  if (deadline_ != kNever) pool_.loop_.arm(*this, deadline_);
  pool_.enter(*this);
}

void ConnectionPool::Acquire::fire() {
  if (std::exchange(waiting_, false)) pool_.leave(*this);
  parent_.resume();
}

Result<ConnectionPool::Lease> ConnectionPool::Acquire::await_resume() {
  if (granted_) {
    Slot& slot = (*granted_)->second;
    const bool died = slot.state == Slot::kOpen && !pool_.owner_.is_open(key_);
    if (died) slot.state = Slot::kOpening;  // Between the grant and now: whoever is first opens it.
    must_open_ = must_open_ || died;
    Lease lease(pool_, *granted_, must_open_);
    granted_.reset();
    return lease;
  }
  if (closed_) return Error{ErrorCode::kDisconnected, "agent " + key_.agent + " is disconnected"};
  return Error{ErrorCode::kDeadlineExceeded,
               "no connection to " + key_.agent + " in time: " + std::to_string(pool_.used_) +
                   " of " + std::to_string(pool_.options_.connections_max) + " are in use, and " +
                   std::to_string(pool_.pending_) + " more requests wait for one"};
}

}  // namespace plumbline::connector
