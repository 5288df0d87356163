#include "core/service/sessions/worker_desk.h"

#include <map>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::service {
namespace {

using std::chrono::seconds;
using End = WorkerOutcome::End;
using Heard = WorkerDesk::Heard;

constexpr Instant kStart{};

WorkerDesk::Call call(const std::string& id) { return {id, "tool", Json::object(), nullptr}; }

WorkerOutcome done() { return {End::kResult, 7, ""}; }

class WorkerDeskTest : public testing::Test {
 protected:
  // ends returns how the calls have ended since the last time, and notes what was told.
  std::map<std::string, End> ends() {
    std::map<std::string, End> found;
    for (const WorkerDesk::Action& action : desk_.take_actions()) {
      if (const auto* const ended = std::get_if<WorkerDesk::Ended>(&action)) {
        EXPECT_TRUE(found.emplace(ended->id, ended->outcome.end).second);
      } else if (const auto* const tell = std::get_if<WorkerDesk::Tell>(&action)) {
        told_.push_back(tell->event + " " + string_or(tell->data, "requestId", ""));
      }
    }
    return found;
  }
  using Ends = std::map<std::string, End>;

  WorkerDesk desk_;
  std::vector<std::string> told_;
};

TEST_F(WorkerDeskTest, ACallWaitsForAWorkerNoLongerThanTheGrace) {
  EXPECT_FALSE(desk_.start(call("a"), kStart));
  desk_.tick(kStart + seconds(4));
  EXPECT_EQ(ends(), Ends());
  EXPECT_EQ(desk_.next_deadline(), kStart + seconds(5));
  desk_.tick(kStart + seconds(5));
  EXPECT_EQ(ends(), (Ends{{"a", End::kWorkerGone}}));
  EXPECT_EQ(told_, std::vector<std::string>());
  EXPECT_EQ(desk_.next_deadline(), kNever);
}

TEST_F(WorkerDeskTest, AWorkerThatComesInTimeIsToldAndHasTheRestOfTheTime) {
  EXPECT_FALSE(desk_.start(call("a"), kStart));
  desk_.worker_came(false);
  desk_.tick(kStart + seconds(29));
  EXPECT_EQ(ends(), Ends());
  EXPECT_EQ(told_, std::vector<std::string>{"tool_request a"});
  desk_.tick(kStart + seconds(30));
  EXPECT_EQ(ends(), (Ends{{"a", End::kTimeout}}));
  EXPECT_EQ(told_.back(), "tool_cancelled a");
}

TEST_F(WorkerDeskTest, WhatComesLateOrTwiceOrForNothingIsCountedAndDropped) {
  desk_.worker_came(false);
  for (const char* id : {"a", "b"}) EXPECT_FALSE(desk_.start(call(id), kStart));
  EXPECT_EQ(desk_.answer("a", done()), Heard::kTaken);
  EXPECT_EQ(desk_.answer("a", done()), Heard::kTwice);
  desk_.cancel("b");
  EXPECT_EQ(desk_.answer("b", done()), Heard::kLate);
  EXPECT_EQ(desk_.answer("c", done()), Heard::kUnknown);
  EXPECT_EQ(ends(), (Ends{{"a", End::kResult}, {"b", End::kCancelled}}));
  EXPECT_EQ(desk_.ignored().twice, 1);
  EXPECT_EQ(desk_.ignored().late, 1);
  EXPECT_EQ(desk_.ignored().unknown, 1);
}

TEST_F(WorkerDeskTest, AWorkerThatComesBackGoesOnAndAnotherTakesOver) {
  desk_.worker_came(false);
  EXPECT_FALSE(desk_.start(call("a"), kStart));
  desk_.worker_left(kStart);
  EXPECT_FALSE(desk_.start(call("b"), kStart + seconds(1)));
  desk_.worker_came(true);
  EXPECT_EQ(ends(), Ends());
  EXPECT_EQ(told_, (std::vector<std::string>{"tool_request a", "tool_request b"}));
  desk_.worker_came(false);
  EXPECT_EQ(ends(), (Ends{{"a", End::kTakenOver}, {"b", End::kTakenOver}}));
}

TEST_F(WorkerDeskTest, NobodyAnswersWhatHeWasNotTold) {
  EXPECT_FALSE(desk_.start(call("a"), kStart));
  EXPECT_EQ(desk_.answer("a", done()), Heard::kUnknown);
  EXPECT_EQ(ends(), Ends());
}

TEST_F(WorkerDeskTest, IdsAreOfOneCallAndAClosedDeskTakesNone) {
  EXPECT_FALSE(desk_.start(call("a"), kStart));
  EXPECT_EQ(desk_.start(call("a"), kStart), WorkerDesk::Refusal::kIdInUse);
  desk_.close();
  EXPECT_EQ(ends(), (Ends{{"a", End::kSessionOver}}));
  EXPECT_EQ(desk_.start(call("b"), kStart), WorkerDesk::Refusal::kSessionOver);
}

// Whatever is done to a desk, each call that it took ends exactly once, within its time.
RC_GTEST_PROP(WorkerDeskPropTest, EveryCallEndsOnceAndInTime, ()) {
  WorkerDeskOptions options;
  options.calls_max = 4;
  options.remembered_max = 4;
  WorkerDesk desk(options);
  std::map<std::string, Instant> began;
  std::map<std::string, int> ended;
  Instant now = kStart;
  const auto look = [&] {
    for (const WorkerDesk::Action& action : desk.take_actions()) {
      const auto* const end = std::get_if<WorkerDesk::Ended>(&action);
      if (end == nullptr) continue;
      ++ended[end->id];
      RC_ASSERT(now - began.at(end->id) <= options.call_max);
    }
  };
  const int steps = *rc::gen::inRange(1, 60);
  for (int step = 0; step < steps; ++step) {
    const std::string id = "c" + std::to_string(*rc::gen::inRange(0, 12));
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
      case 1:
        if (!desk.start(call(id), now)) {
          RC_ASSERT((began.emplace(id, now).second || ended[id] > 0));
          began[id] = now;
          ended[id] = 0;
        }
        break;
      case 2:
        desk.answer(id, done());
        break;
      case 3:
        desk.cancel(id);
        break;
      case 4:
        desk.worker_came(*rc::gen::arbitrary<bool>());
        break;
      case 5:
        desk.worker_left(now);
        break;
      case 6:
        desk.progress({id, 1, std::nullopt, ""});
        break;
      default:
        now = std::min(desk.next_deadline(), now + seconds(*rc::gen::inRange(0, 9)));
        desk.tick(now);
    }
    look();
  }
  while (desk.next_deadline() != kNever) {
    now = desk.next_deadline();
    desk.tick(now);
    look();
  }
  for (const auto& [id, start] : began) RC_ASSERT(ended[id] == 1);
}

}  // namespace
}  // namespace plumbline::service
