// Worlds in which processes die at any moment while they keep a thread, alone or two at a time, on
// a store whose writes fail, are done and told as failed, are torn, and come late: no step that was
// finished is lost, no effect happens twice, and every thread comes to its end.
// PLUMBLINE_CRASH_WORLDS says how many; the default is for every day.

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/base/wait.h"
#include "core/graph/builder.h"
#include "core/graph/saved_state.h"
#include "core/graph/thread.h"
#include "core/os/child/environment.h"
#include "core/store/thread_store.h"
#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_record_store.h"

namespace plumbline::stores {
namespace {

using fakes::StoreFault;
using fakes::StoreTrouble;
using std::chrono::milliseconds;

// Letters is what a run says of its effects: "sent", "not sent" or "unknown".
struct Letters {
  struct Update {
    std::vector<std::string> more{};

    Json to_json() const { return Json(more); }
    static Result<Update> from_json(const Json& json) {
      Result<Letters> read = Letters::from_json(json);
      if (!read.ok()) return read.error();
      return Update{std::move(read.value().said)};
    }
  };

  static constexpr std::int64_t kVersion = 1;
  std::vector<std::string> said{};

  void apply(Update&& update) {
    for (std::string& one : update.more) said.push_back(std::move(one));
  }
  Json to_json() const { return Json(said); }
  static Result<Letters> from_json(const Json& json) {
    Letters letters;
    for (const Json& one : json) letters.said.push_back(one.get_ref<const std::string&>());
    return letters;
  }
};

struct Post {
  std::map<std::string, int> sent{};
};

using Context = graph::Context<Letters, Post>;
using Outcome = graph::Outcome<Letters>;

// send sends one letter, noted first, and not when that had begun before.
Task<graph::NodeResult<Letters>> send(Context& context) {
  Letters::Update update;
  if (!context.notes().empty()) {
    update.more.emplace_back("unknown");
    co_return std::move(update);
  }
  const Status noted = co_await context.note("begins");
  if (!noted.ok()) {
    update.more.emplace_back("not sent");
    co_return std::move(update);
  }
  co_await Sleep(context.loop(), after(context.now(), milliseconds(3)));
  ++context.services().sent[std::string(context.node())];
  co_await Sleep(context.loop(), after(context.now(), milliseconds(3)));
  update.more.emplace_back("sent");
  co_return std::move(update);
}

graph::Graph<Letters, Post> letters_graph() {
  graph::GraphBuilder<Letters, Post> builder;
  builder.add_node("a", send).add_node("b", send).add_node("c", send).add_node("d", send);
  builder.add_edge(graph::kStart, "a").add_edge("a", "b").add_edge("b", "c").add_edge("c", "d");
  builder.add_edge("d", graph::kEnd);
  return std::move(builder.build()).value();
}

// Process is one that takes up the thread, until it is destroyed.
class Process {
 public:
  Process(RecordStore& records, const WallClock& clock, Loop& loop, std::int64_t writer)
      : store_(records, clock), saved_(store_), thread_(saved_, "t", loop, writer) {}

  void start(const graph::Graph<Letters, Post>& graph, Post& post, Loop& loop) {
    work_.emplace(work(this, &graph, &post, &loop));
    work_->start();
  }
  bool done() const { return work_->done(); }
  const std::optional<Outcome>& outcome() const { return outcome_; }

 private:
  static Task<int> work(Process* self, const graph::Graph<Letters, Post>* letters, Post* post,
                        Loop* loop) {
    Result<std::optional<graph::Checkpoint<Letters>>> kept = co_await self->thread_.latest();
    if (!kept.ok()) co_return 0;
    const graph::RunOptions options;
    if (kept.value()) {
      self->outcome_ = co_await letters->go_on(std::move(*kept.value()), options, *post, *loop,
                                               nullptr, &self->thread_);
    } else {
      self->outcome_ =
          co_await letters->run(Letters(), options, *post, *loop, nullptr, &self->thread_);
    }
    co_return 0;
  }

  store::ThreadStore store_;
  graph::SavedCheckpoints<Letters> saved_;
  graph::Thread<Letters> thread_;
  std::optional<Outcome> outcome_;
  std::optional<Task<int>> work_;
};

class World {
 public:
  World(const graph::Graph<Letters, Post>& graph, std::uint64_t seed)
      : graph_(graph), rng_(seed), trouble_percent_(rng_.below(2) * rng_.below(40)) {}

