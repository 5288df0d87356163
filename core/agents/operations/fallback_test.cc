// What is left when an agent cannot be had: another one that has the same, and a budget for tries.

#include <gtest/gtest.h>

#include "core/agents/operations/assistant_fixture.h"

namespace plumbline::agents {
namespace {

using mcp::Failure;

class FallbackTest : public AssistantTest {
 protected:
  void offer_two() {
    offer({connector::tool("a", "list_files", "List the files of a folder."),
           connector::tool("b", "list_files", "List the files of a folder."),
           connector::tool("b", "delete_files", "Delete the files of a folder.")});
  }
  void lose(int times) {
    for (int i = 0; i < times; ++i) {
      mcp_.replies.emplace_back(Failure(Failure::Kind::kDisconnected, "gone"));
    }
  }
  connector::ErrorHandlingStrategy& network() {
    return services_.limits.retries.of(connector::ErrorCategory::kNetwork);
  }
};

TEST_F(FallbackTest, ACallThatMayBeRepeatedGoesToAnotherAgentThatHasIt) {
  offer_two();
  network().fallback = connector::Fallback::kAnotherAgent;
  lose(1 + network().retries_max);
  mcp_.replies.emplace_back(connector::text_result("notes.txt"));
  const AssistantOutcome outcome = ask_for("List the files of the folder");
  EXPECT_EQ(status(outcome), "ok");
  EXPECT_EQ(selected(outcome), "b/list_files");
  EXPECT_EQ(mcp_.requests.back().server, "b");
}

TEST_F(FallbackTest, WithoutThatAPersonLooksAtIt) {
  offer_two();
  lose(1 + network().retries_max);
  EXPECT_EQ(status(ask_for("List the files of the folder")), "needs_review");
}

TEST_F(FallbackTest, NothingThatChangesSomethingGoesElsewhere) {
  offer({connector::tool("a", "delete_files", "Delete the files of a folder."),
         connector::tool("b", "delete_files", "Delete the files of a folder.")});
  preferences_ = {"a"};
  network().fallback = connector::Fallback::kAnotherAgent;
  lose(1);
  const auto approves = [](const Json&) { return true; };
  EXPECT_EQ(status(ask_for("Delete the files of the folder", approves)), "needs_review");
  EXPECT_LE(mcp_.requests.size(), 1U);
}

TEST_F(FallbackTest, TriesAreTakenFromABudgetAndWaitsAreDrawn) {
  offer_two();
  connector::RetryBudget budget;
  services_.budget = &budget;
  while (budget.spend()) continue;
  lose(1);
  EXPECT_EQ(status(ask_for("List the files of the folder")), "needs_review");
  EXPECT_EQ(mcp_.requests.size(), 1U) << "no try was left";

  connector::RetryBudget filled;
  Rng jitter(7);
  services_.budget = &filled;
  services_.jitter = &jitter;
  lose(1);
  mcp_.replies.emplace_back(connector::text_result("notes.txt"));
  const Instant before = loop_.now();
  EXPECT_EQ(status(ask_for("List the files of the folder")), "ok");
  EXPECT_LT(loop_.now() - before, network().waits.first);
}

}  // namespace
}  // namespace plumbline::agents
