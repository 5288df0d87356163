// Each invariant about commands is broken once, and holds where it should.

#include "scenarios/shell/command_watch.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/check.h"
#include "core/json/parse.h"
#include "scenarios/spec/format_shell.h"

namespace plumbline::scenarios {
namespace {

ShellSpec shell_of(const char* local) {
  std::optional<Problem> problem;
  const std::string text = std::string(R"({"local": )") + local +
                           R"(, "remote": {"programs": ["systemctl"]},
                               "commands": {"git": {}, "rm": {}, "sh": {},
                                            "/srv/project/run": {}}})";
  std::optional<ShellSpec> spec = read_shell(parse_json(text).value(), problem);
  check(spec.has_value(), problem ? problem->message.c_str() : "");
  return *std::move(spec);
}

net::Command command_of(std::vector<std::string> words, const std::string& program) {
  net::Command out(std::move(words));
  out.program = program;
  out.cwd = "/srv/project";
  out.env = {{"PATH", "/usr/bin"}};
  out.inherits = false;
  return out;
}

net::Command git() { return command_of({"git", "status"}, "/usr/bin/git"); }

Json review_of(const char* line) {
  return {{"type", "command"}, {"arguments", {{"command", line}, {"folder", "/srv/project"}}}};
}

Json state_of(std::vector<Json> results) { return {{"cli_results", std::move(results)}}; }

Json result_of(const char* line) {
  return {{"command", line}, {"status", "success"}, {"return_code", 0}, {"stdout", "clean\n"}};
}

class CommandWatchTest : public testing::Test {
 protected:
  // broken returns the ids of the invariants that did not hold.
  static std::vector<std::string> broken(const CommandWatch& watch) {
    std::vector<std::string> out;
    for (const RunFailure& failure : watch.failures()) out.push_back(failure.check);
    return out;
  }
  static std::vector<std::string> only(std::string_view id) { return {std::string(id)}; }

  // started returns what is broken when `command` runs without anybody having been asked.
  std::vector<std::string> started(const net::Command& command) const {
    CommandWatch watch(&free_);
    watch.request_begins();
    watch.started(command);
    return broken(watch);
  }

  ShellSpec free_ = shell_of(R"({"programs": ["git"], "blocked": ["push"], "approval": false})");
  ShellSpec asks_ = shell_of(R"({"programs": ["git"], "approval": true})");
};

TEST_F(CommandWatchTest, WhatIsListedMayRun) {
  EXPECT_TRUE(started(git()).empty());
  CommandWatch watch(&free_);
  watch.request_begins();
  watch.started(git());
  watch.request_ends(state_of({result_of("git 'status'")}), 0);
  EXPECT_TRUE(watch.failures().empty());
  EXPECT_EQ(watch.total(), 1);
}

TEST_F(CommandWatchTest, WhatTheRulesRefuseIsSeen) {
  const auto refused = only(CommandWatch::kRefusedNeverRuns);
  EXPECT_EQ(started(command_of({"rm", "x"}, "/usr/bin/rm")), refused);
  EXPECT_EQ(started(command_of({"git"}, "/usr/bin/sh")), refused);
  EXPECT_EQ(started(command_of({"git", "PUSH"}, "/usr/bin/git")), refused);
  EXPECT_EQ(started(command_of({"git", "rm  -rf", "/"}, "/usr/bin/git")), refused);
  EXPECT_EQ(started(command_of({"run"}, "/srv/project/run")), refused);
  net::Command elsewhere = git();
  elsewhere.cwd = "/srv/projects";
  EXPECT_EQ(started(elsewhere), refused);
  net::Command preloaded = git();
  preloaded.env["LD_PRELOAD"] = "x";
  EXPECT_EQ(started(preloaded), refused);
  net::Command inherits = git();
  inherits.inherits = true;
  EXPECT_EQ(started(inherits), refused);
  EXPECT_TRUE(started(command_of({"git", "pushed"}, "/usr/bin/git")).empty());
  CommandWatch none(nullptr);
  none.started(git());
  EXPECT_EQ(broken(none), refused);
}

