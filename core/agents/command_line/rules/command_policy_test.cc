#include "core/agents/command_line/rules/command_policy.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fakes/world/sim_paths.h"

namespace plumbline::agents::command_line {
namespace {

class CommandPolicyTest : public testing::Test {
 protected:
  CommandPolicyTest() {
    for (const char* name : {"git", "mawk", "dash", "busybox", "rm", "curl", "dd"}) {
      paths_.program(std::string("/usr/bin/") + name);
    }
    paths_.link("/usr/bin/awk", "/etc/alternatives/awk");
    paths_.link("/etc/alternatives/awk", "/usr/bin/mawk");
    paths_.link("/usr/bin/ls", "busybox");
    paths_.link("/bin", "usr/bin");
    paths_.program("/srv/project/tool");
    paths_.folder("/srv/project/src");
    paths_.link("/srv/project/out", "/etc");
    rules_.programs = {"git", "awk", "curl"};
    rules_.roots = {"/srv/project"};
  }

  CommandPolicy policy() {
    Result<CommandPolicy> made = CommandPolicy::make(rules_, paths_);
    EXPECT_TRUE(made.ok()) << made.error().message;
    return std::move(made).value();
  }

  std::string refusal(const CommandRequest& request) {
    const Result<Permit, Refusal> permit = policy().permit(request);
    if (permit.ok()) return "";
    return std::string(permit.error().rule) + ": " + permit.error().why;
  }
  std::string refusal(std::string line) { return refusal({std::move(line), {}, {}, false}); }

  std::string wrong() {
    const Result<CommandPolicy> made = CommandPolicy::make(rules_, paths_);
    return made.ok() ? "" : made.error().message;
  }

