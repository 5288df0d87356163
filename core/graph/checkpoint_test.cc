// A run that dies anywhere goes on from its last checkpoint, and a node learns what it had begun.

#include "core/graph/checkpoint.h"

#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using Names = std::vector<std::string>;

// FailingSaver refuses what the test says.
class FailingSaver final : public Checkpointer<Trail> {
 public:
  bool refuses_puts = false;
  bool refuses_notes = false;
  int puts = 0;

  Task<Status> put(std::string thread, Checkpoint<Trail> checkpoint) override {
    ++puts;
    if (refuses_puts) return refused();
    return memory_.put(std::move(thread), std::move(checkpoint));
  }
  Task<Status> add_note(std::string thread, Json note) override {
    if (refuses_notes) return refused();
    return memory_.add_note(std::move(thread), std::move(note));
  }
  Task<Result<std::optional<Checkpoint<Trail>>>> latest(std::string thread) override {
    return memory_.latest(std::move(thread));
  }

 private:
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
  Thread<Trail> thread_{saver_, "request"};
};

TEST_F(CheckpointTest, OneIsKeptBeforeTheFirstNodeAndAfterEach) {
  const TrailGraph graph = three(walk);
  EXPECT_FALSE(latest().has_value());
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(saver_.puts, 4);
  EXPECT_EQ(latest()->at.node, kEnd);
  EXPECT_EQ(latest()->at.state.steps, (Names{"one", "two", "three"}));
}

TEST_F(CheckpointTest, ARunThatWasDroppedGoesOnWithTheNodeThatDidNotEnd) {
  const TrailGraph graph = three(announced);
  {
    Task<TrailOutcome> dying = graph.run({}, {}, world_, loop_, &recorder_, &thread_);
    dying.start();
  }
  EXPECT_EQ(latest()->at.node, "two");
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
  EXPECT_TRUE(latest()->notes.empty());
}

TEST_F(CheckpointTest, ACheckpointThatCannotBeKeptIsPassedOverAndItsNotesStay) {
  const TrailGraph graph = three(announced);
  saver_.refuses_puts = true;
  const TrailOutcome first = finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(first.status, TrailOutcome::kFinished);
  ASSERT_EQ(latest()->notes.size(), 1U);
  EXPECT_TRUE(latest()->at.node.empty());
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
  EXPECT_TRUE(kept->waits);
  EXPECT_EQ(kept->at.payload, (Json{{"question", "two"}}));
  const TrailOutcome outcome =
      finish(graph.resume(std::move(kept->at), "yes", {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.route, (Route{"one", "two", "three"}));
  EXPECT_EQ(latest()->at.node, kEnd);
}

TEST_F(CheckpointTest, ACheckpointOfAnotherGraphIsRefused) {
  Checkpoint<Trail> kept;
  kept.at.node = "elsewhere";
  const TrailOutcome outcome =
      finish(three(walk).go_on(std::move(kept), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
}

TEST_F(CheckpointTest, ThreadsAreKeptApart) {
  const TrailGraph graph = three(walk);
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  Thread<Trail> other(saver_, "another request");
  Task<Result<std::optional<Checkpoint<Trail>>>> reading = other.latest();
  reading.start();
  EXPECT_FALSE(reading.result().value().has_value());
}

}  // namespace
}  // namespace plumbline::graph
