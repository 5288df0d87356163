// Random graphs, with subgraphs, retries, timeouts, interrupts and bounds, beside an interpreter
// that does the same in the plainest way: one recursive function over one virtual clock. Both must
// make the same attempts at the same times and come to the same end; and each snapshot taken on the
// way, resumed by a graph that was built anew, comes to that end as well.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/rng.h"
#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Sum is a State from which every decision of a run is drawn.
struct Sum {
  struct Update {
    std::uint64_t add = 0;
    std::vector<std::string> steps{};
  };
  std::uint64_t total = 0;
  std::vector<std::string> steps{};

  void apply(Update&& update) {
    total = total * 31 + update.add;
    for (std::string& step : update.steps) steps.push_back(std::move(step));
  }
  friend bool operator==(const Sum&, const Sum&) = default;
};

struct Plan;

// Spot is one node of a Plan. Its work is a function graph when `inside` is set.
struct Spot {
  std::string name;
  NodePolicy policy;
  std::unique_ptr<Plan> inside{};
};

// Plan describes a graph: row i holds the targets of node i, the last one those of the start. The
// target `spots.size()` is the end.
struct Plan {
  std::vector<Spot> spots;
  std::vector<std::vector<std::size_t>> ways;

  std::string label(std::size_t spot) const {
    return spot == spots.size() ? std::string(kEnd) : spots[spot].name;
  }
};

// Deed is what one attempt of a node does, and how long it takes.
struct Deed {
  enum Kind { kUpdate, kInterrupt, kError } kind = kUpdate;
  Duration takes{};
  ErrorCode code = ErrorCode::kDisconnected;
};

Deed deed_of(const std::string& name, std::uint64_t total, int attempt, bool answered) {
  Rng rng = Rng(total).fork(name);
  const std::int64_t failures = rng.chance(1, 6) ? rng.between(1, 3) : 0;
  const bool asks = rng.chance(1, 4);
  const bool lasting = rng.chance(1, 10);
  rng = rng.fork(std::to_string(attempt) + (answered ? "answered" : ""));
  Deed deed;
  deed.takes = milliseconds(10) * (rng.chance(1, 2) ? rng.between(0, 4) : 0);
  if (attempt <= failures) {
    deed.kind = Deed::kError;
    if (lasting) deed.code = ErrorCode::kInvalidInput;
  } else if (asks && !answered) {
    deed.kind = Deed::kInterrupt;
  }
  return deed;
}

// way_of returns the way that `row` of the plan takes; now and then it is none of its targets.
std::string way_of(const Plan& plan, std::size_t row, std::uint64_t total) {
  const std::vector<std::size_t>& ways = plan.ways[row];
  if (ways.size() == 1) return plan.label(ways.front());
  Rng rng = Rng(total).fork("way" + std::to_string(row));
  if (rng.chance(1, 200)) return "nowhere";
  return plan.label(ways[rng.below(ways.size())]);
}

Sum enter(const Sum& outer) { return Sum{outer.total * 3 + 1, {}}; }
Sum::Update leave(Sum inner) { return Sum::Update{inner.total, std::move(inner.steps)}; }
Sum::Update update_of(const std::string& name, bool answered) {
  return Sum::Update{answered ? 7U : 1U, {name}};
}

struct Diary {
  std::vector<std::string> lines{};

  void begin(std::string_view name, int attempt, Instant now) {
    lines.push_back(std::string(name) + " #" + std::to_string(attempt) + " at " +
                    std::to_string(now.time_since_epoch().count()));
  }
};

// The graph under test ----------------------------------------------------------------------------

Task<NodeResult<Sum>> work(Context<Sum, Diary>& context) {
  const std::string name(context.node());
  const bool answered = context.answer() != nullptr;
  context.services().begin(name, context.attempt(), context.now());
  const Deed deed = deed_of(name, context.state().total, context.attempt(), answered);
  if (deed.takes > Duration()) co_await Sleep(context.loop(), after(context.now(), deed.takes));
  if (deed.kind == Deed::kError) co_return Error{deed.code, "no"};
  if (deed.kind == Deed::kInterrupt) co_return Interrupt{Json()};
  co_return update_of(name, answered);
}

