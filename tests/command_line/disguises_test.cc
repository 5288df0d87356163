// Git with a repository that wants to run something at every turn, and other programs that are
// installed here: nothing but the program runs.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/command_line/rules/command_policy.h"
#include "core/agents/command_line/run/command_runner.h"
#include "core/os/child/real_paths.h"
#include "core/os/child/real_spawner.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"

namespace plumbline::agents::command_line {
namespace {

namespace fs = std::filesystem;

class RealDisguisesTest : public testing::Test {
 protected:
  RealDisguisesTest() {
    rules_.programs = {"git", "tar", "find", "sed", "awk", "sort"};
    rules_.roots = {folder_.path() + "/project"};
    rules_.approval = false;
    rules_.env = {{"HOME", folder_.path()},
                  {"GIT_AUTHOR_NAME", "t"},
                  {"GIT_AUTHOR_EMAIL", "t@example.org"},
                  {"GIT_COMMITTER_NAME", "t"},
                  {"GIT_COMMITTER_EMAIL", "t@example.org"}};
    fs::create_directories(at("project"));
    write("spy", "#!/bin/sh\necho ran >> " + at("ran") + "\ncat\n");
    fs::permissions(at("spy"), fs::perms::owner_all);
  }

  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(at(name)).parent_path());
    std::ofstream(at(name)) << text;
  }
  bool ran() const {
    const bool there = fs::exists(at("ran"));
    fs::remove(at("ran"));
    return there;
  }

  CommandResult run(net::Command command) {
    CommandRunner runner(loop_, spawner_, {});
    Task<CommandResult> task = runner.run(std::move(command), "x", std::chrono::seconds(30));
    task.start();
    EXPECT_TRUE(os::run_within(loop_, std::chrono::seconds(60), [&task] { return task.done(); }));
    return std::move(task.result());
  }
  // permit is for a line that runs unasked; or, with `tame` false, for what it would be without us.
  Permit permit(const std::string& line, bool tame = true) {
    rules_.runs_anything = tame ? std::vector<std::string>() : rules_.programs;
    Result<Permit, Refusal> permit =
        CommandPolicy::make(rules_, paths_).value().permit({line, {}, {}, false});
    EXPECT_TRUE(permit.ok()) << permit.error().why;
    return std::move(permit).value();
  }
  CommandResult git(const std::string& line) { return run(permit("git " + line, false).command); }

  // make_repository makes one with a commit and a change.
  void make_repository() {
    git("init -q -b main");
    write("project/a.txt", "one\n");
    write("project/.gitattributes", "*.txt filter=spy diff=spy merge=spy\n");
    git("add .");
    ASSERT_EQ(git("commit -q -m first").return_code, 0);
    write("project/a.txt", "two\n");
  }

  os::RealLoop loop_;
  os::RealSpawner spawner_{loop_};
  os::RealPaths paths_;
  os::TemporaryFolder folder_ = std::move(os::TemporaryFolder::make()).value();
  CommandRules rules_;
};

// What git starts by settings whose names are known: here it does not.
TEST_F(RealDisguisesTest, ARepositorysHooksMonitorEditorAndTunnelDoNotRun) {
  make_repository();
  const std::string spy = at("spy");
  write("project/.git/config", "[core]\n\tfsmonitor = " + spy + "\n\tpager = " + spy +
                                   "\n\teditor = " + spy + "\n\tsshCommand = " + spy +
                                   "\n\taskPass = " + spy + "\n\tgitProxy = " + spy +
                                   "\n[sequence]\n\teditor = " + spy + "\n[pager]\n\tlog = " + spy +
                                   "\n[alias]\n\tx = !" + spy + "\n\tstatus = !" + spy +
                                   "\n[remote \"origin\"]\n\turl = ssh://git@127.0.0.1:1/x" +
                                   "\n[remote \"other\"]\n\turl = ext::" + spy +
                                   "\n[remote \"third\"]\n\turl = git://127.0.0.1:1/x\n");
  for (const char* hook :
       {"pre-commit", "post-commit", "commit-msg", "prepare-commit-msg", "post-checkout",
        "post-index-change", "reference-transaction", "pre-push", "post-merge", "applypatch-msg"}) {
    fs::create_directories(at("project/.git/hooks"));
    fs::copy_file(spy, at(std::string("project/.git/hooks/") + hook),
                  fs::copy_options::overwrite_existing);
  }
  for (const char* const line :
       {"status --short", "log -p", "diff", "add a.txt", "commit -m second", "commit --amend",
        "checkout -q -b other", "fetch origin", "push origin main", "fetch other", "fetch third"}) {
    const Permit tame = permit(std::string("git ") + line);
    EXPECT_FALSE(tame.approval) << line << ": " << tame.runs;
    run(tame.command);
    EXPECT_FALSE(ran()) << "git " << line;
  }
  // Without our settings it does.
  write("project/a.txt", "three\n");
  for (const char* line : {"status", "commit -a -m third", "fetch origin", "x"}) {
    git(line);
    EXPECT_TRUE(ran()) << "git " << line;
  }
  EXPECT_TRUE(permit("git x").approval);
}

