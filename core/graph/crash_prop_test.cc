// Whatever checkpoint or note fails, and wherever processes die: an effect that was noted happens
// at most once, and what the run says of it is true.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/base/wait.h"
#include "core/graph/checkpointer_around.h"
#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

// Mishap is what goes wrong in one history.
struct Mishap {
  enum How { kRefused, kDoneAndRefused, kRefusedFromThenOn };
  int operation = 0;  // The put or note that fails, from 1. 0: none.
  How how = kRefused;
  std::vector<int> deaths{};  // The moments at which a process dies, from 1, in order.
};

// History is the world that outlives the processes: what took effect and how far time has come.
struct History {
  explicit History(Mishap what) : mishap(std::move(what)) {}

  // pass is a moment at which a process may die. It then waits to be dropped.
  Task<void> pass(Loop& loop) {
    ++moments;
    if (deaths < mishap.deaths.size() && mishap.deaths[deaths] == moments) {
      ++deaths;
      dead = true;
      co_await end.wait(loop, kNever);
    }
  }

  const Mishap mishap;
  std::map<std::string, int> effects{};
  int operations = 0;
  int moments = 0;
  std::size_t deaths = 0;
  bool dead = false;
  Event end{};
};

class Disk final : public CheckpointerAround<Trail> {
 public:
  Disk(History& history, Loop& loop)
      : CheckpointerAround(memory_), history_(history), loop_(loop) {}

  // implements Checkpointer ---
  Task<Status> put(Turn turn, Checkpoint<Trail> checkpoint) override {
    return written(memory_.put(std::move(turn), std::move(checkpoint)));
  }
  Task<Status> put_branch(Turn turn, Branch<Trail> branch) override {
    return written(memory_.put_branch(std::move(turn), std::move(branch)));
  }
  Task<Status> add_note(Turn turn, Note note) override {
    return written(memory_.add_note(std::move(turn), std::move(note)));
  }

 private:
  Task<Status> written(Task<Status> writing) {
    Task<void> before = history_.pass(loop_);
    co_await before;
    const int number = ++history_.operations;
    const Mishap& mishap = history_.mishap;
    const bool later = mishap.how == Mishap::kRefusedFromThenOn && number >= mishap.operation;
    const bool fails = mishap.operation > 0 && (number == mishap.operation || later);
    Status status = Error{ErrorCode::kDisconnected, "disk full"};
    if (!fails || mishap.how == Mishap::kDoneAndRefused) {
      Status done = co_await writing;
      if (!fails) status = std::move(done);
    }
    Task<void> behind = history_.pass(loop_);
    co_await behind;
    co_return status;
  }

  History& history_;
  Loop& loop_;
  MemorySaver<Trail> memory_;
};

using SendContext = Context<Trail, History>;
using SendGraph = Graph<Trail, History>;
using SendBuilder = GraphBuilder<Trail, History>;

// send causes one effect each visit: noted first, and not when it had begun before. It says "done",
// "not done" or "unknown".
Task<TrailResult> send(SendContext& context) {
  if (context.node() == "asked" && context.answer() == nullptr) co_return Interrupt{"may I?"};
  const std::string effect =
      std::string(context.node()) + " " + std::to_string(context.state().total);
  Trail::Update update;
  update.add = 1;
  std::string& said = update.facts[effect];
  if (std::ranges::find(context.notes(), Json(effect)) != context.notes().end()) {
    said = "unknown";
    co_return std::move(update);
  }
  const Status noted = co_await context.note(effect);
  if (!noted.ok()) {
    said = "not done";
    co_return std::move(update);
  }
  Task<void> before = context.services().pass(context.loop());
  co_await before;
  ++context.services().effects[effect];
  Task<void> behind = context.services().pass(context.loop());
  co_await behind;
  said = "done";
  co_return std::move(update);
}

// twice visits `node` two times, then `next`.
void twice(SendBuilder& builder, std::string node, std::string next, std::int64_t until) {
  builder.add_conditional_edges(node,
                                [node, next, until](const Trail& trail) -> std::string_view {
                                  return trail.total < until ? node : next;
                                },
                                {std::string_view(node), std::string_view(next)});
}

void add_inside(SendBuilder& builder, SendGraph inner) {
  builder.add_subgraph<Trail>(
      "inside", std::move(inner), [](const Trail& trail) { return Trail{.total = trail.total}; },
      [](Trail trail) {
        Trail::Update update;
        update.add = std::ssize(trail.facts);
        update.facts = std::move(trail.facts);
        return update;
      });
}

