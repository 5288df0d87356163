// What an observer may follow: values, updates, messages, custom events and debug.

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/stored_fixture.h"
#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using Lines = std::vector<std::string>;

// Listener writes what is streamed, as one line each.
class Listener final : public GraphObserver {
 public:
  explicit Listener(std::set<Stream> wanted) : wanted_(std::move(wanted)) {}

  Lines lines;

  // implements GraphObserver ---
  void node_started(std::string_view, std::int64_t, int) override {}
  void node_ended(std::string_view, std::int64_t, StepResult, const Error*) override {}
  void edge_taken(std::string_view, std::string_view) override {}
  void interrupted(std::string_view, const Json&) override {}
  bool streams(Stream stream) const override { return wanted_.contains(stream); }
  void streamed(const StreamPart& part) override {
    EXPECT_TRUE(wanted_.contains(part.stream));
    lines.push_back(std::string(name_of(part.stream)) + " " + std::string(part.key) + " " +
                    dump_json(part.what));
  }

 private:
  std::set<Stream> wanted_;
};

Task<NodeResult<Ledger>> talk(Context<Ledger, World>& context) {
  context.message("hel");
  context.message("lo");
  context.write(Json{{"progress", 1}});
  if (context.services().failures_left-- > 0) co_return Error{ErrorCode::kDisconnected, "gone"};
  co_return Ledger::Update{std::string(context.key())};
}

Task<NodeResult<Ledger>> demand(Context<Ledger, World>& context) {
  if (context.answer() == nullptr) co_return Interrupt{"why?"};
  co_return Ledger::Update{"answered"};
}

class StreamingTest : public GraphFixture {
 protected:
  // a, and b that asks, side by side.
  static Graph<Ledger, World> pair() {
    GraphBuilder<Ledger, World> builder;
    builder.add_node("a", talk, {.attempts_max = 2}).add_node("b", demand);
    builder.add_edge(kStart, "a").add_edge(kStart, "b").add_edge("a", kEnd).add_edge("b", kEnd);
    return built(builder);
  }

  Lines heard(const Graph<Ledger, World>& graph, std::set<Stream> wanted) {
    Listener listener(std::move(wanted));
    Outcome<Ledger> outcome = finish(graph.run({}, {}, world_, loop_, &listener));
    while (outcome.status == Outcome<Ledger>::kInterrupted) {
      Snapshot<Ledger> snapshot = std::move(*outcome.snapshot);
      outcome = finish(graph.resume(std::move(snapshot), Json("so"), {}, world_, loop_, &listener));
    }
    return listener.lines;
  }
};

TEST_F(StreamingTest, ValuesAreTheStateAtTheBeginningAndAfterEachStep) {
  EXPECT_EQ(heard(pair(), {Stream::kValues}),
            (Lines{R"(values  {"lines":[]})", R"(values  {"lines":["a","answered"]})"}));
}

TEST_F(StreamingTest, UpdatesComeFromEachBranchAsSoonAsItIsDone) {
  EXPECT_EQ(heard(pair(), {Stream::kUpdates}),
            (Lines{R"(updates a {"line":"a"})",
                   R"(updates b {"__interrupt__":[{"key":"b","what":"why?"}]})",
                   R"(updates b {"line":"answered"})"}));
}

TEST_F(StreamingTest, NodesSayWhatTheyWill) {
  EXPECT_EQ(heard(pair(), {Stream::kMessages, Stream::kCustom}),
            (Lines{R"(messages a "hel")", R"(messages a "lo")", R"(custom a {"progress":1})"}));
}

TEST_F(StreamingTest, DebugTellsEachAttemptItsResultAndWhatIsNext) {
  world_.failures_left = 1;
  EXPECT_EQ(heard(pair(), {Stream::kDebug}),
            (Lines{R"(debug  {"next":["a","b"],"type":"checkpoint"})",
                   R"(debug a {"attempt":1,"node":"a","type":"task"})",
                   R"(debug b {"attempt":1,"node":"b","type":"task"})",
                   R"(debug b {"__interrupt__":[{"key":"b","what":"why?"}],"node":"b",)"
                   R"("type":"task_result"})",
                   R"(debug a {"attempt":2,"node":"a","type":"task"})",
                   R"(debug a {"node":"a","type":"task_result","update":{"line":"a"}})",
                   R"(debug b {"attempt":1,"node":"b","type":"task"})",
                   R"(debug b {"node":"b","type":"task_result","update":{"line":"answered"}})",
                   R"(debug  {"next":[],"type":"checkpoint"})"}));
}

TEST_F(StreamingTest, WhatIsInsideASubgraphIsUnderItsKey) {
  GraphBuilder<Ledger, World> builder;
  builder.add_subgraph<Ledger>(
      "sub", pair(), [](const Ledger&) { return Ledger(); },
      [](const Ledger& inner) { return Ledger::Update{inner.lines.back()}; });
  builder.add_edge(kStart, "sub").add_edge("sub", kEnd);
  EXPECT_EQ(heard(built(builder), {Stream::kValues, Stream::kCustom}),
            (Lines{R"(values  {"lines":[]})", R"(values sub {"lines":[]})",
                   R"(custom sub/a {"progress":1})", R"(values sub {"lines":["a","answered"]})",
                   R"(values  {"lines":["answered"]})"}));
}

TEST_F(StreamingTest, WhoWantsNothingHearsNothing) {
  EXPECT_TRUE(heard(pair(), {}).empty());
  EXPECT_FALSE(recorder_.streams(Stream::kValues));
}

}  // namespace
}  // namespace plumbline::graph
