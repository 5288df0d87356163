// Random graphs with branches side by side, joins, Sends, a subgraph and questions: whichever
// branch is done first, wherever the process dies and in whichever order the questions are
// answered, the run comes to the same end, and nothing happens twice.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/rng.h"
#include "core/graph/checkpoint_json.h"
#include "core/graph/checkpointer_around.h"
#include "core/graph/stored_fixture.h"
#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using std::chrono::milliseconds;

// Site is the world of one history: what took effect, how long work takes, where processes die.
struct Site {
  std::uint64_t pace = 0;     // Draws how long each visit takes.
  std::uint64_t manners = 0;  // Draws who asks.
  bool asks = false;
  int dies_at = 0;  // The moment at which the process dies, from 1; 0: never.

  std::map<std::string, int> effects{};
  std::map<std::string, int> unsure{};  // Effects of which only the note was found.
  int moments = 0;
  bool dead = false;
  std::deque<Event> ends{};

  // pass is a moment at which the process may die. The dead wait to be dropped.
  Task<void> pass(Loop& loop) {
    if (!dead && ++moments == dies_at) dead = true;
    if (dead) co_await ends.emplace_back().wait(loop, kNever);
  }
};

using SiteContext = Context<Ledger, Site>;
using SiteGraph = Graph<Ledger, Site>;
using SiteOutcome = Outcome<Ledger>;

// labour takes its time and has one effect, which it notes first. Its line names the effect.
Task<NodeResult<Ledger>> labour(SiteContext& context) {
  Site& site = context.services();
  const std::vector<std::string>& lines = context.state().lines;
  const std::string effect = std::string(context.key()) + "@" + std::to_string(lines.size()) +
                             (lines.empty() ? "" : "/" + lines.front()) +
                             (context.input() != nullptr ? dump_json(*context.input()) : "");
  Rng pace = Rng(site.pace).fork(effect);
  if (pace.chance(1, 2)) {
    co_await Sleep(context.loop(), after(context.now(), milliseconds(pace.between(0, 5))));
  }
  const bool asks = site.asks && Rng(site.manners).fork(effect).chance(1, 3);
  if (asks && context.answer() == nullptr) co_return Interrupt{Json(effect)};
  if (std::ranges::find(context.notes(), Json(effect)) != context.notes().end()) {
    ++site.unsure[effect];
  } else {
    const Status noted = co_await context.note(effect);
    if (!noted.ok()) co_return Error(noted.error());
    Task<void> before = site.pass(context.loop());
    co_await before;
    ++site.effects[effect];
    Task<void> behind = site.pass(context.loop());
    co_await behind;
  }
  co_return Ledger::Update{asks ? effect + dump_json(*context.answer()) : effect};
}

// MortalDisk lets the process die around every write.
class MortalDisk final : public CheckpointerAround<Ledger> {
 public:
  MortalDisk(Checkpointer<Ledger>& disk, Site& site, Loop& loop)
      : CheckpointerAround(disk), site_(site), loop_(loop) {}

  // implements Checkpointer ---
  Task<Status> put(Turn turn, Kept checkpoint) override {
    return written(inner().put(std::move(turn), std::move(checkpoint)));
  }
  Task<Status> put_branch(Turn turn, Branch<Ledger> branch) override {
    return written(inner().put_branch(std::move(turn), std::move(branch)));
  }
  Task<Status> add_note(Turn turn, Note note) override {
    return written(inner().add_note(std::move(turn), std::move(note)));
  }

 private:
  Task<Status> written(Task<Status> writing) {
    Task<void> before = site_.pass(loop_);
    co_await before;
    Status done = co_await writing;
    Rng pace = Rng(site_.pace).fork("write" + std::to_string(site_.moments));
    if (pace.chance(1, 4)) {
      co_await Sleep(loop_, after(loop_.now(), milliseconds(pace.between(0, 2))));
    }
    Task<void> behind = site_.pass(loop_);
    co_await behind;
    co_return done;
  }

  Site& site_;
  Loop& loop_;
};

