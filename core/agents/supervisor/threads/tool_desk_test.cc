#include "core/agents/supervisor/threads/tool_desk.h"

#include <algorithm>
#include <coroutine>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/agent.h"
#include "core/agents/supervisor/supervisor_fixture.h"
#include "core/base/wait.h"
#include "core/json/redactor.h"
#include "core/store/memory_record_store.h"
#include "fakes/world/sim_doors.h"

namespace plumbline::agents::supervisor {
namespace {

Json debug_step(std::int64_t number, bool next) {
  return {{"step", "step " + std::to_string(number)},
          {"step_number", number},
          {"total_steps", 4},
          {"next_step_required", next},
          {"findings", {{{"text", "finding " + std::to_string(number)}}}}};
}

// never_decided is a person who is asked, and never says anything.
Task<Json> never_decided(std::string* asked, Json review) {
  *asked = review["arguments"]["command"].get<std::string>();
  std::suspend_always for_ever;
  co_await for_ever;
  co_return Json();
}

Task<Json> decided(Json answer) { co_return std::move(answer); }

// WaitingStore takes a turn of the loop for each thing that it does, once it is done: a process can
// die between any two of them.
class WaitingStore final : public RecordStore {
 public:
  explicit WaitingStore(Loop& loop) : loop_(loop) {}

  // implements RecordStore ---
  Task<Result<bool>> put(std::vector<Put> puts) override {
    Result<bool> out = co_await kept_.put(std::move(puts));
    co_await Sleep(loop_, loop_.now());
    co_return out;
  }
  Task<Result<std::vector<Record>>> history(std::string key, std::int64_t upto,
                                            std::size_t count) override {
    return kept_.history(std::move(key), upto, count);
  }
  Task<Result<std::vector<Record>>> list(std::string prefix, std::string after,
                                         std::size_t count) override {
    return kept_.list(std::move(prefix), std::move(after), count);
  }
  Task<Status> trim(std::string key, std::int64_t first) override {
    return kept_.trim(std::move(key), first);
  }
  Task<Result<bool>> remove(std::string key, std::int64_t expected) override {
    Result<bool> out = co_await kept_.remove(std::move(key), expected);
    co_await Sleep(loop_, loop_.now());
    co_return out;
  }

 private:
  Loop& loop_;
  store::MemoryRecordStore kept_;
};

// DeskWorld is a desk over a store that outlives it.
struct DeskWorld {
  DeskWorld() {
    world.services.desk = &world.commands.desk();
    world.shelf.add("m", R"({"turns": [{"text": "said", "always": true, "latency_ms": 5}]})");
    restart();
  }

  // restart is the end of the process, and another one.
  void restart() {
    desk = std::make_unique<ToolDesk>(
        world.services, world.commands.loop,
        Keeping{records, clock,
                [this](std::size_t) { return std::string(1, static_cast<char>(++ids)); },
                &redactor},
        ThreadLimits{.turns_max = 8});
  }

  Result<Json> call(std::string tool, Json arguments, const std::string& thread = "",
                    CallAids aids = {}) {
    if (!thread.empty()) arguments["continuation_id"] = thread;
    Task<Result<Json>> task = desk->call(std::move(tool), std::move(arguments), std::move(aids));
    check(world.commands.loop.run_task(task).ok(), "the call hangs");
    return std::move(task.result());
  }

  // call_for lets a call work for so many turns of the loop, and drops it. Returns whether it was
  // answered.
  bool call_for(std::int64_t turns, std::string tool, Json arguments, const std::string& thread) {
    arguments["thread_id"] = thread;
    Task<Result<Json>> task = desk->call(std::move(tool), std::move(arguments));
    static_cast<void>(world.commands.loop.run_task(task, turns));
    return task.done() && task.result().ok();
  }

  std::string last_prompt() {
    std::string out;
    for (const model::Message& message : world.shelf.prompts.back().messages) out += message.text;
    return out;
  }

