// What every Checkpointer has to do. A test of one names it here:
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, CheckpointerTest, MemoryKeeping);
//
// where MemoryKeeping has `Checkpointer<SavedState>& saver()` and `Loop& loop()` with
// `void run()`, which runs what was begun to its end.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/checkpoint_json.h"
#include "core/graph/saved_state.h"

namespace plumbline::graph {

template <typename Keeping>
class CheckpointerTest : public testing::Test {
 protected:
  using Kept = Checkpoint<SavedState>;

  template <typename T>
  T finish(Task<T> task) {
    task.start();
    if (!task.done()) keeping_.run();
    check(task.done(), "the saver hangs");
    return std::move(task.result());
  }

  // step returns a checkpoint of two branches whose state is its number.
  static Kept step(std::int64_t number) {
    Kept out{{SavedState(Json(number))}};
    out.at.branches = {{.key = "a", .node = "a"}, {.key = "b:2", .node = "b", .input = Json("in")}};
    out.at.joins = {{"z", {"a"}}};
    out.at.route = {"a", "b"};
    out.at.steps = 7;
    out.step = number;
    out.origin = number == 0 ? Origin::kBeginning : Origin::kStep;
    if (number > 0) out.parent = number - 1;
    return out;
  }

  Status put(const char* thread, std::int64_t number, std::int64_t expected,
             std::int64_t writer = 0) {
    return finish(saver().put({thread, expected, writer}, step(number)));
  }
  std::optional<Kept> latest(const char* thread) { return finish(saver().latest(thread)).value(); }
  std::vector<std::int64_t> steps(const char* thread, Range range = {}) {
    std::vector<std::int64_t> out;
    const std::vector<Kept> history = finish(saver().history(thread, range)).value();
    for (const Kept& kept : history) out.push_back(kept.step);
    return out;
  }
  Checkpointer<SavedState>& saver() { return keeping_.saver(); }

