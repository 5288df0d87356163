// A request whose process died goes on in another one: nothing is sent twice that must not be, and
// what is not known is said.

#include "core/agents/approvals/approval.h"
#include "core/agents/operations/assistant_fixture.h"
#include "core/agents/operations/operations_assistant.h"
#include "core/graph/checkpointer_around.h"
#include "core/graph/memory_saver.h"

namespace plumbline::agents {
namespace {

using std::chrono::seconds;
using Kept = graph::Checkpoint<OperationsState>;

constexpr const char* kSendMail = "Send an email to bob@example.com with subject Hello";

// MemoWithoutNotes keeps no note.
class MemoWithoutNotes final : public graph::CheckpointerAround<OperationsState> {
 public:
  MemoWithoutNotes() : CheckpointerAround(memory_) {}

  Task<Status> add_note(graph::Turn, graph::Note) override {
    Error error;
    error.message = "disk full";
    co_return error;
  }

 private:
  graph::MemorySaver<OperationsState> memory_;
};

// UnreadableMemo cannot be read.
class UnreadableMemo final : public graph::CheckpointerAround<OperationsState> {
 public:
  UnreadableMemo() : CheckpointerAround(memory_) {}

  Task<Result<std::optional<Kept>>> latest(std::string) override {
    co_return Error{ErrorCode::kDisconnected, "the disk is gone"};
  }

 private:
  graph::MemorySaver<OperationsState> memory_;
};

class RestartTest : public AssistantTest {
 protected:
  RestartTest() {
    offer({connector::tool("email", "send_email", "Send an email to somebody.",
                           R"({"to": {"type": "string"}, "subject": {"type": "string"}})",
                           "to subject"),
           connector::tool("files", "list_directory", "List the files of a directory.",
                           R"({"path": {"type": "string", "default": "."}})", "path")});
    mcp_.answers_after = seconds(10);
  }

  Task<AssistantOutcome> asking(std::string request, AssistantThread& thread) {
    OperationsState state = initial_state(std::move(request), preferences_);
    return ask(
        std::move(state), {}, services_, loop_, nullptr,
        [this](const Json&) {
          ++asked_;
          return true;
        },
        &thread);
  }

  // die_after runs a request for a while, then drops all there is of it.
  void die_after(Duration span, std::string request, AssistantThread& thread) {
    Task<AssistantOutcome> dying = asking(std::move(request), thread);
    Alarm death([&dying] {
      EXPECT_FALSE(dying.done());
      dying.drop();
    });
    dying.start();
    loop_.arm(death, after(loop_.now(), span));
    loop_.run();
    services_.approvals = Approvals();
  }

  int asked_ = 0;
  graph::MemorySaver<OperationsState> saver_;
  AssistantThread thread_{saver_, "request", loop_};
};

TEST_F(RestartTest, ACallThatMayHaveHappenedIsNotMadeAgain) {
  die_after(seconds(5), kSendMail, thread_);
  ASSERT_EQ(mcp_.requests.size(), 1U);
  const AssistantOutcome outcome = finish(asking(kSendMail, thread_));
  EXPECT_EQ(mcp_.requests.size(), 1U);
  EXPECT_EQ(status(outcome), "needs_review");
  EXPECT_NE(response(outcome).find("it is not known whether email/send_email took effect"),
            std::string::npos)
      << response(outcome);
  EXPECT_EQ(response(outcome).find("was made"), std::string::npos) << response(outcome);
  EXPECT_EQ(asked_, 1);
}

TEST_F(RestartTest, WhatWasDoneIsToldAgainAndNotDoneAgain) {
  const AssistantOutcome before = finish(asking(kSendMail, thread_));
  const AssistantOutcome again = finish(asking(kSendMail, thread_));
  EXPECT_EQ(mcp_.requests.size(), 1U);
  EXPECT_EQ(status(again), "ok");
  EXPECT_EQ(response(again), response(before));
  EXPECT_EQ(again.route, before.route);
}

TEST_F(RestartTest, ACallThatChangesNothingIsMadeAgain) {
  die_after(seconds(5), "List the files in the project folder.", thread_);
  const AssistantOutcome outcome = finish(asking("", thread_));
  EXPECT_EQ(mcp_.requests.size(), 2U);
  EXPECT_EQ(mcp_.discoveries, 1);
  EXPECT_EQ(status(outcome), "ok");
}

TEST_F(RestartTest, ACallThatCannotBeNotedIsNotSent) {
  MemoWithoutNotes saver;
  AssistantThread thread(saver, "request", loop_);
  const AssistantOutcome outcome = finish(asking(kSendMail, thread));
  EXPECT_TRUE(mcp_.requests.empty());
  EXPECT_EQ(status(outcome), "failed");
  EXPECT_NE(response(outcome).find("was not sent"), std::string::npos) << response(outcome);
}

TEST_F(RestartTest, ABoundThatComesAfterTheRestartDoesNotSayThatNothingWasDone) {
  die_after(seconds(5), kSendMail, thread_);
  graph::RunOptions options;
  options.deadline = loop_.now();
  const AssistantOutcome outcome = finish(
      ask(initial_state(kSendMail, {}), options, services_, loop_, nullptr, nullptr, &thread_));
  EXPECT_EQ(mcp_.requests.size(), 1U);
  EXPECT_EQ(status(outcome), "failed");
  EXPECT_EQ(string_or(outcome.state.final_output, "outcome", ""), "unknown");
  EXPECT_NE(response(outcome).find("it is not known whether email/send_email took effect"),
            std::string::npos)
      << response(outcome);
}

TEST_F(RestartTest, WhatCannotBeReadIsNotBegunAnew) {
  UnreadableMemo saver;
  AssistantThread thread(saver, "request", loop_);
  const AssistantOutcome outcome = finish(asking(kSendMail, thread));
  EXPECT_TRUE(mcp_.requests.empty());
  EXPECT_EQ(status(outcome), "failed");
  EXPECT_EQ(string_or(outcome.state.final_output, "outcome", ""), "unknown");
  EXPECT_NE(response(outcome).find("it is not known what was done before"), std::string::npos)
      << response(outcome);
}

TEST_F(RestartTest, ThePersonIsNotAskedAgain) {
  // The process dies between the person's answer and the next checkpoint.
  Result<std::optional<Kept>> kept = std::optional<Kept>();
  {
    Task<AssistantOutcome> first = ask(
        initial_state(kSendMail, {}), {}, services_, loop_, nullptr,
        [&](const Json& review) {
          Task<Result<std::optional<Kept>>> reading = thread_.latest();
          reading.start();
          kept = std::move(reading.result());
          Json decision = approvals::answer_to(review, approval(true));
          kept.value()->at.branches.front().notes.push_back(
              {"mark_needs_review", std::move(decision), true});
          return true;
        },
        &thread_);
    first.start();
    first.drop();
  }
  mcp_.requests.clear();
  Task<Status> putting = thread_.put(*kept.value());
  putting.start();
  const AssistantOutcome outcome = finish(asking("", thread_));
  EXPECT_EQ(asked_, 0);
  EXPECT_EQ(status(outcome), "ok");
  EXPECT_EQ(mcp_.requests.size(), 1U);
}

}  // namespace
}  // namespace plumbline::agents