  SupervisorWorld world;
  WaitingStore records{world.commands.loop};
  fakes::SimWallClock clock{world.commands.loop, std::chrono::hours(9)};
  Redactor redactor;
  int ids = 0;
  std::unique_ptr<ToolDesk> desk;
};

// done returns what a task comes to that waits for nothing.
template <typename T>
T done(Task<T> task) {
  task.start();
  check(task.done(), "it waits for nothing");
  return std::move(task.result());
}

TEST(ThreadBookTest, OfTooManyBytesTheThreadsUsedLongestAgoGoAndTheLastStays) {
  fakes::SimLoop loop;
  fakes::SimWallClock clock(loop, std::chrono::hours(9));
  store::MemoryRecordStore records;
  int ids = 0;
  const auto random = [&ids](std::size_t) { return std::string(1, static_cast<char>(++ids)); };
  ThreadBook book({records, clock, random},
                  ThreadLimits{.bytes_each_max = 4'000, .bytes_max = 9'000});
  std::vector<std::string> begun;
  const auto begin = [&](const std::string& owner, std::size_t bytes) {
    KeptThread thread = book.begin({}, owner);
    thread.call = std::string(bytes, 'x');
    EXPECT_TRUE(done(book.put(thread)).ok());
    begun.push_back(thread.id());
  };
  for (int i = 0; i < 6; ++i) begin("greedy", 1'000);
  const std::vector<std::string> old = book.old_threads();
  EXPECT_EQ(std::set<std::string>(old.begin(), old.end()),
            std::set<std::string>(begun.begin(), begun.begin() + 3));
  for (const std::string& id : old) static_cast<void>(done(book.forget(id)));
  begin("modest", 1'000);
  EXPECT_EQ(book.old_threads(), std::vector<std::string>{});
  begin("modest", 50'000);
  const std::vector<std::string> left = book.old_threads();
  EXPECT_EQ(std::ranges::count(left, begun.back()), 0) << "it was just used";
  EXPECT_EQ(std::ranges::count(left, begun[begun.size() - 2]), 1);
}

TEST(MemoryRecordStoreTest, WhatHasNoRoomIsRefusedInWordsAndRoomComesBack) {
  store::MemoryRecordStore records(5'000);
  const auto put = [&records](const std::string& key, std::size_t bytes) {
    std::vector<Put> puts;
    puts.push_back({key, 0, std::string(bytes, 'x')});
    return done(records.put(std::move(puts)));
  };
  EXPECT_TRUE(put("a", 2'000).ok());
  EXPECT_TRUE(put("b", 2'000).ok());
  const Result<bool> refused = put("c", 2'000);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitReached);
  EXPECT_NE(refused.error().message.find("5000 bytes of text"), std::string::npos);
  EXPECT_TRUE(done(records.remove("a", RecordStore::kNewest)).ok());
  EXPECT_TRUE(put("c", 2'000).ok());
  EXPECT_TRUE(done(records.remove("b", RecordStore::kNewest)).ok());
  EXPECT_TRUE(done(records.remove("c", RecordStore::kNewest)).ok());
  EXPECT_EQ(records.bytes(), 0U);
}

class ToolDeskTest : public testing::Test {
 protected:
  Result<Json> call(std::string tool, Json arguments, const std::string& thread = "") {
    return desk_.call(std::move(tool), std::move(arguments), thread);
  }

  static std::string thread_of(const Json& answer) { return string_or(answer, "thread_id", ""); }

  std::string last_prompt() { return desk_.last_prompt(); }

  DeskWorld desk_;
  SupervisorWorld& world_ = desk_.world;
};

TEST_F(ToolDeskTest, FourStepsOfDebugAreOneWorkflow) {
  Json answer = call("debug", debug_step(1, true)).value();
  EXPECT_EQ(answer["status"], "continue");
  const std::string thread = thread_of(answer);
  for (std::int64_t number = 2; number < 4; ++number) {
    answer = call("debug", debug_step(number, true), thread).value();
    EXPECT_EQ(answer["next_step"]["findings"].size(), static_cast<std::size_t>(number));
  }
  answer = call("debug", debug_step(4, false), thread).value();
  EXPECT_EQ(answer["status"], "completed");
  EXPECT_TRUE(string_or(answer, "content", "").starts_with("said\n\n## Findings\n\n"));
  EXPECT_NE(last_prompt().find("4 findings"), std::string::npos);
  EXPECT_EQ(world_.shelf.prompts.size(), 1U);
}

TEST_F(ToolDeskTest, WhatIsLongBelongsIntoFiles) {
  const Result<Json> told = call("chat", {{"prompt", std::string(3'000'000, 'x')}});
  ASSERT_FALSE(told.ok());
  EXPECT_EQ(told.error().message, "the arguments have more than 2 MB: put what is long into files");
}

TEST_F(ToolDeskTest, AnotherToolContinuesTheThread) {
  world_.file("/srv/project/api.cc", "int api;");
  const Json first =
      call("analyze", {{"prompt", "the API"}, {"files", {"/srv/project/api.cc"}}}).value();
  const Json second = call("codereview", {{"prompt", "review"}}, thread_of(first)).value();
  EXPECT_EQ(thread_of(first), thread_of(second));
  EXPECT_NE(last_prompt().find("the API"), std::string::npos);
  EXPECT_NE(last_prompt().find("int api;"), std::string::npos);
}

TEST_F(ToolDeskTest, AWrongStepLeavesTheWorkflowWaiting) {
  const std::string thread = thread_of(call("debug", debug_step(1, true)).value());
  const Result<Json> wrong = call("debug", {{"step", "x"}}, thread);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("step_number"), std::string::npos);
  EXPECT_EQ(call("debug", debug_step(2, true), thread).value()["next_step"]["findings"].size(), 2U);
}

TEST_F(ToolDeskTest, AThreadThatIsFullGoesOnInANewOne) {
  std::string thread = thread_of(call("chat", {{"prompt", "1"}}).value());
  const std::string first = thread;
  Json answer;
  for (int i = 0; i < 4; ++i) answer = call("chat", {{"prompt", "more"}}, thread).value();
  EXPECT_NE(thread_of(answer), first);
  EXPECT_EQ(answer["parent_thread_id"], first);
}

TEST_F(ToolDeskTest, AThreadExpiresAndNoneIsGuessed) {
  const std::string thread = thread_of(call("chat", {{"prompt", "1"}}).value());
  Sleep night(world_.commands.loop, after(world_.commands.loop.now(), std::chrono::hours(4)));
  Task<void> sleeping = [](Sleep& until) -> Task<void> { co_await until; }(night);
  world_.finish(std::move(sleeping));
  EXPECT_FALSE(call("chat", {{"prompt", "2"}}, thread).ok());
  EXPECT_EQ(desk_.desk->threads(), 0U);
  EXPECT_FALSE(call("debugger", {{"prompt", "2"}}).ok());
  EXPECT_EQ(desk_.desk->threads(), 0U);
}

TEST_F(ToolDeskTest, ACallThatIsDroppedLeavesItsThreadFree) {
  const std::string thread = thread_of(call("chat", {{"prompt", "1"}}).value());
  {
    Task<Result<Json>> task =
        desk_.desk->call("chat", Json{{"prompt", "2"}, {"thread_id", thread}});
    task.start();
    ASSERT_FALSE(task.done());
    EXPECT_FALSE(call("chat", {{"prompt", "3"}}, thread).ok());
  }
  EXPECT_TRUE(call("chat", {{"prompt", "4"}}, thread).ok());
}

TEST_F(ToolDeskTest, AWorkflowGoesOnInTheNextProcess) {
  Json answer = call("debug", debug_step(1, true)).value();
  const std::string thread = thread_of(answer);
  answer = call("debug", debug_step(2, true), thread).value();
  desk_.restart();
  answer = call("debug", debug_step(3, true), thread).value();
  EXPECT_EQ(answer["next_step"]["findings"].size(), 3U);
  desk_.restart();
  answer = call("debug", debug_step(4, false), thread).value();
  EXPECT_EQ(answer["status"], "completed");
  EXPECT_NE(last_prompt().find("4 findings"), std::string::npos);
  EXPECT_NE(last_prompt().find("finding 1"), std::string::npos);
}

// kept returns all that the store holds.
std::string kept(RecordStore& records) {
  std::string all;
  for (const char* const prefix : {"tool-thread/", "thread/"}) {
    Task<Result<std::vector<Record>>> task = records.list(prefix, "", 1'000);
    task.start();
    for (const Record& record : task.result().value()) all += record.value + "\n";
  }
  return all;
}

TEST_F(ToolDeskTest, AModelIsAskedTheExactWordsAndTheStoreHasNoSecretOfThem) {
  const std::string first = "Why does ghp_0123456789abcdefghij fail, with password=pl4nted-1?";
  const Json answer = call("chat", {{"prompt", first}}).value();
  EXPECT_NE(last_prompt().find(first), std::string::npos) << last_prompt();
  ASSERT_TRUE(call("chat", {{"prompt", "And now?"}}, thread_of(answer)).ok());
  EXPECT_NE(last_prompt().find(first), std::string::npos) << "what was said before, as it was said";
  const std::string all = kept(desk_.records);
  EXPECT_NE(all.find("[redacted]"), std::string::npos);
  for (const char* const secret : {"ghp_0123", "pl4nted"}) {
    EXPECT_EQ(all.find(secret), std::string::npos) << all;
  }
}

TEST_F(ToolDeskTest, AnotherProcessRunsNothingThatIsLeftOfTheWords) {
  Json step = debug_step(1, true);
  step["step"] = "look at password=pl4nted-1";
  const std::string thread = thread_of(call("debug", std::move(step)).value());
  EXPECT_EQ(call("debug", debug_step(2, true), thread).value()["status"], "continue");
  desk_.restart();
  const Result<Json> refused = call("debug", debug_step(3, true), thread);
  const std::string why = refused.ok() ? dump_json(refused.value()) : refused.error().message;
  EXPECT_NE(why.find("secrets were taken out"), std::string::npos) << why;
}

TEST_F(ToolDeskTest, AStepThatIsSentAgainIsAnsweredAsBefore) {
  const std::string thread = thread_of(call("debug", debug_step(1, true)).value());
  const Json first = call("debug", debug_step(2, true), thread).value();
  desk_.restart();
  EXPECT_EQ(call("debug", debug_step(2, true), thread).value(), first);
  EXPECT_EQ(call("debug", debug_step(3, true), thread).value()["next_step"]["findings"].size(), 3U);
}

TEST_F(ToolDeskTest, AThreadIsItsOwnersAlone) {
  Result<Json> mine = desk_.call("chat", {{"prompt", "1"}}, "", {.who = "ada"});
  const std::string thread = thread_of(mine.value());
  EXPECT_FALSE(desk_.call("chat", {{"prompt", "2"}}, thread, {.who = "bob"}).ok());
  EXPECT_FALSE(call("chat", {{"prompt", "2"}}, thread).ok());
  EXPECT_TRUE(desk_.call("chat", {{"prompt", "2"}}, thread, {.who = "ada"}).ok());
}

TEST_F(ToolDeskTest, WhoIsAskedLaterFindsTheCommandWaiting) {
  world_.commands.made.reset();
  world_.commands.rules.approval = true;
  world_.services.desk = &world_.commands.desk();
  std::string asked;
  Json step = debug_step(2, true);
  step["commands"] = {"git status"};
  const std::string thread = thread_of(call("debug", debug_step(1, true)).value());
  {
    CallAids silent;
    silent.approve = [&asked](std::string /*thread*/, Json review) {
      return never_decided(&asked, std::move(review));
    };
    step["thread_id"] = thread;
    Task<Result<Json>> task = desk_.desk->call("debug", step, silent);
    EXPECT_FALSE(world_.commands.loop.run_task(task).ok());
    EXPECT_FALSE(task.done());
  }
  EXPECT_EQ(asked, "git status");
  EXPECT_TRUE(world_.commands.shell.ran().empty());
  desk_.restart();
  CallAids yes;
  yes.approve = [&asked](std::string of, Json /*review*/) {
    asked = std::move(of);
    return decided(Json{{"approve", true}});
  };
  const Json answer = desk_.call("debug", step, thread, yes).value();
  EXPECT_EQ(asked, thread + "-2");
  EXPECT_EQ(answer["next_step"]["cli_results"][0]["stdout"], "clean\n");
  EXPECT_EQ(world_.commands.shell.ran().size(), 1U);
  EXPECT_EQ(string_or(world_.commands.logged().at(0), "who", ""), "thread " + thread);
}

// DecidingDesk makes calls of cli_execute whose person is asked in one and answers in the next, as
// in revisions without sessions.
class DecidingDeskTest : public ToolDeskTest {
 protected:
  DecidingDeskTest() {
    world_.commands.made.reset();
    world_.commands.rules.approval = true;
    world_.services.desk = &world_.commands.desk();
  }

  // asked makes the call until a person is asked, and returns which call that was.
  std::string asked(const Json& arguments, const std::string& thread = "") {
    std::string use;
    CallAids silent;
    silent.approve = [&use, this](std::string of, Json review) {
      use = std::move(of);
      return never_decided(&line_, std::move(review));
    };
    Json named = arguments;
    if (!thread.empty()) named["thread_id"] = thread;
    Task<Result<Json>> task = desk_.desk->call("cli_execute", named, silent);
    EXPECT_FALSE(world_.commands.loop.run_task(task).ok());
    return use;
  }

  Result<Json> answered(const Json& arguments, const std::string& use, Json answer) {
    CallAids yes;
    yes.answers = use;
    yes.approve = [answer, this](std::string, Json review) {
      line_ = string_or(review["arguments"], "command", "");
      return decided(answer);
    };
    return desk_.call("cli_execute", arguments, use.substr(0, use.rfind('-')), yes);
  }

  std::size_t ran() const { return desk_.world.commands.shell.ran().size(); }

  std::string line_;
};

TEST_F(DecidingDeskTest, AnAnswerThatComesTwiceRunsOnceAndIsAnsweredTheSame) {
  const Json status = {{"commands", {"git status"}}};
  const std::string use = asked(status);
  const Json yes = approval(true);
  const Json first = answered(status, use, yes).value();
  EXPECT_EQ(first["metadata"]["cli_results"][0]["stdout"], "clean\n");
  EXPECT_EQ(answered(status, use, yes).value(), first);
  desk_.restart();
  EXPECT_EQ(answered(status, use, yes).value(), first);
  EXPECT_EQ(ran(), 1U);
}

TEST_F(DecidingDeskTest, AnAnswerOfAnEarlierCallRunsNothing) {
  const Json status = {{"commands", {"git status"}}};
  const std::string use = asked(status);
  const std::string thread = use.substr(0, use.rfind('-'));
  EXPECT_TRUE(answered(status, use, approval(true)).ok());
  const std::string next = asked(status, thread);
  EXPECT_NE(next, use);
  const Result<Json> late = answered(status, use, approval(true));
  ASSERT_FALSE(late.ok());
  EXPECT_NE(late.error().message.find("nothing was run"), std::string::npos);
  EXPECT_EQ(ran(), 1U);
  EXPECT_TRUE(answered(status, next, approval(true)).ok());
  EXPECT_EQ(ran(), 2U);
}

TEST_F(DecidingDeskTest, AProgramThatWasReplacedIsAskedAboutAgain) {
  const Json status = {{"commands", {"git status"}}};
  const std::string use = asked(status);
  world_.commands.paths.replace("/usr/bin/git");
  std::vector<std::string> ids;
  CallAids yes;
  yes.answers = use;
  yes.approve = [&ids](std::string, Json review) {
    ids.push_back(string_or(review, "approval_id", ""));
    return decided(approval(ids.size() == 1));
  };
  const Json answer = desk_.call("cli_execute", status, use.substr(0, use.rfind('-')), yes).value();
  ASSERT_EQ(ids.size(), 2U);
  EXPECT_NE(ids[0], ids[1]);
  EXPECT_EQ(answer["metadata"]["cli_results"][0]["status"], "blocked");
  EXPECT_EQ(ran(), 0U);
}

TEST_F(DecidingDeskTest, WhatIsRememberedIsThatCommandForTheRestOfTheThread) {
  const Json status = {{"commands", {"git status"}}};
  const std::string use = asked(status);
  const Json keep = {{"approve", true}, {"remember", true}};
  const std::string thread = thread_of(answered(status, use, keep).value());
  desk_.restart();
  EXPECT_TRUE(desk_.call("cli_execute", status, thread).ok());
  EXPECT_EQ(ran(), 2U) << "nobody is there to be asked, and nobody needs to be";
  EXPECT_NE(asked({{"commands", {"git log"}}}, thread), "");
  EXPECT_NE(asked(status), "") << "another thread";
  world_.commands.paths.replace("/usr/bin/git");
  EXPECT_NE(asked(status, thread), "") << "another program";
  EXPECT_EQ(ran(), 2U);
}

// Whenever the process dies, and however often: each step counts once, and no command runs twice.
RC_GTEST_PROP(ToolDeskPropTest, AWorkflowOutlivesEveryProcess, ()) {
  DeskWorld world;
  const std::string thread =
      string_or(world.call("debug", debug_step(1, true)).value(), "thread_id", "");
  for (std::int64_t number = 2; number <= 4; ++number) {
    Json step = debug_step(number, number < 4);
    step["commands"] = {"git log -" + std::to_string(number)};
    const auto deaths = *rc::gen::inRange(0, 4);
    for (int i = 0; i < deaths; ++i) {
      const auto turns = *rc::gen::inRange<std::int64_t>(0, 40);
      const bool answered = world.call_for(turns, "debug", step, thread);
      if (answered && number == 4) break;
      world.restart();
    }
    const Json answer = world.call("debug", step, thread).value();
    if (number == 4) {
      RC_ASSERT(answer["status"] == "completed");
      continue;
    }
    RC_ASSERT(answer["next_step"]["findings"].size() == static_cast<std::size_t>(number));
    RC_ASSERT(answer["next_step"]["cli_results"].size() == static_cast<std::size_t>(number - 1));
  }
  std::set<std::string> lines;
  for (const net::Command& command : world.world.commands.shell.ran()) {
    RC_ASSERT(lines.insert(command.argv.back()).second);
  }
}

}  // namespace
}  // namespace plumbline::agents::supervisor
