// Interrupts in several branches at once, their answers by key, and what is kept of sisters.

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using std::chrono::seconds;
using Names = std::vector<std::string>;
using Keyed = std::map<std::string, Json>;

// wonder asks under its key, and keeps the answer as a fact.
Task<TrailResult> wonder(TrailContext& context) {
  record_call(context);
  if (context.answer() == nullptr) {
    Json payload = std::string(context.key()) + "?";
    co_return Interrupt{std::move(payload)};
  }
  Trail::Update update = trace_of(context);
  update.facts[update.steps.front()] = dump_json(*context.answer());
  co_return update;
}

class QuestionsTest : public GraphFixture {
 protected:
  // a, p and q side by side, then z. p and q ask.
  static TrailBuilder asking() {
    TrailBuilder builder;
    builder.add_node("a", take).add_node("p", wonder).add_node("q", wonder);
    builder.add_node("z", take).add_edge("z", kEnd);
    for (const char* const name : {"a", "p", "q"})
      builder.add_edge(kStart, name).add_edge(name, "z");
    return builder;
  }
  static TrailGraph asking_graph() {
    TrailBuilder builder = asking();
    return built(builder);
  }

  static Names open(const TrailOutcome& outcome) {
    Names out;
    for (const Question& question : outcome.snapshot->open()) out.push_back(question.key);
    return out;
  }

  TrailOutcome answer(const TrailGraph& graph, TrailOutcome& outcome, Keyed answers) {
    return finish(graph.resume(*outcome.snapshot, Answers::by_key(std::move(answers)), {}, world_,
                               loop_, &recorder_));
  }

  std::optional<Checkpoint<Trail>> latest() {
    Task<Result<std::optional<Checkpoint<Trail>>>> reading = thread_.latest();
    reading.start();
    return std::move(reading.result()).value();
  }

  MemorySaver<Trail> saver_;
  Thread<Trail> thread_{saver_, "request", loop_};
};

TEST_F(QuestionsTest, AllThatAskAreAskedAtOnceAndAllThatCanFinishDo) {
  const TrailGraph graph = asking_graph();
  TrailOutcome outcome = run(graph);
  ASSERT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(open(outcome), (Names{"p", "q"}));
  EXPECT_EQ(outcome.snapshot->open()[1].what, "q?");
  EXPECT_TRUE(outcome.state.steps.empty());  // The step is not done.
  outcome = answer(graph, outcome, {{"q", 2}, {"p", 1}});
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.state.steps, (Names{"a", "p", "q", "z"}));
  EXPECT_EQ(outcome.state.facts, (std::map<std::string, std::string>{{"p", "1"}, {"q", "2"}}));
  EXPECT_EQ(world_.calls, (Names{"a", "p", "q", "p", "q", "z"}));
  EXPECT_EQ(outcome.route, (Route{"a", "p", "q", "z"}));
  EXPECT_EQ(outcome.steps, 4);
}

TEST_F(QuestionsTest, SomeAreAnsweredAndSomeGoOnWaiting) {
  const TrailGraph graph = asking_graph();
  TrailOutcome outcome = run(graph);
  outcome = answer(graph, outcome, {{"q", 2}});
  ASSERT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(open(outcome), Names{"p"});
  EXPECT_EQ(world_.calls, (Names{"a", "p", "q", "q"}));
  outcome =
      finish(graph.resume(*outcome.snapshot, Answers(Json(1)), {}, world_, loop_, &recorder_));
  EXPECT_EQ(outcome.state.steps, (Names{"a", "p", "q", "z"}));
  EXPECT_EQ(world_.calls, (Names{"a", "p", "q", "q", "p", "z"}));
}

TEST_F(QuestionsTest, AnAnswerWithoutAKeyIsForTheOnlyQuestion) {
  const TrailGraph graph = asking_graph();
  TrailOutcome outcome = run(graph);
  const TrailOutcome refused =
      finish(graph.resume(*outcome.snapshot, Answers(Json(1)), {}, world_, loop_, &recorder_));
  EXPECT_EQ(refused.error.message,
            "2 questions are open: an answer to one of several must name its key");
  EXPECT_EQ(refused.error.code, ErrorCode::kInvalidInput);
}