  Keeping keeping_;
};

TYPED_TEST_SUITE_P(CheckpointerTest);

TYPED_TEST_P(CheckpointerTest, WhatIsPutComesBackAsItWas) {
  EXPECT_FALSE(this->latest("t").has_value());
  ASSERT_TRUE(this->put("t", 0, 0, 5).ok());
  const auto kept = this->latest("t");
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(to_json(*kept).value(), to_json(this->step(0)).value());
  EXPECT_EQ(kept->version, (Version{1, 5}));
}

TYPED_TEST_P(CheckpointerTest, TheLatestStepIsThatPutLastAndTheOthersAreKept) {
  for (const std::int64_t number : {0, 1, 5}) {
    ASSERT_TRUE(this->put("t", number, number == 5 ? 2 : number).ok());
  }
  EXPECT_EQ(this->latest("t")->step, 5);
  EXPECT_EQ(this->steps("t"), (std::vector<std::int64_t>{5, 1, 0}));
  const auto first = this->finish(this->saver().at("t", 1));
  EXPECT_EQ(to_json(*first.value()).value(), to_json(this->step(1)).value());
  EXPECT_FALSE(this->finish(this->saver().at("t", 3)).value().has_value());
  EXPECT_FALSE(this->finish(this->saver().at("u", 0)).value().has_value());
  EXPECT_TRUE(this->steps("u").empty());
}

TYPED_TEST_P(CheckpointerTest, AHistoryIsCutToItsRange) {
  for (std::int64_t number = 0; number < 4; ++number) {
    ASSERT_TRUE(this->put("t", number, number).ok());
  }
  using Steps = std::vector<std::int64_t>;
  EXPECT_EQ(this->steps("t", {.count = 2}), (Steps{3, 2}));
  EXPECT_EQ(this->steps("t", {.before = 2}), (Steps{1, 0}));
  EXPECT_EQ(this->steps("t", {.count = 1, .before = 3}), Steps{2});
  EXPECT_TRUE(this->steps("t", {.count = 0}).empty());
  EXPECT_TRUE(this->steps("t", {.before = 0}).empty());
}

TYPED_TEST_P(CheckpointerTest, AStepThatIsNotLaterIsRefused) {
  ASSERT_TRUE(this->put("t", 3, 0).ok());
  EXPECT_EQ(this->put("t", 3, 1).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(this->put("t", 2, 1).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(this->latest("t")->version, (Version{1, 0}));
}

TYPED_TEST_P(CheckpointerTest, WhoeverExpectsAnotherVersionIsRefused) {
  ASSERT_TRUE(this->put("t", 0, 0, 1).ok());
  EXPECT_EQ(this->put("t", 1, 0, 2).error().code, ErrorCode::kConflict);
  EXPECT_EQ(this->put("t", 1, 2, 2).error().code, ErrorCode::kConflict);
  EXPECT_EQ(this->put("new", 0, 1, 2).error().code, ErrorCode::kConflict);
  auto& saver = this->saver();
  const Branch<SavedState> branch{.key = "a", .node = "a"};
  EXPECT_EQ(this->finish(saver.put_branch({"t", 0, 2}, branch)).error().code, ErrorCode::kConflict);
  EXPECT_EQ(this->finish(saver.add_note({"t", 2, 2}, {"a", 1})).error().code, ErrorCode::kConflict);
  EXPECT_EQ(this->latest("t")->version, (Version{1, 1}));
  EXPECT_TRUE(this->put("t", 1, 1, 2).ok());
}

TYPED_TEST_P(CheckpointerTest, ABranchTakesThePlaceOfThatOfItsKey) {
  ASSERT_TRUE(this->put("t", 0, 0).ok());
  auto& saver = this->saver();
  ASSERT_TRUE(this->finish(saver.add_note({"t", 1}, {"b:2/inner", "before"})).ok());
  Branch<SavedState> branch{.key = "b:2", .node = "b", .input = Json("in")};
  branch.update.emplace(Json("done"));
  branch.questions = {{"b:2/x", "why?"}};
  branch.nested = Nested(Json("inside"));
  branch.steps = 3;
  branch.notes = {{"b:2", "mine"}};
  ASSERT_TRUE(this->finish(saver.put_branch({"t", 2, 9}, branch)).ok());
  const auto kept = this->latest("t");
  EXPECT_EQ(to_json(kept->at.branches[1]).value(), to_json(branch).value());
  EXPECT_EQ(to_json(kept->at.branches[0]).value(), to_json(this->step(0).at.branches[0]).value());
  EXPECT_EQ(kept->version, (Version{3, 9}));
  branch.key = "c";
  EXPECT_EQ(this->finish(saver.put_branch({"t", 3}, branch)).error().code,
            ErrorCode::kInvalidInput);
  EXPECT_EQ(this->finish(saver.put_branch({"u", 0}, branch)).error().code,
            ErrorCode::kInvalidInput);
}

TYPED_TEST_P(CheckpointerTest, NotesStandOnTheBranchTheyBeginWith) {
  ASSERT_TRUE(this->put("t", 0, 0).ok());
  auto& saver = this->saver();
  ASSERT_TRUE(this->finish(saver.add_note({"t", 1}, {"a/inner", Json{{"x", 1}}})).ok());
  ASSERT_TRUE(this->finish(saver.add_note({"t", 2}, {"b:2", "yes", true})).ok());
  ASSERT_TRUE(this->finish(saver.add_note({"t", 3}, {"a", 2})).ok());
  const auto kept = this->latest("t");
  ASSERT_EQ(kept->at.branches[0].notes.size(), 2U);
  EXPECT_EQ(kept->at.branches[0].notes[0].node, "a/inner");
  EXPECT_EQ(kept->at.branches[0].notes[0].what, (Json{{"x", 1}}));
  EXPECT_EQ(kept->at.branches[0].notes[1].what, 2);
  ASSERT_EQ(kept->at.branches[1].notes.size(), 1U);
  EXPECT_TRUE(kept->at.branches[1].notes[0].answers);
  EXPECT_EQ(this->finish(saver.add_note({"t", 4}, {"b", 1})).error().code,
            ErrorCode::kInvalidInput);
  EXPECT_EQ(this->finish(saver.add_note({"u", 0}, {"a", 1})).error().code,
            ErrorCode::kInvalidInput);
}

TYPED_TEST_P(CheckpointerTest, WhatWasWrittenToAnEarlierStepStaysThere) {
  ASSERT_TRUE(this->put("t", 0, 0).ok());
  ASSERT_TRUE(this->finish(this->saver().add_note({"t", 1}, {"a", "old"})).ok());
  ASSERT_TRUE(this->put("t", 1, 2).ok());
  EXPECT_TRUE(this->latest("t")->at.branches[0].notes.empty());
  const auto before = this->finish(this->saver().at("t", 0));
  EXPECT_EQ(before.value()->at.branches[0].notes.size(), 1U);
  EXPECT_EQ(before.value()->version.number, 2);
}

TYPED_TEST_P(CheckpointerTest, ThreadsAreKeptApartAndErasedApart) {
  for (const char* const thread : {"t", "u", "t/u", "t'; --", "", "\xC3\xA4 \n"}) {
    ASSERT_TRUE(this->put(thread, 0, 0).ok()) << thread;
  }
  ASSERT_TRUE(this->put("t", 1, 1).ok());
  ASSERT_TRUE(this->finish(this->saver().erase("t")).ok());
  EXPECT_FALSE(this->latest("t").has_value());
  EXPECT_TRUE(this->steps("t").empty());
  EXPECT_TRUE(this->latest("u").has_value());
  EXPECT_TRUE(this->latest("t/u").has_value());
  EXPECT_TRUE(this->finish(this->saver().erase("t")).ok());
  EXPECT_TRUE(this->put("t", 0, 0).ok());
}

REGISTER_TYPED_TEST_SUITE_P(CheckpointerTest, WhatIsPutComesBackAsItWas,
                            TheLatestStepIsThatPutLastAndTheOthersAreKept, AHistoryIsCutToItsRange,
                            AStepThatIsNotLaterIsRefused, WhoeverExpectsAnotherVersionIsRefused,
                            ABranchTakesThePlaceOfThatOfItsKey, NotesStandOnTheBranchTheyBeginWith,
                            WhatWasWrittenToAnEarlierStepStaysThere,
                            ThreadsAreKeptApartAndErasedApart);

}  // namespace plumbline::graph