// Every edge leads to a later node, so every graph comes to its end.
SiteGraph random_graph(Rng& rng, int depth = 1) {
  GraphBuilder<Ledger, Site> builder;
  const auto name = [](std::int64_t node) { return "n" + std::to_string(node); };
  const std::int64_t last = rng.between(1, 5);
  const std::int64_t sends = rng.chance(1, 2) ? rng.below(last) : -1;
  const std::int64_t nests = depth > 0 && rng.chance(1, 2) ? rng.between(0, last) : -1;
  for (std::int64_t node = 0; node <= last; ++node) {
    if (node == nests) {
      builder.add_subgraph<Ledger>(
          name(node), random_graph(rng, depth - 1),
          [](const Ledger& outer, const Json* input) {
            const std::string given = input != nullptr ? dump_json(*input) : "none";
            return Ledger{{std::to_string(outer.lines.size()) + given}};
          },
          [](Ledger inner) { return Ledger::Update{dump_json(inner.to_json())}; });
    } else {
      builder.add_node(name(node), labour);
    }
    builder.add_edge(name(node), node == last ? std::string(kEnd) : name(node + 1));
    for (std::int64_t to = node + 2; to <= last; ++to) {
      if (rng.chance(1, 3)) builder.add_edge(name(node), name(to));
    }
    if (node != sends) continue;
    const std::int64_t to = rng.between(node + 1, last);
    builder.add_conditional_edges(name(node), FanOut<Ledger>([to, name](const Ledger&) {
                                    return std::vector<Send>{{name(to), 1}, {name(to), 2}};
                                  }),
                                  {std::string_view(name(to))});
  }
  builder.add_edge(kStart, name(0));
  for (std::int64_t to = 1; to <= last; ++to) {
    if (rng.chance(1, 3)) builder.add_edge(kStart, name(to));
  }
  if (last >= 2 && rng.chance(1, 2)) {
    builder.add_node("z", labour).add_edge("z", kEnd);
    builder.add_join({name(last - 1), name(last)}, "z");
  }
  Result<SiteGraph> graph = builder.build();
  check(graph.ok(), graph.ok() ? "" : graph.error().message.c_str());
  return std::move(graph).value();
}

// finish runs `task` to its end or to the death of its process: then it is dropped.
std::optional<SiteOutcome> finish(Task<SiteOutcome> task, const Site& site, TinyLoop& loop) {
  task.start();
  while (!task.done() && !site.dead && !loop.idle()) loop.run_next();
  if (site.dead) return std::nullopt;
  RC_ASSERT(task.done());
  return std::move(task.result());
}

struct Arrival {
  std::vector<std::string> lines;
  std::vector<std::string> route;
  std::int64_t steps = 0;
  friend bool operator==(const Arrival&, const Arrival&) = default;
};

Arrival end_of(const SiteOutcome& outcome) {
  RC_ASSERT(outcome.status == SiteOutcome::kFinished);
  return {outcome.state.lines, {outcome.route.begin(), outcome.route.end()}, outcome.steps};
}

RC_GTEST_PROP(ParallelPropTest, WhicheverBranchIsDoneFirstTheEndIsTheSame, (std::uint64_t seed)) {
  Rng rng(seed);
  const SiteGraph graph = random_graph(rng);
  std::optional<Arrival> first;
  for (std::uint64_t pace = 0; pace < 4; ++pace) {
    TinyLoop loop;
    Site site;
    site.pace = rng.below(1'000'000);
    const std::optional<SiteOutcome> outcome = finish(graph.run({}, {}, site, loop), site, loop);
    for (const auto& [effect, times] : site.effects) RC_ASSERT(times == 1);
    if (!first) first = end_of(*outcome);
    RC_ASSERT(end_of(*outcome) == *first);
  }
  RC_CLASSIFY(first->steps > std::ssize(first->route), "nested");
  RC_CLASSIFY(first->route.size() > 8, "long");
}

