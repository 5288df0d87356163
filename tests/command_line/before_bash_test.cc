// What the rules allow, bash runs as exactly the same words of the same program, and nothing else.
//
// Lines are drawn, those that are allowed go to one bash by the thousand. There every program that
// may run is a function that says its words, so that nothing is started, whatever the rules let
// through: PATH is empty, files cannot grow, and the folder is a temporary one.

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/command_line/rules/command_policy.h"
#include "core/os/child/real_spawner.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"
#include "fakes/world/sim_paths.h"
#include "tests/command_line/bash_lines_fixture.h"

namespace plumbline::agents::command_line {
namespace {

using std::chrono::seconds;

constexpr std::size_t kBatch = 20'000;

// Each word ends with a NUL; \1 ends a command, \2 a line. No word that is allowed is one of them.
constexpr std::string_view kScript = R"(
for name in git npm awk printf /usr/bin/git /bin/git /usr/bin/npm /usr/bin/awk /usr/bin/printf \
            /bin/npm /bin/awk /bin/printf /opt/tool/run; do
  builtin eval "function $name { said $name \"\$@\"; }"
done
said() { builtin printf '%s\0' "$@" $'\1'; }
builtin ulimit -f 0
a=expanded HOME=/home/somebody
builtin mapfile -d '' -t lines < lines
for line in "${lines[@]}"; do
  builtin eval "$line" </dev/null 2>/dev/null
  builtin printf '\2\0'
done
)";

std::size_t lines_to_draw() {
  const char* const asked = std::getenv("PLUMBLINE_COMMAND_LINES");
  return asked == nullptr ? 20'000 : std::strtoull(asked, nullptr, 10);
}

class BeforeBashTest : public testing::Test {
 protected:
  BeforeBashTest() {
    for (const char* name : {"git", "npm", "printf", "mawk", "dash", "rm"}) {
      paths_.program(std::string("/usr/bin/") + name);
    }
    paths_.link("/usr/bin/awk", "mawk");
    paths_.link("/usr/bin/sh", "dash");
    paths_.link("/bin", "usr/bin");
    paths_.program("/opt/tool/run");
    paths_.program("/srv/git");
    rules_.programs = {"git", "npm", "awk", "printf", "/opt/tool/run"};
    rules_.runs_anything = rules_.programs;
    rules_.roots = {"/srv"};
  }

  // The words that bash says for `lines`, those of a line as one text.
  std::vector<std::string> ask_bash(const std::vector<std::string>& lines) {
    std::ofstream script(folder_.path() + "/script");
    script << kScript;
    script.close();
    for (const char* name : {"a", "ab", "x.c"}) std::ofstream(folder_.path() + "/" + name) << "x";
    std::ofstream file(folder_.path() + "/lines", std::ios::binary);
    for (const std::string& line : lines) file << line << '\0';
    file.close();
    net::Command bash({"bash", "--norc", "--noprofile", "script"});
    bash.program = "/bin/bash";
    bash.env = {{"PATH", "/nonexistent"}, {"LC_ALL", "C.UTF-8"}};
    bash.inherits = false;
    bash.cwd = folder_.path();
    auto child = spawner_.spawn(bash);
    EXPECT_TRUE(child.ok());
    os::RecordingReader said;
    child.value()->stdio().start(said);
    child.value()->stdio().close_write();
    EXPECT_TRUE(os::run_within(loop_, seconds(300), [&said] { return said.ended; }));
    std::vector<std::string> answers;
    constexpr std::string_view kEnd("\2\0", 2);
    for (std::size_t at = 0; at < said.bytes.size();) {
      const std::size_t end = std::min(said.bytes.find(kEnd, at), said.bytes.size());
      answers.push_back(said.bytes.substr(at, end - at));
      at = end + kEnd.size();
    }
    return answers;
  }

  void compare(const std::vector<std::string>& lines, const std::vector<std::string>& words) {
    const std::vector<std::string> answers = ask_bash(lines);
    ASSERT_EQ(answers.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      ASSERT_EQ(answers[i], words[i]) << "the line " << testing::PrintToString(lines[i]);
    }
  }

  os::RealLoop loop_;
  os::RealSpawner spawner_{loop_};
  os::TemporaryFolder folder_ = std::move(os::TemporaryFolder::make()).value();
  fakes::SimPaths paths_;
  CommandRules rules_;
};

TEST_F(BeforeBashTest, WhatIsAllowedIsWhatBashWouldHaveRun) {
  const Result<CommandPolicy> policy = CommandPolicy::make(rules_, paths_);
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  const std::set<std::string> may_run = {"/usr/bin/git", "/usr/bin/npm", "/usr/bin/mawk",
                                         "/usr/bin/printf", "/opt/tool/run"};
  Rng rng(2026);
  const std::size_t wanted = lines_to_draw();
  std::size_t allowed = 0;
  std::vector<std::string> lines;
  std::vector<std::string> words;
  for (std::size_t drawn = 1; drawn <= wanted; ++drawn) {
    std::string line = draw_line(rng);
    const Result<Permit, Refusal> permit = policy.value().permit({line, {}, {}, false});
    if (permit.ok()) {
      ++allowed;
      ASSERT_TRUE(may_run.contains(permit.value().real_program)) << line;
      std::string said;
      for (const std::string& word : permit.value().command.argv) said.append(word) += '\0';
      words.push_back(said.append("\1\0", 2));
      lines.push_back(std::move(line));
    }
    if (lines.size() < kBatch && drawn < wanted) continue;
    ASSERT_NO_FATAL_FAILURE(compare(lines, words));
    lines.clear();
    words.clear();
  }
  RecordProperty("allowed", static_cast<int>(allowed));
  EXPECT_GT(allowed, wanted / 4);
  EXPECT_LT(allowed, wanted * 3 / 4);
}

// The comparison itself finds lines that are more than their words.
TEST_F(BeforeBashTest, ALineThatIsMoreThanItsWordsIsSeen) {
  const std::vector<std::string> answers =
      ask_bash({"git a", "git *", "git a; git b", "git $a", "nobody", "git 'a'\\ b"});
  using namespace std::string_literals;
  const std::vector<std::string> expected = {"git\0a\0\1\0"s,
                                             "git\0a\0ab\0lines\0script\0x.c\0\1\0"s,
                                             "git\0a\0\1\0git\0b\0\1\0"s,
                                             "git\0expanded\0\1\0"s,
                                             ""s,
                                             "git\0a b\0\1\0"s};
  EXPECT_EQ(answers, expected);
}

}  // namespace
}  // namespace plumbline::agents::command_line
