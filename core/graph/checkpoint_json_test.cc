// What is kept beyond the process comes back as it was, or is refused as a whole.

#include "core/graph/checkpoint_json.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/stored_fixture.h"
#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using LedgerGraph = Graph<Ledger, World>;
using LedgerOutcome = Outcome<Ledger>;
using LedgerContext = Context<Ledger, World>;
using Lines = std::vector<std::string>;

Task<NodeResult<Ledger>> sign(LedgerContext& context) {
  context.services().calls.emplace_back(context.key());
  co_return Ledger::Update{std::string(context.key())};
}

Task<NodeResult<Ledger>> query(LedgerContext& context) {
  context.services().calls.emplace_back(context.key());
  if (context.answer() == nullptr) co_return Interrupt{"why?"};
  co_return Ledger::Update{dump_json(*context.answer())};
}

// full returns a checkpoint in which nothing is left at its default.
Checkpoint<Ledger> full() {
  Checkpoint<Ledger> kept{{Ledger{{"one", "two"}}}};
  Branch<Ledger> done{.key = "a", .node = "a", .input = Json{{"n", 1}}};
  done.update = Ledger::Update{"three"};
  done.steps = 2;
  Branch<Ledger> waits{.key = "a:2", .node = "a"};
  waits.questions = {{"a:2/x", "why?"}, {"a:2/y", nullptr}};
  waits.nested = Nested(Json("inside"));
  waits.notes = {{"a:2/x", "because", true}, {"a:2", Json::array()}};
  kept.at.branches = {done, waits};
  kept.at.joins = {{"z", {"a", "b"}}};
  kept.at.route = {"a", "b"};
  kept.at.steps = 9;
  kept.step = 4;
  kept.origin = Origin::kFork;
  kept.parent = 2;
  kept.parent_thread = "t";
  return kept;
}