Graph<Sum, Diary> build(const Plan& plan) {
  GraphBuilder<Sum, Diary> builder;
  for (const Spot& spot : plan.spots) {
    if (spot.inside) {
      builder.add_subgraph<Sum>(spot.name, build(*spot.inside), enter, leave, spot.policy);
    } else {
      builder.add_node(spot.name, work, spot.policy);
    }
  }
  for (std::size_t row = 0; row < plan.ways.size(); ++row) {
    const std::string from = row == plan.spots.size() ? std::string(kStart) : plan.label(row);
    std::vector<std::string> names;
    for (const std::size_t to : plan.ways[row]) names.push_back(plan.label(to));
    if (names.size() == 1) {
      builder.add_edge(from, names.front());
      continue;
    }
    builder.add_conditional_edges(
        from,
        [&plan, row, names](const Sum& sum) -> std::string_view {
          const std::string way = way_of(plan, row, sum.total);
          const auto found = std::ranges::find(names, way);
          return found == names.end() ? std::string_view("nowhere") : std::string_view(*found);
        },
        std::vector<Target>(names.begin(), names.end()));
  }
  Result<Graph<Sum, Diary>> graph = builder.build();
  check(graph.ok(), graph.ok() ? "" : graph.error().message.c_str());
  return std::move(graph).value();
}

// The interpreter ---------------------------------------------------------------------------------

// Place is where a run waits, and the Place in the subgraph that it waits in.
struct Place {
  Sum state;
  std::size_t spot = 0;
  std::vector<std::size_t> route;
  std::unique_ptr<Place> inner{};
};

struct End {
  enum Kind { kFinished, kInterrupted, kFailed, kDropped } kind = kFinished;
  Sum state;
  std::vector<std::size_t> route;
  ErrorCode code = ErrorCode::kInvalidInput;
  std::unique_ptr<Place> place{};  // Of kInterrupted.
};

// Interpreter runs plans. kDropped: the time that was given from outside is over.
struct Interpreter {
  std::int64_t steps_max = 0;
  std::int64_t steps = 0;
  Instant now{};
  Diary diary{};

  End attempt(const Spot& spot, const Sum& state, int count, const Place* from, bool answered,
              Instant until) {
    if (spot.inside) {
      End end = run(*spot.inside, from ? from->state : enter(state), from, until, false);
      if (end.kind == End::kFinished) end.state = apply(state, leave(std::move(end.state)));
      return end;
    }
    diary.begin(spot.name, count, now);
    const Deed deed = deed_of(spot.name, state.total, count, answered);
    End end;
    if (deed.takes > Duration() && now + deed.takes > until) {
      now = std::max(now, until);
      end.kind = End::kDropped;
      return end;
    }
    now += deed.takes;
    end.kind = deed.kind == Deed::kError       ? End::kFailed
               : deed.kind == Deed::kInterrupt ? End::kInterrupted
                                               : End::kFinished;
    end.code = deed.code;
    if (end.kind == End::kFinished) end.state = apply(state, update_of(spot.name, answered));
    return end;
  }

  static Sum apply(Sum state, Sum::Update update) {
    state.apply(std::move(update));
    return state;
  }

