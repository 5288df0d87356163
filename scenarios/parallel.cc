#include "scenarios/parallel.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "core/base/check.h"

namespace plumbline::scenarios {

namespace {

// A piece of work is this many seeds of one scenario: few enough to share out evenly, enough that
// taking the lock costs nothing.
constexpr std::uint64_t kSeedsAtOnce = 16;

// merge adds what one thread found. Addition and minimum do not depend on the order.
void merge(Sweep& into, Sweep found) {
  into.runs += found.runs;
  into.failed += found.failed;
  into.fingerprint += found.fingerprint;
  into.answered_after_max = std::max(into.answered_after_max, found.answered_after_max);
  if (!found.first_failure) return;
  if (!into.first_failure || found.first_failure->seed < into.first_failure->seed) {
    into.first_failure = std::move(found.first_failure);
  }
}

class Sweeper {
 public:
  Sweeper(std::span<const Scenario> scenarios, const SweepOptions& options)
      : scenarios_(scenarios),
        options_(options),
        pieces_each_((options.seeds.count() + kSeedsAtOnce - 1) / kSeedsAtOnce),
        sweeps_(scenarios.size()) {
    for (Sweep& sweep : sweeps_) sweep.seeds = options.seeds;
  }

  std::vector<Sweep> run() {
    const std::uint64_t pieces = pieces_each_ * scenarios_.size();
    const auto useful = static_cast<std::uint64_t>(std::max(options_.jobs, 1));
    std::vector<std::thread> helpers;
    for (std::uint64_t i = 1; i < std::min(useful, pieces); ++i) {
      helpers.emplace_back([this] { work(); });
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    return std::move(sweeps_);
  }

 private:
  void work() {
    const std::uint64_t pieces = pieces_each_ * scenarios_.size();
    for (std::uint64_t piece = next_++; piece < pieces && !stopped(); piece = next_++) {
      const std::size_t which = piece / pieces_each_;
      Sweep found = run_piece(scenarios_[which], piece % pieces_each_);
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ += found.runs;
      if (found.failed > 0 && options_.until_failure) failed_ = true;
      merge(sweeps_[which], std::move(found));
      if (options_.progress) {
        options_.progress(done_, options_.seeds.count() * scenarios_.size());
      }
    }
  }

  Sweep run_piece(const Scenario& scenario, std::uint64_t piece) const {
    Sweep found;
    const std::uint64_t offset = piece * kSeedsAtOnce;
    const std::uint64_t count = std::min(kSeedsAtOnce, options_.seeds.count() - offset);
    for (std::uint64_t i = 0; i < count && !stopped(); ++i) {
      RunOptions run;
      run.seed = options_.seeds.first + offset + i;
      run.transport = options_.transport;
      RunResult result = run_scenario(scenario, run);
      Sweep one;
      one.runs = 1;
      one.fingerprint = result.unseed;
      one.answered_after_max = result.answered_after;
      if (result.verdict == Verdict::kFail) {
        one.failed = 1;
        one.first_failure = std::move(result);
      }
      merge(found, std::move(one));
    }
    return found;
  }

  bool stopped() const { return failed_ || (options_.stop != nullptr && *options_.stop); }

  std::span<const Scenario> scenarios_;
  const SweepOptions& options_;
  std::uint64_t pieces_each_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  std::vector<Sweep> sweeps_;
};

std::string message_of(const Sweep& sweep) {
  std::string out;
  const RunResult& first = *sweep.first_failure;
  for (const RunFailure& failure : first.failures) {
    out += (out.empty() ? "" : "\n") + failure.check + ": " + failure.message;
  }
  if (sweep.seeds.count() == 1) return out;
  return "seed " + std::to_string(first.seed) + " is the first of " + std::to_string(sweep.failed) +
         " that fail among " + std::to_string(sweep.runs) + ":\n" + out;
}

}  // namespace

std::vector<Sweep> run_seeds(std::span<const Scenario> scenarios, const SweepOptions& options) {
  check(options.seeds.first <= options.seeds.last, "a range of seeds has at least one");
  return Sweeper(scenarios, options).run();
}

CheckResult to_check_result(const Scenario& scenario, const Sweep& sweep) {
  CheckResult row;
  row.id = scenario.id;
  row.area = scenario.folder;
  row.title = scenario.title;
  row.duration_ms = sweep.duration_ms;
  if (sweep.first_failure) {
    row.verdict = Verdict::kFail;
    row.message = message_of(sweep);
    row.reproduce = reproduction(scenario, sweep.first_failure->seed);
  } else if (sweep.runs < sweep.seeds.count()) {
    row.verdict = Verdict::kInconclusive;
    row.message = "stopped after " + std::to_string(sweep.runs) + " of " +
                  std::to_string(sweep.seeds.count()) + " seeds";
  }
  return row;
}

}  // namespace plumbline::scenarios