// What it starts by settings of any name: a person is asked.
TEST_F(RealDisguisesTest, ARepositorysDriversMakeEveryLineRunAnything) {
  make_repository();
  const std::string spy = at("spy");
  const std::string settings[] = {
      "[filter \"spy\"]\n\tclean = " + spy + "\n", "[diff \"spy\"]\n\ttextconv = " + spy + "\n",
      "[diff \"spy\"]\n\tcommand = " + spy + "\n", "[diff]\n\texternal = " + spy + "\n",
      "[include]\n\tpath = more\n"};
  for (const std::string& text : settings) {
    write("project/.git/more", "[filter \"spy\"]\n\tclean = " + spy + "\n");
    write("project/.git/config", text);
    EXPECT_TRUE(permit("git diff").approval) << text;
    EXPECT_NE(permit("git diff").runs.find("which may start programs"), std::string::npos);
    git("diff --ext-diff");
    EXPECT_TRUE(ran()) << text;
  }
}

// A folder that looks like a repository, and one below that is, do nothing.
TEST_F(RealDisguisesTest, OtherRepositoriesOfTheFolderDoNotRun) {
  make_repository();
  const std::string spy = at("spy");
  write("project/bare/HEAD", "ref: refs/heads/main\n");
  write("project/bare/config", "[core]\n\tbare = true\n\tfsmonitor = " + spy + "\n");
  fs::create_directories(at("project/bare/objects"));
  fs::create_directories(at("project/bare/refs"));
  run(permit("git -C bare status").command);
  EXPECT_FALSE(ran());
  git("init -q sub");
  git("-C sub commit -q --allow-empty -m sub");
  git("add sub");
  write("project/sub/.git/config",
        "[core]\n\tfsmonitor = " + spy + "\n[filter \"spy\"]\n\tclean = " + spy + "\n");
  write("project/sub/b.txt", "x\n");
  ran();
  for (const char* line : {"git status", "git diff", "git add a.txt", "git fetch --all"}) {
    const Permit tame = permit(line);
    EXPECT_FALSE(tame.approval) << line << ": " << tame.runs;
    run(tame.command);
    EXPECT_FALSE(ran()) << line;
  }
  git("status");
  EXPECT_TRUE(ran());
}

// The forms of the table are those of the programs that are here.
TEST_F(RealDisguisesTest, WhatTheTableNamesDoesRunAnything) {
  write("project/a", "a\n");
  run(permit("tar -cf a.tar a", false).command);
  const std::string spy = at("spy");
  for (const std::string& line :
       {"tar -xf a.tar --to-command=" + spy,
        "tar --checkpoint=1 --checkpoint-act=exec=" + spy + " -cf b.tar a",
        "tar -I " + spy + " -cf c.tar a", "tar cIf " + spy + " d.tar a",
        "find a -exec " + spy + " \\;", "sed '1e " + spy + "' a", "sed 's#a#" + spy + "#e' a",
        "awk 'BEGIN { system(\"" + spy + " </dev/null\") }'",
        "awk 'BEGIN { \"" + spy + " </dev/null\" | getline }'", "git -c alias.x=!" + spy + " x"}) {
    ran();
    run(permit(line, false).command);
    EXPECT_TRUE(ran()) << line;
    rules_.runs_anything.clear();
    const auto tame = CommandPolicy::make(rules_, paths_).value().permit({line, {}, {}, false});
    EXPECT_TRUE(!tame.ok() || tame.value().approval) << line;
  }
}

}  // namespace
}  // namespace plumbline::agents::command_line
