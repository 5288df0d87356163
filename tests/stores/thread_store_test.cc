// What a keeper of threads does, whatever the backend: the behaviour that the validation suite of
// LangGraph's checkpoint savers asks for, as far as ours has it, and what ours adds. Of that suite
// do not apply: namespaces (the state of a subgraph is inside the step of its outer graph), filters
// by metadata, channels and their versions (a state is written whole), sends from before version 1.

#include "core/store/thread_store.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"
#include "tests/stores/store_fixture.h"

namespace plumbline::stores {
namespace {

using graph::Branch;
using graph::SavedState;
using graph::Turn;
using std::chrono::seconds;
using store::SavedCheckpoint;

// a_step is a step whose state is `state`, with a branch for each of `nodes`.
SavedCheckpoint a_step(std::int64_t number, std::string state, std::vector<std::string> nodes) {
  graph::Snapshot<SavedState> at{SavedState(Json{{"version", 1}, {"value", state}})};
  for (const std::string& node : nodes) {
    Branch<SavedState> branch;
    branch.key = branch.node = node;
    at.branches.push_back(std::move(branch));
  }
  at.route = {"before"};
  at.steps = number + 1;
  SavedCheckpoint step{std::move(at)};
  step.step = number;
  step.origin = number == 0 ? graph::Origin::kBeginning : graph::Origin::kStep;
  if (number > 0) step.parent = number - 1;
  return step;
}

std::string text_of(const SavedCheckpoint& step) {
  std::string text = std::to_string(step.step) + ' ' + std::string(name_of(step.origin)) + ' ' +
                     dump_json(step.at.state.json()["value"]);
  if (step.parent) text += " after " + std::to_string(*step.parent);
  for (const Branch<SavedState>& branch : step.at.branches) {
    text += ' ' + branch.key;
    if (branch.update) text += '=' + dump_json(branch.update->json()["value"]);
    for (const graph::Note& note : branch.notes) text += '!' + dump_json(note.what);
    for (const graph::Question& question : branch.questions) text += '?' + dump_json(question.what);
  }
  return text + " v" + std::to_string(step.version.number) + " by " +
         std::to_string(step.version.writer);
}

class ThreadStoreTest : public StoreFixture, public testing::WithParamInterface<Backend> {
 protected:
  void SetUp() override {
    open(GetParam());
    if (one_ == nullptr) GTEST_SKIP() << kPostgresVariable << " names no PostgreSQL server";
    id_ = testing::UnitTest::GetInstance()->current_test_info()->name();
    mine_.emplace(one(), clock_);
    yours_.emplace(two(), clock_);
  }

  static std::string said(const Status& status) {
    if (status.ok()) return "done";
    return (status.error().code == ErrorCode::kConflict ? "conflict: " : "error: ") +
           status.error().message;
  }
  std::string put(store::ThreadStore& store, std::int64_t expected, SavedCheckpoint step,
                  std::int64_t writer = 1) {
    return said(finish(store.put({id_, expected, writer}, std::move(step))));
  }
  std::string note(store::ThreadStore& store, std::int64_t expected, std::string node, Json what) {
    return said(finish(store.add_note({id_, expected, 1}, {std::move(node), std::move(what)})));
  }
  std::string latest(store::ThreadStore& store) { return text_of(finish(store.latest(id_))); }
  std::string at(std::int64_t step) { return text_of(finish(mine_->at(id_, step))); }
  std::string history(store::ThreadStore& store, graph::Range range = {}) {
    const auto steps = finish(store.history(id_, range));
    if (!steps.ok()) return "error: " + steps.error().message;
    std::string text;
    for (const SavedCheckpoint& step : steps.value()) {
      text += (text.empty() ? "" : " ") + std::to_string(step.step);
    }
    return text;
  }
  static std::string text_of(const Result<std::optional<SavedCheckpoint>>& found) {
    if (!found.ok()) return "error: " + found.error().message;
    return found.value() ? stores::text_of(*found.value()) : "nothing";
  }

