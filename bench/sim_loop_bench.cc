// The simulated loop: timer events a second, alone and among a thousand, in both orders.

#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "fakes/world/sim_loop.h"

namespace {

using namespace plumbline;

// Ticker arms itself again each time it fires, a little later.
class Ticker final : public Timer {
 public:
  Ticker(Loop& loop, Duration period) : loop_(loop), period_(period) {}
  void start() { loop_.arm(*this, loop_.now() + period_); }

 private:
  void fire() override { start(); }

  Loop& loop_;
  Duration period_;
};

void timer_events(benchmark::State& state) {
  const auto actors = static_cast<std::size_t>(state.range(0));
  const auto order = state.range(1) == 0 ? fakes::Order::kFifo : fakes::Order::kPermuted;
  fakes::SimLoop loop(order, Rng(7));
  std::vector<std::unique_ptr<Ticker>> tickers;
  for (std::size_t i = 0; i < actors; ++i) {
    tickers.push_back(std::make_unique<Ticker>(loop, Duration(1'000 + static_cast<int>(i % 7))));
    tickers.back()->start();
  }
  for (auto step : state) loop.turn();
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(timer_events)->ArgNames({"actors", "permuted"})->ArgsProduct({{1, 1'000}, {0, 1}});

}  // namespace