  // visit makes all attempts of one visit.
  End visit(const Spot& spot, const Sum& state, const Place* from, bool answered, Instant until,
            bool outermost) {
    Duration backoff = spot.policy.backoff_initial;
    for (int count = 1;; ++count) {
      const bool timed = spot.policy.timeout > Duration();
      const Instant own = timed ? now + spot.policy.timeout : kNever;
      End end = attempt(spot, state, count, from, answered, std::min(own, until));
      if (end.kind == End::kDropped) {
        if (!outermost && own >= until) return end;
        end.kind = End::kFailed;
        end.code = ErrorCode::kDeadlineExceeded;
      }
      const bool transient =
          end.code == ErrorCode::kDeadlineExceeded || end.code == ErrorCode::kDisconnected;
      if (end.kind != End::kFailed || !transient || count >= spot.policy.attempts_max) return end;
      const Instant again = now + backoff;
      backoff =
          std::min(spot.policy.backoff_max, backoff * spot.policy.backoff_growth_percent / 100);
      if (again >= until) return end;
      now = again;
    }
  }

  // run goes on from `from`, with an answer for the node that waits there, or from the start.
  End run(const Plan& plan, Sum state, const Place* from, Instant until, bool outermost) {
    End out;
    std::vector<std::size_t> route = from ? from->route : std::vector<std::size_t>();
    const auto fail = [&](ErrorCode code) {
      out.kind = End::kFailed;
      out.code = code;
    };
    std::string at = from ? plan.label(from->spot) : way_of(plan, plan.spots.size(), state.total);
    for (bool resumed = from != nullptr; at != kEnd; resumed = false) {
      std::size_t spot = 0;
      while (spot < plan.spots.size() && plan.label(spot) != at) ++spot;
      if (spot == plan.spots.size()) {
        fail(ErrorCode::kInvalidInput);
        break;
      }
      const auto visits = std::ranges::count(route, spot);
      if (!resumed) {
        if (steps >= steps_max || visits >= plan.spots[spot].policy.visits_max) {
          fail(ErrorCode::kLimitReached);
          break;
        }
        if (now >= until) {
          fail(ErrorCode::kDeadlineExceeded);
          break;
        }
        ++steps;
        route.push_back(spot);
      }
      End end = visit(plan.spots[spot], state, resumed ? from->inner.get() : nullptr, resumed,
                      until, outermost);
      if (end.kind != End::kFinished) {
        out = std::move(end);
        if (out.kind == End::kInterrupted) {
          auto place = std::make_unique<Place>();
          place->state = state;
          place->spot = spot;
          place->route = route;
          place->inner = std::move(out.place);
          out.place = std::move(place);
        }
        break;
      }
      state = std::move(end.state);
      at = way_of(plan, spot, state.total);
    }
    out.state = std::move(state);
    out.route = std::move(route);
    return out;
  }
};

// Drawing both ------------------------------------------------------------------------------------

// Timeouts differ by what no sum of others makes up for, so that nothing is ever due together.
Duration odd_timeout(Rng& rng, int& timed) {
  Duration odd = nanoseconds(1);
  for (int i = 0; i < timed; ++i) odd *= 20;
  ++timed;
  return milliseconds(10) * rng.between(1, 5) + odd;
}

std::unique_ptr<Plan> random_plan(Rng& rng, const std::string& prefix, int depth, int& timed) {
  auto plan = std::make_unique<Plan>();
  const std::int64_t count = rng.between(1, 4);
  for (std::int64_t i = 0; i < count; ++i) {
    Spot spot;
    spot.name = prefix + std::to_string(i);
    spot.policy.attempts_max = static_cast<int>(rng.between(1, 3));
    spot.policy.backoff_initial = milliseconds(10) * rng.between(0, 3);
    spot.policy.backoff_max = milliseconds(10) * rng.between(3, 5);
    spot.policy.visits_max = rng.between(2, 12);
    if (timed < 5 && rng.chance(1, 4)) spot.policy.timeout = odd_timeout(rng, timed);
    if (depth > 0 && rng.chance(1, 3)) {
      spot.inside = random_plan(rng, spot.name + "x", depth - 1, timed);
    }
    plan->spots.push_back(std::move(spot));
  }
  const auto end = static_cast<std::size_t>(count);
  for (std::size_t row = 0; row <= end; ++row) {
    std::set<std::size_t> ways = {row == end ? 0 : row + 1};
    for (std::int64_t more = rng.between(0, 2); more > 0; --more) ways.insert(rng.below(end + 1));
    plan->ways.emplace_back(ways.begin(), ways.end());
  }
  return plan;
}

