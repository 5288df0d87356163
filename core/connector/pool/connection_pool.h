// ConnectionPool says who may use a connection to which agent, and how many connections there are
// at one time. It opens none itself: whoever gets a lease of one that is not open opens it, and
// those who want the same one wait for that.
//
// A connection is of one agent and one principal, and carries no request of another principal.

#pragma once

#include <compare>
#include <coroutine>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task_group.h"

namespace plumbline::connector {

// PoolKey names a connection. `principal` is on whose behalf it is used.
struct PoolKey {
  std::string agent;
  std::string principal;

  friend auto operator<=>(const PoolKey&, const PoolKey&) = default;
};

struct PoolOptions {
  std::size_t connections_max = limits::kHttpConnectionsMax;  // Of all agents and principals.
  std::size_t requests_max = limits::kRequestsInFlightMax;    // At one time, over one of them.
  int turn_requests_max = 8;       // Of one connection while somebody waits for room for another.
  Duration heartbeat_interval{0};  // Idle connections are asked so often; 0: never.
  Duration idle_max{0};            // Idle connections are closed after so long; 0: never.
};

// ConnectionStats counts connections and those who wait for one.
struct ConnectionStats {
  std::size_t total = 0;   // active + idle.
  std::size_t active = 0;  // Being opened, or with a request under way.
  std::size_t idle = 0;
  std::size_t pending = 0;
};

// PoolOwner has the connections.
class PoolOwner {
 public:
  // is_open returns whether the connection can be used now.
  virtual bool is_open(const PoolKey& key) const = 0;

  // ping asks whether an idle connection still works; one that does not is closed next.
  virtual Task<bool> ping(PoolKey key) = 0;

  // close ends what there is of a connection that nobody uses, in bounded time: also of one that
  // has died, or was not opened to its end. After it there is nothing left of it.
  virtual Task<void> close(PoolKey key, std::string why) = 0;

 protected:
  ~PoolOwner() = default;
};

class ConnectionPool {
 public:
  class Lease;
  class Acquire;

  // `loop` and `owner` must outlive the pool, and the pool every Lease.
  ConnectionPool(Loop& loop, PoolOwner& owner, PoolOptions options);
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  // acquire waits until a request may use the connection to `agent`, and returns its lease.
  //
  // Where there is no room for one more connection, one that is idle makes room, the longest idle
  // first. Else those who wait are served fairly: next is the principal that was served least, and
  // of one principal who came first. kDeadlineExceeded: there was none by `deadline`.
  // kDisconnected: close() came first.
  Acquire acquire(std::string agent, std::string principal, Instant deadline);

  // close ends the connections of `agent`, of every principal, and whoever waits for one is told
  // so. One that is in use is not touched: its owner ends it.
  Task<void> close(std::string agent);

  ConnectionStats stats() const;

 private:
  struct Slot {
    enum State { kNone, kOpening, kOpen, kClosing };

    State state = kNone;
    bool pinging = false;
    std::size_t uses = 0;
    std::size_t waiting = 0;  // Who waits for it.
    int in_turn = 0;          // Requests since somebody waits for room.
    Instant idle_since{};
    Instant heard{};                    // When it was used or asked last.
    bool lacks = false;                 // Counted in lacking_.
    std::optional<std::size_t> idle{};  // Its place in idle_.
  };
  using Slots = std::map<PoolKey, Slot>;

  // Line is who waits on behalf of one principal.
  struct Line {
    std::deque<Acquire*> waiting;
    std::int64_t served = 0;  // Requests, since somebody waits for room.
  };
  using Lines = std::map<std::string, Line>;

  // InTurn has who was served least first, and of those who were served alike whose name does.
  struct InTurn {
    bool operator()(const Lines::value_type* a, const Lines::value_type* b) const {
      return std::tie(a->second.served, a->first) < std::tie(b->second.served, b->first);
    }
  };

  static bool is_idle(const Slot& slot);
  void note(Slots::iterator at);
  bool try_now(Acquire& waiter);
  bool grant(Acquire& waiter, Slots::iterator at);
  void enter(Acquire& waiter);
  void leave(Acquire& waiter);
  Lines::value_type& line_of(const std::string& principal);
  void serve_soon();
  void serve();
  bool serve_one();
  bool make_room();
  void drop_dead();
  void end(Slots::iterator slot, std::string why);
  Task<void> end_one(Slots::iterator slot, std::string why);
  Task<void> ping_one(PoolKey key);
  void opened(Slots::iterator slot);
  void release(Slots::iterator slot, bool opening);
  Instant due_of(const Slot& slot) const;
  void look_at_idle();
  void rearm();

  Loop& loop_;
  PoolOwner& owner_;
  PoolOptions options_;
  Slots slots_;
  std::size_t used_ = 0;  // Slots that are not kNone.
  std::size_t closing_ = 0;
  // What is known of the slots without looking at all of them, see note().
  std::vector<Slots::iterator> idle_;  // In no order.
  std::size_t lacking_ = 0;            // Those that somebody waits for, and that are kNone.
  bool has_unused_ = false;            // There may be some that nobody needs.
  Lines lines_;
  std::set<Lines::value_type*, InTurn> turns_;  // Of the lines, those in which somebody waits.
  std::size_t pending_ = 0;
  bool short_of_room_ = false;  // Somebody waits for room.
  std::int64_t floor_ = 0;      // What who comes to wait is taken to have had.
  Alarm soon_;
  Alarm due_;
  TaskGroup ending_;  // Last: dropped first.
};

// Lease is the use of a connection by one request, until it is destroyed.
class [[nodiscard]] ConnectionPool::Lease {
 public:
  Lease(Lease&& other) noexcept
      : pool_(std::exchange(other.pool_, nullptr)), slot_(other.slot_), opening_(other.opening_) {}
  Lease& operator=(Lease&&) = delete;
  ~Lease() {
    if (pool_ != nullptr) pool_->release(slot_, opening_);
  }

  // must_open returns whether the holder has to open the connection first, and then to tell by
  // opened(). A lease that ends without leaves it closed. One that need not may still find that the
  // connection has died since.
  bool must_open() const { return opening_; }
  void opened() {
    if (std::exchange(opening_, false)) pool_->opened(slot_);
  }

 private:
  friend class ConnectionPool;
  friend class Acquire;

  Lease(ConnectionPool& pool, Slots::iterator slot, bool opening)
      : pool_(&pool), slot_(slot), opening_(opening) {}

  ConnectionPool* pool_;
  Slots::iterator slot_;
  bool opening_;
};

// Acquire is awaited at once. It resumes from the loop, never from inside the end of a lease.
class [[nodiscard]] ConnectionPool::Acquire final : public Timer {
 public:
  Acquire(ConnectionPool& pool, PoolKey key, Instant deadline)
      : pool_(pool), key_(std::move(key)), deadline_(deadline) {}
  ~Acquire();

  bool await_ready() { return pool_.try_now(*this); }
  void await_suspend(std::coroutine_handle<> parent);
  Result<Lease> await_resume();

 private:
  friend class ConnectionPool;

  void fire() override;

  ConnectionPool& pool_;
  PoolKey key_;
  Instant deadline_;
  std::coroutine_handle<> parent_;
  bool waiting_ = false;
  Slots::iterator awaited_;  // While it waits.
  bool closed_ = false;
  std::optional<Slots::iterator> granted_;
  bool must_open_ = false;
};

}  // namespace plumbline::connector