TEST_F(CommandWatchTest, AnApprovalIsForOneLineAndOneTime) {
  CommandWatch watch(&asks_);
  watch.request_begins();
  watch.reviewed(review_of("git  'status'"), {{"approve", true}});
  watch.reviewed(review_of("git log"), {{"approve", false}});
  watch.started(git());
  EXPECT_TRUE(watch.failures().empty());
  watch.started(git());
  EXPECT_EQ(broken(watch), only(CommandWatch::kApproved));
  CommandWatch other(&asks_);
  other.reviewed(review_of("git log"), {{"approve", true}});
  other.started(git());
  EXPECT_EQ(broken(other), only(CommandWatch::kApproved));
  CommandWatch elsewhere(&asks_);
  Json there = review_of("git status");
  there["arguments"]["folder"] = "/srv/project/lib";
  elsewhere.reviewed(there, {{"approve", true}});
  elsewhere.started(git());
  EXPECT_EQ(broken(elsewhere), only(CommandWatch::kApproved));
  CommandWatch with_more(&asks_);
  Json more = review_of("git status");
  more["arguments"]["variables"] = {{"GIT_PAGER", "cat"}};
  with_more.reviewed(more, {{"approve", true}});
  with_more.started(git());
  EXPECT_EQ(broken(with_more), only(CommandWatch::kApproved));
  CommandWatch remembers(&asks_);
  remembers.reviewed(review_of("git status"), {{"approve", true}, {"remember", true}});
  remembers.started(git());
  remembers.started(git());
  EXPECT_TRUE(remembers.failures().empty());
}

TEST_F(CommandWatchTest, OtherMachinesAreJudgedToo) {
  CommandWatch watch(&free_);
  watch.request_begins();
  Json review = review_of("systemctl status nginx");
  review["arguments"]["host"] = "admin@prod:22";
  watch.reviewed(review, {{"approve", true}});
  watch.started_there("prod", "'systemctl' 'status' 'nginx'");
  EXPECT_TRUE(watch.failures().empty());
  watch.started_there("prod", "'systemctl' 'stop' 'nginx'");
  EXPECT_EQ(broken(watch), (std::vector<std::string>{std::string(CommandWatch::kRefusedNeverRuns),
                                                     std::string(CommandWatch::kApproved)}));
  CommandWatch more(&free_);
  more.started_there("prod", "systemctl status; id");
  EXPECT_EQ(broken(more), only(CommandWatch::kRefusedNeverRuns));
}

TEST_F(CommandWatchTest, ACommandRunsAsOftenAsItIsToldOf) {
  CommandWatch twice(&free_);
  twice.request_begins();
  twice.started(git());
  twice.started(git());
  twice.request_ends(state_of({result_of("git status")}), 0);
  EXPECT_EQ(broken(twice), only(CommandWatch::kOnce));
  CommandWatch never(&free_);
  never.request_begins();
  never.request_ends(state_of({result_of("git status")}), 0);
  EXPECT_EQ(broken(never), only(CommandWatch::kOnce));
}

TEST_F(CommandWatchTest, OutputAndWhatIsLeftAreBounded) {
  CommandWatch watch(&free_);
  watch.request_begins();
  watch.started(git());
  Json flood = result_of("git status");
  flood["stdout"] = std::string(1U << 20U, 'y');
  watch.request_ends(state_of({flood}), 1);
  EXPECT_EQ(broken(watch), (std::vector<std::string>{std::string(CommandWatch::kLeavesNothing),
                                                     std::string(CommandWatch::kOutput)}));
}

TEST_F(CommandWatchTest, AWorkflowIsBounded) {
  for (const char* const key : {"visits", "workflow_step"}) {
    CommandWatch watch(&free_);
    watch.request_begins();
    watch.request_ends({{key, 1'000}}, 0);
    EXPECT_EQ(broken(watch), only(CommandWatch::kWorkflow)) << key;
  }
  CommandWatch turns(&free_);
  turns.request_ends({{"conversation_turns", Json(std::vector<int>(41))}}, 0);
  EXPECT_EQ(broken(turns), only(CommandWatch::kWorkflow));
}

TEST_F(CommandWatchTest, WhatWasKeptNeverChanges) {
  const Json one = {{"cli_past", {result_of("git status")}}, {"steps", {1, 2}}};
  CommandWatch watch(&free_);
  watch.request_begins();
  watch.kept(one);
  watch.kept({{"cli_past", one["cli_past"]}, {"cli_results", {1}}, {"steps", {1, 2, 3}}});
  EXPECT_TRUE(watch.failures().empty());
  watch.kept({{"cli_past", Json::array()}, {"steps", {1, 2, 3}}});
  EXPECT_EQ(broken(watch), only(CommandWatch::kThreads));
  CommandWatch steps(&free_);
  steps.kept(one);
  steps.kept({{"cli_past", one["cli_past"]}, {"steps", {1, 3}}});
  EXPECT_EQ(broken(steps), only(CommandWatch::kThreads));
  CommandWatch lost(&free_);
  lost.lost("a field is missing");
  EXPECT_EQ(broken(lost), only(CommandWatch::kThreads));
}

}  // namespace
}  // namespace plumbline::scenarios