// answer_all answers what is open one by one and in any groups, from one process to the next.
RC_GTEST_PROP(ParallelPropTest, InWhicheverOrderQuestionsAreAnsweredTheEndIsTheSame,
              (std::uint64_t seed)) {
  Rng rng(seed);
  const SiteGraph graph = random_graph(rng);
  std::optional<Arrival> first;
  std::size_t asked = 0;
  const std::uint64_t manners = rng.below(1'000'000);
  for (int order = 0; order < 4; ++order) {
    TinyLoop loop;
    Site site;
    site.asks = true;
    site.manners = manners;
    site.pace = rng.below(1'000'000);
    std::optional<SiteOutcome> outcome = finish(graph.run({}, {}, site, loop), site, loop);
    while (outcome->status == SiteOutcome::kInterrupted) {
      const Json kept = to_json(*outcome->snapshot).value();
      Snapshot<Ledger> snapshot = snapshot_from<Ledger>(kept).value();
      std::map<std::string, Json> answers;
      const std::vector<Question> open = snapshot.open();
      asked = std::max(asked, open.size());
      for (const Question& question : open) {
        if (rng.chance(1, 2)) answers.emplace(question.key, question.key);
      }
      if (answers.empty()) answers.emplace(open.back().key, open.back().key);
      outcome = finish(
          graph.resume(std::move(snapshot), Answers::by_key(std::move(answers)), {}, site, loop),
          site, loop);
    }
    for (const auto& [effect, times] : site.effects) RC_ASSERT(times == 1);
    if (!first) first = end_of(*outcome);
    RC_ASSERT(end_of(*outcome) == *first);
  }
  RC_CLASSIFY(asked > 0, "asked");
  RC_CLASSIFY(asked > 1, "asked at once");
}

// live runs one process of a thread, which answers every question by noting it first.
std::optional<SiteOutcome> live(const SiteGraph& graph, Checkpointer<Ledger>& disk, Site& site,
                                TinyLoop& loop, std::int64_t writer) {
  MortalDisk mortal(disk, site, loop);
  Thread<Ledger> thread(mortal, "t", loop, writer);
  while (true) {
    Task<Result<std::optional<Checkpoint<Ledger>>>> reading = thread.latest();
    reading.start();
    std::optional<Checkpoint<Ledger>> kept = std::move(reading.result()).value();
    for (const Question& question : kept ? kept->at.open() : std::vector<Question>()) {
      Task<Status> answering = thread.answer(question.key, question.key);
      answering.start();
      while (!answering.done() && !site.dead) loop.run_next();
      if (site.dead) return std::nullopt;
      RC_ASSERT(answering.result().ok());
    }
    Task<SiteOutcome> running;
    if (kept) {
      reading = thread.latest();
      reading.start();
      running = graph.go_on(*reading.result().value(), {}, site, loop, nullptr, &thread);
    } else {
      running = graph.run({}, {}, site, loop, nullptr, &thread);
    }
    std::optional<SiteOutcome> outcome = finish(std::move(running), site, loop);
    if (!outcome || outcome->status != SiteOutcome::kInterrupted) return outcome;
  }
}

RC_GTEST_PROP(ParallelPropTest, WhereverAProcessDiesTheEndIsTheSameAndNothingHappensTwice,
              (std::uint64_t seed)) {
  Rng rng(seed);
  const SiteGraph graph = random_graph(rng);
  Site calm;
  calm.asks = rng.chance(1, 2);
  calm.manners = rng.below(1'000'000);
  calm.pace = rng.below(1'000'000);
  std::optional<Arrival> whole;
  {
    TinyLoop loop;
    Site site = {.pace = calm.pace, .manners = calm.manners, .asks = calm.asks};
    MemorySaver<Ledger> disk;
    whole = end_of(*live(graph, disk, site, loop, 1));
    calm.moments = site.moments;
    calm.effects = site.effects;
  }
  const int stride = 1 + calm.moments / 20;
  for (int moment = 1 + static_cast<int>(rng.below(stride)); moment <= calm.moments;
       moment += stride) {
    TinyLoop loop;
    Site site = {.pace = calm.pace, .manners = calm.manners, .asks = calm.asks};
    site.dies_at = moment;
    MemorySaver<Ledger> disk;
    std::optional<SiteOutcome> outcome;
    for (std::int64_t writer = 1; !outcome; ++writer) {
      site.dead = false;
      outcome = live(graph, disk, site, loop, writer);
      if (rng.chance(1, 3)) site.dies_at = site.moments + 1 + static_cast<int>(rng.below(20));
    }
    RC_ASSERT(end_of(*outcome) == *whole);
    for (const auto& [effect, times] : calm.effects) {
      const int happened = site.effects[effect];
      RC_ASSERT((happened == 1 || (happened == 0 && site.unsure[effect] > 0)));
    }
    RC_ASSERT(site.effects.size() == calm.effects.size());
  }
  RC_CLASSIFY(whole->steps > std::ssize(whole->route), "nested");
  RC_CLASSIFY(calm.moments > 60, "long");
}

}  // namespace
}  // namespace plumbline::graph
