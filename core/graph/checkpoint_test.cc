// A run that dies anywhere goes on from its last checkpoint, and a node learns what it had begun.

#include "core/graph/checkpoint.h"

#include "core/graph/checkpointer_around.h"
#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using Names = std::vector<std::string>;

// FailingSaver refuses what the test says.
class FailingSaver final : public CheckpointerAround<Trail> {
 public:
  FailingSaver() : CheckpointerAround(memory_) {}

  bool refuses_puts = false;
  bool refuses_notes = false;
  int refused_put = 0;        // The number of one, from 1.
  int refuses_puts_from = 0;  // The number of the first; 0: none.
  int puts = 0;

  Task<Status> put(Turn turn, Checkpoint<Trail> checkpoint) override {
    if (refuses()) return refused();
    return memory_.put(std::move(turn), std::move(checkpoint));
  }
  Task<Status> put_branch(Turn turn, Branch<Trail> branch) override {
    if (refuses()) return refused();
    return memory_.put_branch(std::move(turn), std::move(branch));
  }
  Task<Status> add_note(Turn turn, Note note) override {
    if (refuses_notes) return refused();
    return memory_.add_note(std::move(turn), std::move(note));
  }

 private:
  bool refuses() {
    ++puts;
    const bool from_here = refuses_puts_from > 0 && puts >= refuses_puts_from;
    return refuses_puts || from_here || puts == refused_put;
  }
  static Task<Status> refused() {
    Error error;
    error.code = ErrorCode::kDisconnected;
    error.message = "disk full";
    co_return error;
  }

  MemorySaver<Trail> memory_;
};

// announced notes that it begins, and does nothing when it had begun before.
Task<TrailResult> announced(TrailContext& context) {
  if (!context.notes().empty()) {
    Trail::Update update;
    update.answer = "begun " + dump_json(context.notes().front());
    co_return update;
  }
  const Status noted = co_await context.note("mine");
  if (!noted.ok()) co_return Error(noted.error());
  co_await Sleep(context.loop(), after(context.now(), std::chrono::seconds(1)));
  co_return trace_of(context);
}

// next_of and notes_of are about the only branch.
std::string next_of(const Checkpoint<Trail>& kept) { return kept.at.branches.at(0).node; }
std::vector<Note> notes_of(const Checkpoint<Trail>& kept) {
  return kept.ended() ? std::vector<Note>() : kept.at.branches.at(0).notes;
}

class CheckpointTest : public GraphFixture {
 protected:
  static TrailGraph three(Node<Trail, World> middle) {
    TrailBuilder builder;
    builder.add_node("one", walk).add_node("two", std::move(middle)).add_node("three", walk);
    builder.add_edge(kStart, "one").add_edge("one", "two").add_edge("two", "three");
    builder.add_edge("three", kEnd);
    return built(builder);
  }

  std::optional<Checkpoint<Trail>> latest() {
    Task<Result<std::optional<Checkpoint<Trail>>>> reading = thread_.latest();
    reading.start();
    return std::move(reading.result()).value();
  }

  TrailOutcome go_on(const TrailGraph& graph) {
    return finish(graph.go_on(*latest(), {}, world_, loop_, &recorder_, &thread_));
  }

  FailingSaver saver_;
  Thread<Trail> thread_{saver_, "request", loop_};
};

TEST_F(CheckpointTest, OneIsKeptBeforeTheFirstNodeAndAfterEach) {
  const TrailGraph graph = three(walk);
  EXPECT_FALSE(latest().has_value());
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(saver_.puts, 4);
  EXPECT_TRUE(latest()->ended());
  EXPECT_EQ(latest()->at.state.steps, (Names{"one", "two", "three"}));
}

TEST_F(CheckpointTest, ARunThatWasDroppedGoesOnWithTheNodeThatDidNotEnd) {
  const TrailGraph graph = three(announced);
  {
    Task<TrailOutcome> dying = graph.run({}, {}, world_, loop_, &recorder_, &thread_);
    dying.start();
  }
  EXPECT_EQ(next_of(*latest()), "two");
  EXPECT_EQ(latest()->at.route, Names{"one"});
  const TrailOutcome outcome = go_on(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.route, (Route{"one", "two", "three"}));
  EXPECT_EQ(outcome.steps, 3);
  EXPECT_EQ(outcome.state.answer, R"(begun "mine")");
  EXPECT_EQ(world_.calls, (Names{"one", "three"}));
}

TEST_F(CheckpointTest, ARunThatHadEndedSaysTheSameAgain) {
  const TrailGraph graph = three(walk);
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  const TrailOutcome outcome = go_on(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.route, (Route{"one", "two", "three"}));
  EXPECT_EQ(world_.calls, (Names{"one", "two", "three"}));
}