  // run lives through some deaths, and then without any. Returns what is wrong, nothing if all is
  // well.
  std::optional<std::string> run() {
    const std::uint64_t deaths = rng_.below(6);
    for (std::uint64_t i = 0; i < deaths && !ended_; ++i) {
      live(true);
      if (const auto lost = lost_step()) return lost;
    }
    calm_ = true;
    for (int i = 0; i < 4 && !ended_; ++i) live(false);
    if (!ended_) return "the thread does not come to its end";
    for (const auto& [letter, count] : post_.sent) {
      if (count > 1) return letter + " was sent " + std::to_string(count) + " times";
    }
    return untrue();
  }

 private:
  StoreTrouble draw(std::string_view operation) {
    StoreTrouble trouble{StoreFault::kNone, milliseconds(rng_.below(3)),
                         milliseconds(rng_.below(3))};
    if (calm_ || !rng_.chance(trouble_percent_, 100)) return trouble;
    constexpr StoreFault kFaults[] = {StoreFault::kFail, StoreFault::kFailAfter, StoreFault::kTear};
    trouble.fault = operation == "put" ? kFaults[rng_.below(3)] : StoreFault::kFail;
    return trouble;
  }

  void live(bool dies) {
    std::vector<std::unique_ptr<Process>> alive;
    const bool rivals = dies && rng_.chance(1, 3);
    for (int i = 0; i < (rivals ? 2 : 1); ++i) {
      alive.push_back(std::make_unique<Process>(records_, clock_, loop_, ++writers_));
      alive.back()->start(graph_, post_, loop_);
    }
    bool dead = false;
    Alarm death([&dead] { dead = true; });
    if (dies) loop_.arm(death, after(loop_.now(), milliseconds(1 + rng_.below(90))));
    const auto all_done = [&] {
      return std::ranges::all_of(alive, [](const auto& one) { return one->done(); });
    };
    check(loop_.run_until([&] { return dead || all_done(); }).ok(), "a process hangs");
    alive.clear();
    records_.crash();
    look();
  }

  // look reads the thread as the next process will find it.
  void look() {
    const bool before = std::exchange(calm_, true);
    store::ThreadStore store(records_, clock_);
    graph::SavedCheckpoints<Letters> saved(store);
    Task<Result<std::optional<graph::Checkpoint<Letters>>>> reading = saved.latest("t");
    check(loop_.run_task(reading).ok(), "reading hangs");
    check(reading.result().ok(), "what is left cannot be read");
    latest_ = std::move(reading.result()).value();
    ended_ = latest_ && latest_->ended();
    calm_ = before;
  }

  // lost_step says when a later process finds less than one before had.
  std::optional<std::string> lost_step() {
    const std::int64_t step = latest_ ? latest_->step : -1;
    if (step < furthest_) return "step " + std::to_string(furthest_) + " is lost";
    furthest_ = step;
    return std::nullopt;
  }

  // untrue says when the run tells of a letter what is not so.
  std::optional<std::string> untrue() {
    const char* const letters[] = {"a", "b", "c", "d"};
    if (latest_->at.state.said.size() != 4) return "not every letter is told of";
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string& said = latest_->at.state.said[i];
      const int count = post_.sent[letters[i]];
      if ((said == "sent" && count != 1) || (said == "not sent" && count != 0)) {
        return std::string(letters[i]) + " is said to be " + said;
      }
    }
    return std::nullopt;
  }

  const graph::Graph<Letters, Post>& graph_;
  Rng rng_;
  std::uint64_t trouble_percent_;
  bool calm_ = false;
  bool ended_ = false;
  std::int64_t writers_ = 0;
  std::int64_t furthest_ = -1;
  std::optional<graph::Checkpoint<Letters>> latest_;
  Post post_;
  fakes::SimLoop loop_;
  fakes::SimWallClock clock_{loop_, std::chrono::seconds(0)};
  fakes::SimRecordStore records_{
      loop_, [this](std::string_view operation, const std::string&) { return draw(operation); }};
};

TEST(CrashWorldsTest, NoStepIsLostNoEffectHappensTwiceAndEveryThreadEnds) {
  const auto asked = os::environment_variable("PLUMBLINE_CRASH_WORLDS");
  const int worlds = asked ? std::atoi(asked->c_str()) : 2'000;
  const graph::Graph<Letters, Post> graph = letters_graph();
  for (int seed = 1; seed <= worlds; ++seed) {
    const std::optional<std::string> wrong = World(graph, static_cast<std::uint64_t>(seed)).run();
    ASSERT_FALSE(wrong) << "seed " << seed << ": " << *wrong;
  }
}

}  // namespace
}  // namespace plumbline::stores