// An effect twice, two effects two levels down and two one level down, and one that a person is
// asked for: seven in all.
SendGraph sending() {
  SendBuilder deep;
  deep.add_node("deep", send).add_edge(kStart, "deep");
  twice(deep, "deep", std::string(kEnd), 4);
  SendBuilder middle;
  add_inside(middle, std::move(deep.build()).value());
  middle.add_node("post", send).add_edge(kStart, "inside").add_edge("inside", "post");
  twice(middle, "post", std::string(kEnd), 6);
  SendBuilder outer;
  outer.add_node("send", send).add_node("asked", send).add_edge(kStart, "send");
  twice(outer, "send", "inside", 2);
  add_inside(outer, std::move(middle.build()).value());
  outer.add_edge("inside", "asked").add_edge("asked", kEnd);
  return std::move(outer.build()).value();
}

class CrashPropTest : public testing::Test {
 protected:
  // live runs one process. It returns what the run came to, nothing when the process died.
  std::optional<TrailOutcome> live(History& history, Disk& disk) {
    history.dead = false;
    Thread<Trail> thread(disk, "run", loop_);
    Task<TrailOutcome> running = begun(history, thread);
    for (bool answered = false;; answered = true) {
      running.start();
      loop_.run();
      if (history.dead) return std::nullopt;
      check(running.done(), "the run hangs");
      TrailOutcome outcome = std::move(running.result());
      if (outcome.status != TrailOutcome::kInterrupted) return outcome;
      check(!answered, "it asks once");
      running = graph_.resume(std::move(*outcome.snapshot), Json("yes"), {}, history, loop_,
                              nullptr, &thread);
    }
  }

  Task<TrailOutcome> begun(History& history, Thread<Trail>& thread) {
    Task<Result<std::optional<Checkpoint<Trail>>>> reading = thread.latest();
    reading.start();
    std::optional<Checkpoint<Trail>> kept = std::move(reading.result()).value();
    if (!kept) return graph_.run({}, {}, history, loop_, nullptr, &thread);
    if (!kept->at.open().empty()) {
      return graph_.resume(std::move(kept->at), Json("yes"), {}, history, loop_, nullptr, &thread);
    }
    return graph_.go_on(std::move(*kept), {}, history, loop_, nullptr, &thread);
  }

  // tell runs one history to its end and holds what was said against what happened.
  void tell(History& history) {
    Disk disk(history, loop_);
    std::optional<TrailOutcome> outcome;
    while (!outcome) outcome = live(history, disk);
    EXPECT_EQ(outcome->status, TrailOutcome::kFinished) << outcome->error.message;
    for (const auto& [effect, times] : history.effects) EXPECT_LE(times, 1) << effect;
    for (const auto& [effect, said] : outcome->state.facts) {
      const int times = history.effects[effect];
      EXPECT_TRUE(said != "unknown" || history.deaths > 0) << effect;
      EXPECT_TRUE(said != "done" || times == 1) << effect << " happened " << times << " times";
      EXPECT_TRUE(said != "not done" || times == 0) << effect << " happened " << times << " times";
    }
    said_ = std::move(outcome->state.facts);
  }

  TinyLoop loop_;
  SendGraph graph_ = sending();
  std::map<std::string, std::string> said_;  // By the last run.
};

TEST_F(CrashPropTest, WithoutAMishapAllIsDoneOnce) {
  History history{Mishap()};
  tell(history);
  EXPECT_EQ(history.effects.size(), 7U);
  for (const auto& [effect, said] : said_) EXPECT_EQ(said, "done") << effect;
  EXPECT_EQ(history.operations, 18);  // Six steps, five more inside, seven notes.
}

TEST_F(CrashPropTest, AtMostOnceWhateverFailsAndWhereverItDies) {
  History calm{Mishap()};
  tell(calm);
  Rng rng(1);
  int unknown = 0;
  int not_done = 0;
  for (const auto how : {Mishap::kRefused, Mishap::kDoneAndRefused, Mishap::kRefusedFromThenOn}) {
    for (int operation = 0; operation <= calm.operations + 2; ++operation) {
      for (int moment = 1; moment <= calm.moments + 2; ++moment) {
        const int again = moment + static_cast<int>(rng.between(1, 20));
        for (const std::vector<int>& deaths : {std::vector<int>{moment}, {moment, again}}) {
          SCOPED_TRACE("how " + std::to_string(how) + ", operation " + std::to_string(operation) +
                       ", deaths at " + std::to_string(moment) + " and " +
                       std::to_string(deaths.back()));
          History history({operation, how, deaths});
          tell(history);
          for (const auto& [effect, said] : said_) {
            unknown += said == "unknown" ? 1 : 0;
            not_done += said == "not done" ? 1 : 0;
          }
          if (HasFailure()) return;
        }
      }
    }
  }
  EXPECT_GT(unknown, 100);
  EXPECT_GT(not_done, 100);
}

}  // namespace
}  // namespace plumbline::graph