TEST_F(CheckpointTest, ACheckpointForgetsTheNotesBeforeIt) {
  const TrailGraph graph = three(announced);
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_TRUE(notes_of(*latest()).empty());
}

TEST_F(CheckpointTest, ARunNeedsItsCheckpointsOnlyToNoteSomething) {
  saver_.refuses_puts = true;
  const TrailOutcome plain = finish(three(walk).run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(plain.status, TrailOutcome::kFinished);
  EXPECT_FALSE(latest().has_value());
  const TrailOutcome noting =
      finish(three(announced).run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(noting.status, TrailOutcome::kFailed);
  EXPECT_EQ(noting.error.message, "node 'two' failed: disk full");
}

TEST_F(CheckpointTest, ACheckpointThatCouldNotBePutIsPutBeforeTheNextNote) {
  saver_.refused_put = 2;  // That between "one" and "two".
  const TrailGraph graph = three(announced);
  {
    Task<TrailOutcome> dying = graph.run({}, {}, world_, loop_, &recorder_, &thread_);
    dying.start();
  }
  EXPECT_EQ(next_of(*latest()), "two");
  ASSERT_EQ(notes_of(*latest()).size(), 1U);
  EXPECT_EQ(go_on(graph).state.answer, R"(begun "mine")");
}

TEST_F(CheckpointTest, WhatFailsAfterTheNoteLeavesTheNoteInForce) {
  saver_.refuses_puts_from = 3;  // That between "two" and "three".
  const TrailGraph graph = three(announced);
  const TrailOutcome first = finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(first.status, TrailOutcome::kFinished);
  EXPECT_EQ(next_of(*latest()), "two");
  ASSERT_EQ(notes_of(*latest()).size(), 1U);
  EXPECT_EQ(notes_of(*latest()).front().node, "two");
  EXPECT_EQ(go_on(graph).state.answer, R"(begun "mine")");
}

TEST_F(CheckpointTest, ANodeIsShownItsOwnNotesOnly) {
  finish(three(walk).run({}, {}, world_, loop_, &recorder_, &thread_));
  Checkpoint<Trail> kept;
  kept.at.branches = {{.key = "two", .node = "two"}};
  kept.at.branches.front().notes = {{"one", "of another"}, {"two/two", "of one inside"}};
  Task<Status> putting = thread_.put(kept);
  putting.start();
  ASSERT_TRUE(putting.result().ok());
  const TrailOutcome outcome =
      finish(three(announced).go_on(std::move(kept), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.state.answer, "");
  EXPECT_EQ(outcome.state.steps, (Names{"two", "three"}));
}

TEST_F(CheckpointTest, ANodeThatWasAnsweredAndThenDiedFindsItsNotes) {
  const TrailGraph graph = three([](TrailContext& context) -> Task<TrailResult> {
    if (context.answer() == nullptr) co_return Interrupt{"may I?"};
    Task<TrailResult> answered = announced(context);
    TrailResult result = co_await answered;
    co_return std::move(result);
  });
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  {
    Task<TrailOutcome> dying =
        graph.resume(*latest(), Json("yes"), {}, world_, loop_, &recorder_, &thread_);
    dying.start();
  }
  ASSERT_EQ(latest()->at.open().size(), 1U);
  const TrailOutcome outcome =
      finish(graph.resume(*latest(), Json("yes"), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.state.answer, R"(begun "mine")");
}

TEST_F(CheckpointTest, AnotherAttemptFindsTheNotesOfTheFirstWithAndWithoutAThread) {
  const auto noting = [](TrailContext& context) -> Task<TrailResult> {
    if (!context.notes().empty()) {
      Trail::Update update;
      update.answer = "begun";
      co_return update;
    }
    const Status noted = co_await context.note("mine");
    check(noted.ok(), "nothing fails here");
    co_return Error{ErrorCode::kDisconnected, "the bridge is out"};
  };
  TrailBuilder builder;
  builder.add_node("one", noting, {.attempts_max = 2});
  builder.add_edge(kStart, "one").add_edge("one", kEnd);
  const TrailGraph graph = built(builder);
  EXPECT_EQ(run(graph).state.answer, "begun");
  const TrailOutcome kept = finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(kept.state.answer, "begun");
}

// Inside a subgraph ------------------------------------------------------------------------------

// inside puts `middle` into a subgraph "sub" between two nodes.
TrailGraph inside(TrailGraph middle, NodePolicy policy = {}) {
  TrailBuilder builder;
  builder.add_node("first", walk).add_node("last", walk);
  builder.add_subgraph<Trail>(
      "sub", std::move(middle), [](const Trail&) { return Trail(); },
      [](Trail trail) {
        Trail::Update update;
        update.answer = std::move(trail.answer);
        return update;
      },
      policy);
  builder.add_edge(kStart, "first").add_edge("first", "sub");
  builder.add_edge("sub", "last").add_edge("last", kEnd);
  return std::move(builder.build()).value();
}

TEST_F(CheckpointTest, ANoteIsFoundAfterARestartHoweverDeepItsNodeIs) {
  const std::string owners[] = {"two", "sub/two", "sub/sub/two", "sub/sub/sub/two"};
  for (std::size_t depth = 0; depth < std::size(owners); ++depth) {
    SCOPED_TRACE(owners[depth]);
    TrailGraph graph = three(announced);
    for (std::size_t level = 0; level < depth; ++level) graph = inside(std::move(graph));
    Thread<Trail> thread(saver_, owners[depth], loop_);
    {
      Task<TrailOutcome> dying = graph.run({}, {}, world_, loop_, &recorder_, &thread);
      dying.start();
    }
    Task<Result<std::optional<Checkpoint<Trail>>>> reading = thread.latest();
    reading.start();
    Checkpoint<Trail> kept = *reading.result().value();
    ASSERT_EQ(notes_of(kept).size(), 1U);
    EXPECT_EQ(notes_of(kept).front().node, owners[depth]);
    const TrailOutcome outcome =
        finish(graph.go_on(std::move(kept), {}, world_, loop_, &recorder_, &thread));
    EXPECT_EQ(outcome.state.answer, R"(begun "mine")");
  }
}

TEST_F(CheckpointTest, ANodeInsideLearnsThatItsNoteIsNotKept) {
  const TrailGraph graph = inside(inside(three(announced)));
  saver_.refuses_notes = true;
  const TrailOutcome outcome = finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
  EXPECT_NE(outcome.error.message.find("node 'two' failed: disk full"), std::string::npos)
      << outcome.error.message;
}

TEST_F(CheckpointTest, ASubgraphThatIsEnteredAnewShowsTheNotesOfItsFirstAttempt) {
  const auto stumbling = [](TrailContext& context) -> Task<TrailResult> {
    Task<TrailResult> first = announced(context);
    TrailResult result = co_await first;
    if (context.services().failures_left-- > 0) co_return Error{ErrorCode::kDisconnected, "gone"};
    co_return std::move(result);
  };
  const TrailGraph graph = inside(inside(three(stumbling)), {.attempts_max = 2});
  for (const bool keeps : {true, false}) {
    world_.failures_left = 1;
    const TrailOutcome outcome =
        finish(graph.run({}, {}, world_, loop_, &recorder_, keeps ? &thread_ : nullptr));
    EXPECT_EQ(outcome.state.answer, R"(begun "mine")") << keeps;
  }
}

TEST_F(CheckpointTest, ANodeLearnsThatItsNoteIsNotKept) {
  const TrailGraph graph = three(announced);
  saver_.refuses_notes = true;
  const TrailOutcome outcome = finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
  EXPECT_EQ(outcome.error.message, "node 'two' failed: disk full");
  EXPECT_EQ(world_.calls, Names{"one"});
}

TEST_F(CheckpointTest, WhatWaitsForAPersonWaitsInItsCheckpoint) {
  const TrailGraph graph = three(ask);
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  std::optional<Checkpoint<Trail>> kept = latest();
  ASSERT_EQ(kept->at.open().size(), 1U);
  EXPECT_EQ(kept->at.open().front().key, "two");
  EXPECT_EQ(kept->at.open().front().what, (Json{{"question", "two"}}));
  const TrailOutcome outcome = finish(
      graph.resume(std::move(kept->at), Json("yes"), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.route, (Route{"one", "two", "three"}));
  EXPECT_TRUE(latest()->ended());
}

TEST_F(CheckpointTest, ACheckpointOfAnotherGraphIsRefused) {
  Checkpoint<Trail> kept;
  kept.at.branches = {{.key = "elsewhere", .node = "elsewhere"}};
  const TrailOutcome outcome =
      finish(three(walk).go_on(std::move(kept), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
}

TEST_F(CheckpointTest, ThreadsAreKeptApart) {
  const TrailGraph graph = three(walk);
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  Thread<Trail> other(saver_, "another request", loop_);
  Task<Result<std::optional<Checkpoint<Trail>>>> reading = other.latest();
  reading.start();
  EXPECT_FALSE(reading.result().value().has_value());
}

}  // namespace
}  // namespace plumbline::graph