  std::string id_;
  fakes::SimLoop time_;
  fakes::SimWallClock clock_{time_, seconds(1'785'230'000)};
  std::optional<store::ThreadStore> mine_;
  std::optional<store::ThreadStore> yours_;
};

TEST_P(ThreadStoreTest, AStepIsReadAsItWasPut) {
  EXPECT_EQ(latest(*mine_), "nothing");
  EXPECT_EQ(put(*mine_, 0, a_step(0, "begun", {"a", "b"}), 7), "done");
  EXPECT_EQ(latest(*yours_), R"(0 start "begun" a b v1 by 7)");
  EXPECT_EQ(put(*mine_, 1, a_step(1, "on", {"c"})), "done");
  EXPECT_EQ(latest(*yours_), R"(1 step "on" after 0 c v2 by 1)");
  EXPECT_EQ(at(0), R"(0 start "begun" a b v1 by 7)");
  EXPECT_EQ(at(1), R"(1 step "on" after 0 c v2 by 1)");
  EXPECT_EQ(at(2), "nothing");
  const auto step = std::move(*finish(yours_->latest(id_)).value());
  EXPECT_EQ(step.at.route, std::vector<std::string>{"before"});
  EXPECT_EQ(step.at.steps, 2);
}

TEST_P(ThreadStoreTest, WhatBranchesCameToStandsOnTheirStep) {
  put(*mine_, 0, a_step(0, "begun", {"a", "b"}));
  EXPECT_EQ(note(*mine_, 1, "a/inner", "begins"), "done");
  Branch<SavedState> done;
  done.key = done.node = "b";
  done.update = SavedState(Json{{"version", 1}, {"value", "done"}});
  EXPECT_EQ(said(finish(mine_->put_branch({id_, 2, 1}, std::move(done)))), "done");
  Branch<SavedState> asks;
  asks.key = asks.node = "a";
  asks.questions.push_back({"a", "may I?"});
  EXPECT_EQ(said(finish(yours_->put_branch({id_, 3, 5}, std::move(asks)))), "done");
  const std::string step = R"(0 start "begun" a?"may I?" b="done" v4 by 5)";
  EXPECT_EQ(latest(*mine_), step);
  put(*yours_, 4, a_step(1, "on", {"a"}));
  EXPECT_EQ(note(*yours_, 5, "a", "again"), "done");
  EXPECT_EQ(at(0), step);
  EXPECT_EQ(latest(*mine_), R"(1 step "on" after 0 a!"again" v6 by 1)");
  EXPECT_EQ(note(*mine_, 6, "b", "x"), "error: thread '" + id_ + "' has no branch 'b'");
  EXPECT_EQ(note(*mine_, 6, "a", "third"), "done");
}

TEST_P(ThreadStoreTest, ANoteOfNoThreadIsRefused) {
  EXPECT_EQ(note(*mine_, 0, "a", "x"), "error: thread '" + id_ + "' has no branch 'a'");
  EXPECT_EQ(latest(*mine_), "nothing");
}

TEST_P(ThreadStoreTest, HistoryIsNewestFirstWithinARange) {
  for (int i = 0; i < 40; ++i) {
    put(*mine_, 2 * i, a_step(i, "s", {"a"}));
    note(*mine_, 2 * i + 1, "a", i);
  }
  EXPECT_EQ(history(*yours_, {.count = 3}), "39 38 37");
  EXPECT_EQ(history(*yours_, {.count = 3, .before = 10}), "9 8 7");
  EXPECT_EQ(history(*yours_, {.before = 2}), "1 0");
  EXPECT_EQ(history(*yours_, {.before = 0}), "");
  EXPECT_EQ(history(*yours_, {.count = 0}), "");
  EXPECT_EQ(at(20), R"(20 step "s" after 19 a!20 v42 by 1)");
}

TEST_P(ThreadStoreTest, StepsOfOthersAreNotMixedIn) {
  put(*mine_, 0, a_step(0, "mine", {}));
  const std::string mine = id_;
  id_ += "/other";
  put(*mine_, 0, a_step(0, "other", {}));
  put(*mine_, 1, a_step(1, "other", {}));
  EXPECT_EQ(said(finish(mine_->erase(id_))), "done");
  EXPECT_EQ(latest(*yours_), "nothing");
  EXPECT_EQ(put(*yours_, 0, a_step(0, "anew", {})), "done");
  EXPECT_EQ(latest(*mine_), R"(0 start "anew" v1 by 1)");
  id_ = mine;
  EXPECT_EQ(history(*yours_), "0");
  EXPECT_EQ(said(finish(mine_->erase(id_ + "/none"))), "done");
}

TEST_P(ThreadStoreTest, OfTwoWhoTakeUpAThreadOneIsTold) {
  put(*mine_, 0, a_step(0, "begun", {"a"}));
  EXPECT_EQ(latest(*mine_), latest(*yours_));
  EXPECT_EQ(note(*yours_, 1, "a", "yours"), "done");
  const std::string told = "conflict: thread '" + id_ + "' was written by somebody else since";
  EXPECT_EQ(note(*mine_, 1, "a", "mine"), told);
  EXPECT_EQ(mine_->unkept()->message + "", told.substr(10));
  EXPECT_EQ(put(*mine_, 1, a_step(1, "mine", {})), told);
  EXPECT_EQ(put(*mine_, 0, a_step(1, "mine", {})), told);
  EXPECT_EQ(put(*mine_, 5, a_step(1, "mine", {})), told);
  EXPECT_EQ(latest(*mine_), R"(0 start "begun" a!"yours" v2 by 1)");
  EXPECT_EQ(put(*mine_, 2, a_step(0, "again", {})),
            "error: thread '" + id_ + "': step 0 is not after the latest one");
}

TEST_P(ThreadStoreTest, OnlyTheLatestStepsAreKeptWhereThatIsAsked) {
  store::ThreadStore few(one(), clock_, {.steps_max = 4});
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(put(few, i, a_step(i, "s", {"a"})), "done");
    const auto kept = finish(one().history("thread/" + id_, RecordStore::kNewest, 100));
    EXPECT_LE(kept.value().size(), 6U);
    EXPECT_GE(kept.value().size(), std::min<std::size_t>(i + 1, 4));
  }
  EXPECT_EQ(history(few), "19 18 17 16");
  EXPECT_EQ(text_of(finish(few.at(id_, 15))), "nothing");
  EXPECT_EQ(text_of(finish(few.at(id_, 17))), R"(17 step "s" after 16 a v18 by 1)");
  store::ThreadStore later(two(), clock_, {.steps_max = 2});
  for (int i = 20; i < 30; ++i) EXPECT_EQ(put(later, i, a_step(i, "s", {"a"})), "done");
  EXPECT_EQ(history(*mine_, {.count = 2}), "29 28");
  EXPECT_LE(finish(one().history("thread/" + id_, RecordStore::kNewest, 100)).value().size(), 3U);
}

// A run over a long text is not kept once for each of its steps.
TEST_P(ThreadStoreTest, OfStepsThatAreTooMuchTheLatestIsKept) {
  store::ThreadStore few(one(), clock_, {.steps_max = 4, .steps_bytes_max = 20'000});
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(put(few, i, a_step(i, std::string(15'000, 's'), {"a"})), "done");
    const auto kept = finish(one().history("thread/" + id_, RecordStore::kNewest, 100));
    EXPECT_EQ(kept.value().size(), 1U);
  }
  for (int i = 6; i < 12; ++i) EXPECT_EQ(put(few, i, a_step(i, "s", {"a"})), "done");
  EXPECT_EQ(history(few), "11 10 9 8");
}

TEST_P(ThreadStoreTest, WhatAThreadIsAboutIsKeptOnce) {
  Json about = {{"request", "Email the report"}};
  EXPECT_TRUE(finish(mine_->begin(id_ + "/b", about)).value());
  EXPECT_FALSE(finish(yours_->begin(id_ + "/b", "another")).value());
  clock_.jump(seconds(60));
  EXPECT_TRUE(finish(yours_->begin(id_ + "/a", about)).value());
  const auto found = finish(yours_->info(id_ + "/b")).value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->about, about);
  EXPECT_EQ(rfc3339(found->begun), "2026-07-28T09:13:20Z");
  const auto all = finish(mine_->threads(id_, 10)).value();
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[0].id, id_ + "/a");
  EXPECT_EQ(rfc3339(all[0].begun), "2026-07-28T09:14:20Z");
  EXPECT_EQ(all[1].id, id_ + "/b");
  EXPECT_EQ(finish(mine_->threads(id_ + "/a", 1)).value().front().id, id_ + "/b");
  EXPECT_TRUE(finish(mine_->erase(id_ + "/a")).ok());
  EXPECT_FALSE(finish(mine_->info(id_ + "/a")).value());
}

TEST_P(ThreadStoreTest, StepsSayWhenTheyWereWrittenAndWrittenToLast) {
  put(*mine_, 0, a_step(0, "s", {"a"}));
  clock_.jump(seconds(5));
  note(*mine_, 1, "a", "x");
  const auto steps = finish(yours_->steps(id_, {})).value();
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(rfc3339(steps[0].at), "2026-07-28T09:13:20Z");
  EXPECT_EQ(rfc3339(steps[0].changed), "2026-07-28T09:13:25Z");
}

TEST_P(ThreadStoreTest, SecretsAreNotWritten) {
  Redactor redactor;
  redactor.add("tiger-lily-77");
  store::ThreadStore discreet(one(), clock_, {.redactor = &redactor});
  EXPECT_TRUE(finish(discreet.begin(id_, Json{{"request", "use tiger-lily-77"}})).value());
  EXPECT_EQ(put(discreet, 0, a_step(0, "with tiger-lily-77", {"a"})), "done");
  EXPECT_EQ(note(discreet, 1, "a", Json{{"deep", {"tiger-lily-77"}}}), "done");
  for (const char* const place : {"thread/", "about/"}) {
    const std::vector<Record> records = finish(one().history(place + id_, 100, 100)).value();
    for (const Record& record : records) {
      EXPECT_EQ(record.value.find("tiger-lily"), std::string::npos) << record.value;
    }
  }
  EXPECT_EQ(latest(discreet),
            R"(0 start "with tiger-lily-77" a!{"deep":["tiger-lily-77"]} v2 by 1)")
      << "whoever was asked goes on with the exact words";
  const auto refused = finish(yours_->latest(id_));
  ASSERT_FALSE(refused.ok()) << "nobody runs what is left of them";
  EXPECT_NE(refused.error().message.find("secrets were taken out"), std::string::npos);
  const auto shown = finish(yours_->steps(id_, {})).value();
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_TRUE(shown[0].altered);
  EXPECT_TRUE(finish(yours_->info(id_)).value()->altered);
  EXPECT_EQ(put(discreet, 2, a_step(1, "tiger-lily-77 is over", {})), "done");
  EXPECT_NE(latest(*yours_).find("[redacted] is over"), std::string::npos)
      << "where nothing is left to do";
}

TEST_P(ThreadStoreTest, WhatCannotBeReadIsToldWithItsThreadAndStep) {
  const std::string other_format = R"({"format": 9, "step": {}})";
  const std::string no_state = R"({"format": 1, "step": {"format": 1, "step": 2}})";
  const std::string nobodys =
      R"({"format": 1, "note": {"node": "z", "what": 1, "answers": false}})";
  const std::pair<std::string, std::string> wrong[] = {
      {"no JSON", "invalid"},
      {other_format, "it is of format 9, and this program knows 1 (after step 1)"},
      {"{\"format\": 1}", "it is neither a step nor what came of one (after step 1)"},
      {no_state, "step 2: the saved checkpoint has no \"at\" (after step 1)"},
      {nobodys, "step 1 has no branch 'z'"}};
  for (const auto& [value, why] : wrong) {
    put(*mine_, 0, a_step(0, "s", {"a"}));
    put(*mine_, 1, a_step(1, "s", {"a"}));
    EXPECT_EQ(StoreFixture::put(one(), "thread/" + id_, 2, value), "done");
    const std::string told = latest(*mine_);
    EXPECT_TRUE(told.starts_with("error: thread '" + id_ + "': record 3: ")) << told;
    EXPECT_NE(told.find(why), std::string::npos) << told;
    EXPECT_EQ(history(*yours_), told);
    EXPECT_NE(put(*yours_, 3, a_step(2, "s", {})), "done");
    EXPECT_EQ(finish(one().get("thread/" + id_)).value()->version, 3) << "nothing is overwritten";
    EXPECT_TRUE(finish(mine_->erase(id_)).ok());
    EXPECT_TRUE(finish(yours_->erase(id_)).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, ThreadStoreTest,
                         testing::Values(Backend::kMemory, Backend::kSqlite, Backend::kPostgres),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace plumbline::stores
