// Threads, and nothing else of them in a simulation: pieces of work that share nothing are run by
// several at once, and what they found is taken in the order of the pieces. So an outcome cannot
// depend on the number of threads.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace plumbline::scenarios {

// kThreads tells whether there can be several. A module of WebAssembly has one.
#ifdef __wasi__
inline constexpr bool kThreads = false;
struct Helper {
  template <typename Run>
  explicit Helper(Run /*run*/) {}
  void join() {}
};
#else
inline constexpr bool kThreads = true;
using Helper = std::thread;
#endif

// Stop returns whether work that is under way is to end; any thread may ask it. Empty: never.
using Stop = std::function<bool()>;

// Pieces runs `run(piece)` for the pieces 0, 1, 2 ... and gives what each returned to `take`.
template <typename Found>
class Pieces {
 public:
  // By any thread, many at once. It leaves its piece when pieces.over().
  using Run = std::function<Found(const Pieces& pieces, std::uint64_t piece)>;
  // In the order of the pieces, one at a time. False: nothing more is wanted.
  using Take = std::function<bool(Found found)>;

  // After `stop` no piece is begun, but what was begun is taken.
  Pieces(Run run, Take take, Stop stop)
      : run_(std::move(run)), take_(std::move(take)), stop_(std::move(stop)) {}

  // work runs `count` pieces by `jobs` threads, the caller's among them.
  void work(int jobs, std::uint64_t count) {
    std::vector<Helper> helpers;
    const auto useful = static_cast<std::uint64_t>(kThreads && jobs > 1 ? jobs : 1);
    for (std::uint64_t i = 1; i < useful && i < count; ++i) {
      helpers.emplace_back([this, count] { run_some(count); });
    }
    run_some(count);
    for (Helper& helper : helpers) helper.join();
  }

  // over returns whether to leave a piece that is under way.
  bool over() const { return ended_ || (stop_ && stop_()); }

 private:
  void run_some(std::uint64_t count) {
    while (!over()) {
      const std::uint64_t piece = next_++;
      if (piece >= count) return;
      Found found = run_(*this, piece);
      const std::lock_guard<std::mutex> lock(mutex_);
      waiting_.emplace(piece, std::move(found));
      take_what_is_next();
    }
  }

  void take_what_is_next() {
    for (auto next = waiting_.find(taken_); next != waiting_.end(); next = waiting_.find(taken_)) {
      Found found = std::move(next->second);
      waiting_.erase(next);
      ++taken_;
      if (!refused_) refused_ = !take_(std::move(found));
    }
    if (refused_) ended_ = true;
  }

  Run run_;
  Take take_;
  Stop stop_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;                        // Of all below.
  std::map<std::uint64_t, Found> waiting_;  // Done before an earlier piece.
  std::uint64_t taken_ = 0;
  bool refused_ = false;
};

}  // namespace plumbline::scenarios