TEST(CheckpointJsonTest, ACheckpointComesBackAsItWas) {
  const Json json = to_json(full()).value();
  const Result<Checkpoint<Ledger>> read = checkpoint_from<Ledger>(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(to_json(read.value()).value(), json);
  const Checkpoint<Ledger>& kept = read.value();
  EXPECT_EQ(kept.at.state.lines, (Lines{"one", "two"}));
  EXPECT_EQ(kept.at.branches[0].update->line, "three");
  EXPECT_EQ(kept.at.branches[0].input, (Json{{"n", 1}}));
  EXPECT_EQ(kept.at.branches[1].questions[1].key, "a:2/y");
  EXPECT_TRUE(kept.at.branches[1].notes[0].answers);
  EXPECT_EQ(kept.at.joins[0].arrived, (Lines{"a", "b"}));
  EXPECT_EQ(kept.parent, 2);
  EXPECT_EQ(kept.parent_thread, "t");
  EXPECT_EQ(kept.origin, Origin::kFork);
}

TEST(CheckpointJsonTest, WhatIsMissingIsNamed) {
  const Json json = to_json(full()).value();
  const auto refused = [&](const std::string& pointer, const std::string& key) {
    Json changed = json;
    changed[Json::json_pointer(pointer)].erase(key);
    const Result<Checkpoint<Ledger>> read = checkpoint_from<Ledger>(changed);
    return read.ok() ? "" : read.error().message;
  };
  for (const char* const key : {"format", "at", "step", "origin"}) {
    EXPECT_EQ(refused("", key), "the saved checkpoint has no \"" + std::string(key) + '"');
  }
  for (const char* const key : {"state", "branches", "joins", "route", "steps"}) {
    EXPECT_EQ(refused("/at", key), "the saved run has no \"" + std::string(key) + '"');
  }
  for (const char* const key : {"key", "node", "steps", "questions", "notes"}) {
    EXPECT_EQ(refused("/at/branches/1", key),
              "the saved branch has no \"" + std::string(key) + '"');
  }
  for (const char* const key : {"node", "what", "answers"}) {
    EXPECT_EQ(refused("/at/branches/1/notes/0", key),
              "the saved note has no \"" + std::string(key) + '"');
  }
  EXPECT_EQ(refused("/at/state", "version"), "the saved state has no \"version\"");
  EXPECT_EQ(refused("/at/state/value", "lines"), "the saved ledger has no \"lines\"");
  EXPECT_EQ(refused("/at/branches/0/update/value", "line"), "the saved update has no \"line\"");
  EXPECT_EQ(refused("/at/joins/0", "arrived"), "the saved join has no \"arrived\"");
  EXPECT_EQ(refused("/at/branches/1/questions/0", "key"), "the saved question has no \"key\"");
}

TEST(CheckpointJsonTest, WhatIsOfAnotherTypeOrVersionIsNamed) {
  const auto refused = [](const std::string& pointer, const Json& value) {
    Json changed = to_json(full()).value();
    changed[Json::json_pointer(pointer)] = value;
    const Result<Checkpoint<Ledger>> read = checkpoint_from<Ledger>(changed);
    return read.ok() ? "" : read.error().message;
  };
  EXPECT_EQ(refused("/format", 2), "the saved checkpoint has format 2, expected 1");
  EXPECT_EQ(refused("/origin", "here"), "the saved checkpoint has an unknown \"origin\"");
  EXPECT_EQ(refused("/at/state/version", 2), "the saved state has version 2, expected 3");
  EXPECT_EQ(refused("/at/branches/0/update/version", 4),
            "the saved state has version 4, expected 3");
  EXPECT_EQ(refused("/step", "four"),
            "the saved checkpoint has a string as \"step\", expected a whole number from 0");
  EXPECT_EQ(refused("/step", -1),
            "the saved checkpoint has a number as \"step\", expected a whole number from 0");
  EXPECT_EQ(refused("/at", Json::array()), "the saved run is an array, expected an object");
  EXPECT_EQ(refused("/at/branches", 1),
            "the saved run has a number as \"branches\", expected an array");
  EXPECT_EQ(refused("/at/branches/0", nullptr), "the saved branch is null, expected an object");
  EXPECT_EQ(refused("/at/branches/1/notes/0/answers", 1),
            "the saved note has a number as \"answers\", expected true or false");
  EXPECT_EQ(refused("/at/route/0", 1), "a saved name is a number, expected a string");
  EXPECT_FALSE(checkpoint_from(Json()).ok());
}

class StoredRunTest : public GraphFixture {
 protected:
  // start -> (a, inner of p, q that asks, r); the inner one is a graph of its own.
  static LedgerGraph graph() {
    GraphBuilder<Ledger, World> inner;
    inner.add_node("p", sign).add_node("q", query).add_node("r", sign);
    inner.add_edge(kStart, "p").add_edge("p", "q").add_edge("q", "r").add_edge("r", kEnd);
    GraphBuilder<Ledger, World> outer;
    outer.add_node("a", sign).add_edge(kStart, "a").add_edge("a", kEnd);
    outer.add_subgraph<Ledger>(
        "sub", built(inner), [](const Ledger&) { return Ledger(); },
        [](Ledger ledger) { return Ledger::Update{dump_json(ledger.to_json())}; });
    outer.add_edge(kStart, "sub").add_edge("sub", kEnd);
    return built(outer);
  }

  template <typename T>
  static T now(Task<T> task) {
    task.start();
    return std::move(task.result());
  }

  // through returns what a store makes of a checkpoint.
  static Checkpoint<SavedState> through(const Checkpoint<SavedState>& kept) {
    return checkpoint_from(parse_json(dump_json(to_json(kept).value())).value()).value();
  }

  MemorySaver<SavedState> saver_;
  SavedCheckpoints<Ledger> checkpoints_{saver_};
  Thread<Ledger> thread_{checkpoints_, "t", loop_};
};

TEST_F(StoredRunTest, WhatWaitsInsideASubgraphIsAnsweredInAnotherProcess) {
  const LedgerGraph first = graph();
  EXPECT_EQ(finish(first.run({}, {}, world_, loop_, nullptr, &thread_)).status,
            LedgerOutcome::kInterrupted);
  const LedgerGraph second = graph();
  Checkpoint<SavedState> kept = through(*now(saver_.latest("t")).value());
  ASSERT_TRUE(kept.at.branches[0].done());
  EXPECT_EQ(kept.at.open()[0].key, "sub/q");
  world_.calls.clear();
  const LedgerOutcome outcome =
      finish(second.resume(load<Ledger>(std::move(kept)).value(), Json("so"), {}, world_, loop_));
  EXPECT_EQ(outcome.status, LedgerOutcome::kFinished) << outcome.error.message;
  EXPECT_EQ(outcome.state.lines, (Lines{"a", R"({"lines":["p","\"so\"","r"]})"}));
  EXPECT_EQ(world_.calls, (Lines{"q", "r"}));
}

TEST_F(StoredRunTest, ASubgraphGoesOnInsideWhereItsProcessDied) {
  GraphBuilder<Ledger, World> inner;
  inner.add_node("p", sign).add_edge(kStart, "p").add_edge("p", "q").add_edge("q", kEnd);
  inner.add_node("q", [](LedgerContext& context) -> Task<NodeResult<Ledger>> {
    co_await Sleep(context.loop(), after(context.now(), std::chrono::hours(1)));
    co_return Ledger::Update{"late"};
  });
  GraphBuilder<Ledger, World> outer;
  outer.add_subgraph<Ledger>(
      "sub", built(inner), [](const Ledger&) { return Ledger(); },
      [](Ledger ledger) { return Ledger::Update{dump_json(ledger.to_json())}; });
  outer.add_edge(kStart, "sub").add_edge("sub", kEnd);
  const LedgerGraph graph = built(outer);
  {
    Task<LedgerOutcome> dying = graph.run({}, {}, world_, loop_, nullptr, &thread_);
    dying.start();
  }
  Checkpoint<SavedState> kept = through(*now(saver_.latest("t")).value());
  EXPECT_EQ(kept.at.branches[0].steps, 2);
  world_.calls.clear();
  const LedgerOutcome outcome =
      finish(graph.go_on(load<Ledger>(std::move(kept)).value(), {}, world_, loop_));
  EXPECT_EQ(outcome.state.lines, Lines{R"({"lines":["p","late"]})"});
  EXPECT_TRUE(world_.calls.empty());
  EXPECT_EQ(outcome.steps, 3);
}

TEST_F(StoredRunTest, AnInsideThatCannotBeReadIsRefusedBeforeAnythingRuns) {
  const LedgerGraph graph = StoredRunTest::graph();
  finish(graph.run({}, {}, world_, loop_, nullptr, &thread_));
  world_.calls.clear();
  const auto refusal = [&](const std::string& pointer, const Json& value) {
    Json json = to_json(*now(saver_.latest("t")).value()).value();
    json[Json::json_pointer("/at/branches/1/nested" + pointer)] = value;
    Checkpoint<Ledger> kept = checkpoint_from<Ledger>(json).value();
    const LedgerOutcome outcome = finish(graph.go_on(std::move(kept), {}, world_, loop_));
    EXPECT_EQ(outcome.error.code, ErrorCode::kInvalidInput);
    return outcome.error.message;
  };
  const std::string where = "snapshot stands inside of 'sub' where it cannot: ";
  EXPECT_EQ(refusal("/state/version", 1), where + "the saved state has version 1, expected 3");
  EXPECT_EQ(refusal("/branches/0/node", "x"),
            where + "snapshot stands at 'x' which is no node of this graph");
  EXPECT_EQ(refusal("", 1), where + "the saved run is a number, expected an object");
  EXPECT_TRUE(world_.calls.empty());
}

TEST_F(StoredRunTest, AStateOfASubgraphThatCannotBeWrittenSaysSo) {
  GraphBuilder<Trail, World> inner;
  inner.add_node("q", ask).add_edge(kStart, "q").add_edge("q", kEnd);
  GraphBuilder<Ledger, World> outer;
  outer.add_subgraph<Trail>(
      "sub", built(inner), [](const Ledger&) { return Trail(); },
      [](const Trail&) { return Ledger::Update(); });
  outer.add_edge(kStart, "sub").add_edge("sub", kEnd);
  const LedgerGraph graph = built(outer);
  const LedgerOutcome outcome = finish(graph.run({}, {}, world_, loop_));
  EXPECT_EQ(to_json(*outcome.snapshot).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace plumbline::graph