TEST_F(QuestionsTest, AnAnswerToNoOpenQuestionIsRefusedAndNothingRuns) {
  const TrailGraph graph = asking_graph();
  TrailOutcome outcome = run(graph);
  world_.calls.clear();
  EXPECT_EQ(answer(graph, outcome, {{"a", 1}}).error.message, "no question 'a' is open");
  EXPECT_EQ(answer(graph, outcome, {{"p", 1}, {"x", 1}}).error.message, "no question 'x' is open");
  EXPECT_TRUE(world_.calls.empty());
  outcome = answer(graph, outcome, {{"p", 1}});
  EXPECT_EQ(answer(graph, outcome, {{"p", 1}}).error.message, "no question 'p' is open");
}

TEST_F(QuestionsTest, GoingOnWithoutAnAnswerAsksAgainAndRunsNothing) {
  const TrailGraph graph = asking_graph();
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  world_.calls.clear();
  const TrailOutcome outcome =
      finish(graph.go_on(*latest(), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(open(outcome), (Names{"p", "q"}));
  EXPECT_TRUE(world_.calls.empty());
}

TEST_F(QuestionsTest, SendsToOneNodeAreAnsweredOneByOne) {
  TrailBuilder builder;
  builder.add_node("ask", wonder).add_edge("ask", kEnd);
  builder.add_conditional_edges(kStart, FanOut<Trail>([](const Trail&) {
                                  return std::vector<Send>{{"ask", 1}, {"ask", 2}, {"ask", 3}};
                                }),
                                {"ask"});
  const TrailGraph graph = built(builder);
  TrailOutcome outcome = run(graph);
  EXPECT_EQ(open(outcome), (Names{"ask", "ask:2", "ask:3"}));
  outcome = answer(graph, outcome, {{"ask:2", "b"}});
  outcome = answer(graph, outcome, {{"ask", "a"}, {"ask:3", "c"}});
  EXPECT_EQ(outcome.state.steps, (Names{"ask", "ask:2", "ask:3"}));
  EXPECT_EQ(outcome.state.facts.at("ask:2"), R"("b")");
}

// Inside subgraphs -------------------------------------------------------------------------------

TrailGraph around(TrailGraph inner) {
  TrailBuilder builder;
  builder.add_subgraph<Trail>(
      "sub", std::move(inner), [](const Trail&) { return Trail(); },
      [](Trail trail) {
        Trail::Update update;
        update.steps = std::move(trail.steps);
        update.facts = std::move(trail.facts);
        return update;
      });
  builder.add_node("other", wonder).add_edge(kStart, "sub").add_edge(kStart, "other");
  builder.add_edge("sub", kEnd).add_edge("other", kEnd);
  return std::move(builder.build()).value();
}

TEST_F(QuestionsTest, QuestionsInsideAreAnsweredByTheirWholeKey) {
  const TrailGraph graph = around(around(asking_graph()));
  TrailOutcome outcome = run(graph);
  EXPECT_EQ(open(outcome), (Names{"sub/sub/p", "sub/sub/q", "sub/other", "other"}));
  for (const char* const key : {"sub/sub/q", "other", "sub/sub/p", "sub/other"}) {
    ASSERT_EQ(outcome.status, TrailOutcome::kInterrupted);
    outcome = answer(graph, outcome, {{key, key}});
  }
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.state.steps, (Names{"a", "p", "q", "z", "other", "other"}));
  EXPECT_EQ(outcome.state.facts.at("q"), R"("sub/sub/q")");
}

// Kept in a thread -------------------------------------------------------------------------------

TEST_F(QuestionsTest, WhatIsDoneIsKeptWhileSistersAreUnderWay) {
  world_.takes = {{"c", seconds(2)}, {"d", seconds(9)}};
  TrailBuilder builder;
  for (const char* const name : {"b", "c", "d"}) {
    builder.add_node(name, take).add_edge(kStart, name).add_edge(name, "z");
  }
  builder.add_node("z", take).add_edge("z", kEnd);
  const TrailGraph graph = built(builder);
  {
    Task<TrailOutcome> dying = graph.run({}, {}, world_, loop_, &recorder_, &thread_);
    dying.start();
    loop_.run_until(Instant(seconds(5)));
  }
  EXPECT_EQ(latest()->step, 0);
  EXPECT_TRUE(latest()->at.branches[0].done());
  EXPECT_TRUE(latest()->at.branches[1].done());
  EXPECT_FALSE(latest()->at.branches[2].done());
  world_.calls.clear();
  const TrailOutcome outcome =
      finish(graph.go_on(*latest(), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(world_.calls, (Names{"d", "z"}));
  EXPECT_EQ(outcome.state.steps, (Names{"b", "c", "d", "z"}));
  EXPECT_EQ(outcome.steps, 4);
  EXPECT_EQ(outcome.route, (Route{"b", "c", "d", "z"}));
}

TEST_F(QuestionsTest, AfterAFailureOnlyTheBranchThatFailedIsVisitedAgain) {
  world_.fails = {{"a", ErrorCode::kUnsupported}};
  const TrailGraph graph = asking_graph();
  EXPECT_EQ(finish(graph.run({}, {.sisters = RunOptions::Sisters::kFinish}, world_, loop_,
                             &recorder_, &thread_))
                .status,
            TrailOutcome::kFailed);
  world_.fails.clear();
  world_.calls.clear();
  const TrailOutcome outcome =
      finish(graph.go_on(*latest(), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(world_.calls, Names{"a"});
  EXPECT_EQ(open(outcome), (Names{"p", "q"}));
}

TEST_F(QuestionsTest, AnAnswerIsKeptOnceAndFoundByWhoeverGoesOn) {
  const TrailGraph graph = asking_graph();
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  const auto say = [](Thread<Trail>& thread, const char* key, Json what) {
    Task<Status> saying = thread.answer(key, std::move(what));
    saying.start();
    return std::move(saying.result());
  };
  Thread<Trail> elsewhere(saver_, "request", loop_, 2);
  EXPECT_TRUE(say(elsewhere, "q", 2).ok());
  EXPECT_EQ(say(thread_, "q", 3).error().code, ErrorCode::kConflict);
  EXPECT_EQ(say(elsewhere, "q", 3).error().message, "thread 'request' has no open question 'q'");
  EXPECT_EQ(say(elsewhere, "a", 3).error().code, ErrorCode::kInvalidInput);
  world_.calls.clear();
  TrailOutcome outcome = finish(graph.go_on(*latest(), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(world_.calls, Names{"q"});
  EXPECT_EQ(open(outcome), Names{"p"});
  EXPECT_TRUE(say(thread_, "p", 1).ok());
  outcome = finish(graph.go_on(*latest(), {}, world_, loop_, &recorder_, &thread_));
  EXPECT_EQ(outcome.state.facts, (std::map<std::string, std::string>{{"p", "1"}, {"q", "2"}}));
}

TEST_F(QuestionsTest, WhoeverComesSecondIsToldAndStops) {
  const TrailGraph graph = asking_graph();
  finish(graph.run({}, {}, world_, loop_, &recorder_, &thread_));
  Thread<Trail> other(saver_, "request", loop_, 2);
  Task<Result<std::optional<Checkpoint<Trail>>>> reading = other.latest();
  reading.start();
  const Checkpoint<Trail> theirs = *reading.result().value();
  const Checkpoint<Trail> ours = *latest();
  const Answers answers = Answers::by_key({{"p", 1}, {"q", 2}});
  EXPECT_EQ(finish(graph.resume(ours, answers, {}, world_, loop_, &recorder_, &thread_)).status,
            TrailOutcome::kFinished);
  world_.calls.clear();
  const TrailOutcome second =
      finish(graph.resume(theirs, answers, {}, world_, loop_, &recorder_, &other));
  EXPECT_EQ(second.status, TrailOutcome::kFailed);
  EXPECT_EQ(second.error.code, ErrorCode::kConflict);
  EXPECT_EQ(world_.calls, (Names{"p", "q"}));  // The next step is not begun.
}

}  // namespace
}  // namespace plumbline::graph