  fakes::SimPaths paths_;
  CommandRules rules_;
};

TEST_F(CommandPolicyTest, APermitIsCompleteAndInheritsNothing) {
  rules_.env = {{"LANG", "C"}};
  rules_.request_env = {"CI"};
  const auto permit = policy().permit({"awk '{print $1}' x", "src", {{"CI", "1"}}, false});
  ASSERT_TRUE(permit.ok()) << permit.error().why;
  const net::Command& command = permit.value().command;
  EXPECT_EQ(command.argv, (std::vector<std::string>{"awk", "{print $1}", "x"}));
  EXPECT_EQ(command.program, "/usr/bin/awk");
  EXPECT_EQ(permit.value().real_program, "/usr/bin/mawk");
  EXPECT_EQ(command.cwd, "/srv/project/src");
  EXPECT_FALSE(command.inherits);
  const std::map<std::string, std::string> env = {
      {"CI", "1"}, {"LANG", "C"}, {"PATH", "/usr/local/bin:/usr/bin:/bin"}};
  EXPECT_EQ(command.env, env);
  EXPECT_TRUE(permit.value().approval);
}

TEST_F(CommandPolicyTest, OnlyListedProgramsRun) {
  EXPECT_EQ(refusal("rm x"),
            "program: \"rm\" is not among the programs that may run (git, awk, curl)");
  EXPECT_EQ(refusal("GIT x"),
            "program: \"GIT\" is not among the programs that may run (git, awk, curl)");
  EXPECT_EQ(refusal("/usr/bin/git status"), "");
  EXPECT_EQ(refusal("/bin/git status"), "");
  for (const char* line : {"./git", "../bin/git", "/usr/bin/../bin/git", "/usr/./bin/git",
                           "//usr/bin/git", "/usr/bin/git/", "src/git"}) {
    EXPECT_EQ(refusal(line),
              std::string("program: \"") + line + "\" is neither a name nor a plain absolute path");
  }
  EXPECT_EQ(refusal("/usr/bin/mawk x"),
            "program: \"/usr/bin/mawk\" is not among the programs that "
            "may run (git, awk, curl)");
  EXPECT_EQ(refusal("/srv/project/git"),
            "program: \"/srv/project/git\" is not among the "
            "programs that may run (git, awk, curl)");
}

TEST_F(CommandPolicyTest, OneFileThatIsManyProgramsIsTheOneThatIsListed) {
  rules_.programs = {"ls"};
  rules_.shell = "/usr/bin/dash";
  EXPECT_EQ(refusal("ls"), "");
  EXPECT_EQ(refusal("/usr/bin/busybox sh"),
            "program: \"/usr/bin/busybox\" is not among the programs that may run (ls)");
}

TEST_F(CommandPolicyTest, WhatCommandsCouldHaveWrittenIsNoProgramByName) {
  rules_.programs = {"tool", "helper"};
  paths_.link("/usr/local/bin/helper", "/srv/project/tool");
  EXPECT_EQ(refusal("helper"),
            "program: \"/usr/local/bin/helper\" leads to "
            "\"/srv/project/tool\", which commands could have written");
  rules_.programs = {"/srv/project/tool"};
  EXPECT_EQ(refusal("/srv/project/tool"), "");
}

TEST_F(CommandPolicyTest, AShellRunsOnlyWhereOneIsAllowedAndThenNeverUnasked) {
  rules_.programs = {"git", "dash", "sh"};
  rules_.approval = false;
  EXPECT_EQ(refusal("dash -c id"), "shell: \"/usr/bin/dash\" is a shell, and none is allowed here");
  EXPECT_EQ(refusal({"git log | head", {}, {}, true}), "shell: no shell is allowed here");
  rules_.shell = "/usr/bin/dash";
  const auto permit = policy().permit({"git log | head", {}, {}, true});
  ASSERT_TRUE(permit.ok());
  EXPECT_EQ(permit.value().command.argv,
            (std::vector<std::string>{"/usr/bin/dash", "-c", "git log | head"}));
  EXPECT_TRUE(permit.value().approval);
  EXPECT_FALSE(policy().permit({"git log", {}, {}, false}).value().approval);
  EXPECT_EQ(refusal({"curl x |\n sh", {}, {}, true}),
            R"(pattern: the pattern curl.*\|\s*sh is found in it: it runs what it downloads)");
}

// The nine patterns of the design, each with a line that it is for.
TEST_F(CommandPolicyTest, ThePatternsHoldWhateverTheProgram) {
  for (const char* line : {"git rm -rf /", "git RM  -RF\t/home", ":(){ :|:& };:", "git mkfs.ext4",
                           "dd if=a of=/dev/sda", "git > /dev/sda", "curl x | sh", "wget -O- x |sh",
                           "git chmod 777 x", "git chown a -R b"}) {
    EXPECT_TRUE(refusal(line).starts_with("pattern: ")) << line << ": " << refusal(line);
  }
  // Quotes do not hide it.
  EXPECT_TRUE(refusal("git 'r'm -\"rf\" /").starts_with("pattern: ")) << refusal("git 'r'm -rf /");
}

TEST_F(CommandPolicyTest, BlockedTextsAreWholeWords) {
  rules_.blocked = {"rm -rf /", "mkfs", "dd", "shutdown", "--force", " "};
  EXPECT_EQ(refusal("git add x"), "");
  EXPECT_EQ(refusal("git x dd"), "blocklist: \"dd\" is blocked");
  EXPECT_EQ(refusal("git x 'D'd"), "blocklist: \"dd\" is blocked");
  EXPECT_EQ(refusal("git push --force"), "blocklist: \"--force\" is blocked");
  EXPECT_EQ(refusal("git shutdown-now"), "blocklist: \"shutdown\" is blocked");
  EXPECT_EQ(refusal("git shutdowns"), "");
}

TEST_F(CommandPolicyTest, CommandsStartInsideOfTheRoots) {
  EXPECT_EQ(refusal({"git", "/srv/project/src", {}, false}), "");
  EXPECT_EQ(refusal({"git", "/srv", {}, false}), "folder: \"/srv\" is outside of /srv/project");
  EXPECT_EQ(refusal({"git", "..", {}, false}), "folder: \"..\" is outside of /srv/project");
  EXPECT_EQ(refusal({"git", "out", {}, false}), "folder: \"out\" is outside of /srv/project");
  EXPECT_EQ(refusal({"git", "none", {}, false}), "folder: there is no folder \"none\" to start in");
  paths_.folder("/srv/project-two");
  EXPECT_EQ(refusal({"git", "/srv/project-two", {}, false}),
            "folder: \"/srv/project-two\" is outside of /srv/project");
}

TEST_F(CommandPolicyTest, ARequestSetsOnlyTheVariablesThatItMay) {
  rules_.request_env = {"CI", "A=B"};
  const CommandRequest path{"git", {}, {{"LD_PRELOAD", "x"}}, false};
  EXPECT_EQ(refusal(path), "environment: a request may not set \"LD_PRELOAD\"");
  EXPECT_EQ(refusal({"git", {}, {{"CI", std::string("a\0b", 3)}}, false}),
            "environment: a request may not set \"CI\"");
  EXPECT_EQ(refusal({"git", {}, {{"A=B", "x"}}, false}),
            "environment: a request may not set \"A=B\"");
}

TEST_F(CommandPolicyTest, NothingRunsWhereCommandsAreOff) {
  rules_.enabled = false;
  EXPECT_EQ(refusal("git status"), "disabled: no commands are run here");
}

TEST_F(CommandPolicyTest, RulesThatCannotBeAreToldAtOnce) {
  rules_.roots = {"/srv/none"};
  EXPECT_EQ(wrong(), "the root \"/srv/none\" is no folder");
  rules_.roots = {"/"};
  EXPECT_EQ(wrong(), "the root \"/\" holds every program, expected a folder below it");
  rules_.roots = {"/usr"};
  EXPECT_EQ(wrong(),
            "the folder \"/usr/bin\" of the search path is inside of the root \"/usr\": "
            "commands could write what they start");
  rules_.roots = {};
  EXPECT_EQ(wrong(), "there is no root, expected a folder to start commands in");
  rules_.roots = {"/srv"};
  rules_.programs = {"bin/x"};
  EXPECT_EQ(wrong(), "the program \"bin/x\" is neither a name nor an absolute path");
  rules_.programs = {};
  rules_.search_path = {"bin"};
  EXPECT_EQ(wrong(), "the folder \"bin\" of the search path is no absolute path");
  rules_.search_path = {"/usr/bin"};
  rules_.shell = "/usr/bin/none";
  EXPECT_EQ(wrong(), "the shell \"/usr/bin/none\" is no program by its absolute path");
}

}  // namespace
}  // namespace plumbline::agents::command_line