// Taken is a snapshot, and the time at which it was.
struct Taken {
  Snapshot<Sum> snapshot;
  Instant at;
};

// go runs `task`, then answers every interrupt at once, and keeps the snapshots in `taken`.
Outcome<Sum> go(const Graph<Sum, Diary>& graph, Task<Outcome<Sum>> task, RunOptions options,
                Diary& diary, TinyLoop& loop, std::vector<Taken>& taken) {
  while (true) {
    task.start();
    loop.run();
    RC_ASSERT(task.done());
    RC_ASSERT(loop.idle());
    if (task.result().status != Outcome<Sum>::kInterrupted) return std::move(task.result());
    Snapshot<Sum> snapshot = std::move(*task.result().snapshot);
    taken.push_back({snapshot, loop.now()});
    task = graph.resume(std::move(snapshot), Json(true), options, diary, loop);
  }
}

void judge(const Plan& plan, const Outcome<Sum>& outcome, const End& end, std::int64_t steps) {
  RC_ASSERT((outcome.status == Outcome<Sum>::kFinished) == (end.kind == End::kFinished));
  if (end.kind == End::kFailed) RC_ASSERT(outcome.error.code == end.code);
  RC_ASSERT(outcome.state == end.state);
  RC_ASSERT(outcome.steps == steps);
  std::vector<std::string> route;
  for (const std::size_t spot : end.route) route.push_back(plan.label(spot));
  RC_ASSERT(std::vector<std::string>(outcome.route.begin(), outcome.route.end()) == route);
}

RC_GTEST_PROP(InterpreterPropTest, AGraphDoesWhatItsPlanSays, (std::uint64_t seed)) {
  Rng rng(seed);
  int timed = 0;
  const std::unique_ptr<Plan> plan = random_plan(rng, "n", 2, timed);
  RunOptions options;
  options.steps_max = rng.chance(1, 2) ? rng.between(1, 30) : 300;
  if (rng.chance(1, 3)) {
    options.deadline = Instant(milliseconds(10 * rng.between(1, 60) + 3));
  }
  const std::uint64_t draw = rng.below(1'000'000);

  Interpreter model;
  model.steps_max = options.steps_max;
  End end = model.run(*plan, Sum{draw, {}}, nullptr, options.deadline, true);
  while (end.kind == End::kInterrupted) {
    const std::unique_ptr<Place> place = std::move(end.place);
    end = model.run(*plan, place->state, place.get(), options.deadline, true);
  }

  const Graph<Sum, Diary> graph = build(*plan);
  TinyLoop loop;
  Diary diary;
  std::vector<Taken> taken;
  const Outcome<Sum> outcome =
      go(graph, graph.run(Sum{draw, {}}, options, diary, loop), options, diary, loop, taken);
  judge(*plan, outcome, end, model.steps);
  RC_ASSERT(diary.lines == model.diary.lines);
  RC_CLASSIFY(!taken.empty(), "interrupted");
  RC_CLASSIFY(end.kind == End::kFinished, "finished");
  RC_CLASSIFY(end.route.size() > 5, "long");

  const Graph<Sum, Diary> another = build(*plan);
  for (const Taken& one : taken) {
    TinyLoop later;
    later.run_until(one.at);
    Diary again;
    std::vector<Taken> more;
    const Outcome<Sum> same =
        go(another, another.resume(one.snapshot, Json(true), options, again, later), options, again,
           later, more);
    judge(*plan, same, end, model.steps);
    RC_ASSERT(std::ranges::equal(again.lines, std::span(diary.lines).last(again.lines.size())));
  }
}

}  // namespace
}  // namespace plumbline::graph
