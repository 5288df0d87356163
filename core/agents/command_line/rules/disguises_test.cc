#include "core/agents/command_line/rules/disguises.h"

#include <map>
#include <ostream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/agents/command_line/rules/command_policy.h"
#include "core/agents/command_line/rules/git_words.h"
#include "fakes/world/sim_paths.h"

namespace plumbline::agents::command_line {
namespace {

// Form is a line that runs more than its program, and one like it that does not.
struct Form {
  const char* line;
  const char* harmless;
  bool shell = false;  // It is refused where no shell is allowed.
};

void PrintTo(const Form& form, std::ostream* out) { *out << form.line; }

constexpr Form kForms[] = {
    {"git -c alias.x=!id x", "git -c color.ui=never status", true},
    {"git -c core.pager=id log", "git -c core.abbrev=7 log", true},
    {"git -c Core.FsMonitor=./x status", "git status --short", true},
    {"git -c filter.x.clean=id add a", "git add a", true},
    {"git -c include.path=/tmp/x log", "git -c user.name=ada commit -m x", true},
    {"git --config-env=core.sshCommand=X fetch", "git fetch origin", true},
    {"git --exec-path=/tmp/x log", "git --exec-path", true},
    {"git --git-dir=/tmp/x log", "git -C src log"},
    {"git --work-tree /tmp diff", "git diff HEAD~1"},
    {"git x", "git show"},
    {"git st", "git --no-pager status"},
    {"git bisect run make", "git cherry-pick a"},
    {"git submodule foreach id", "git describe --tags"},
    {"git rebase --exec id main", "git merge main"},
    {"git filter-branch --tree-filter id", "git rev-list main"},
    {"git difftool -x id", "git blame a.c"},
    {"git grep -Oid x", "git grep -n x", true},
    {"git grep --open-files-in-pager=id x", "git grep --count x", true},
    {"git clone -u id x y", "git clone https://example.org/x y", true},
    {"git clone --template=/tmp/x a b", "git clone --depth 1 https://example.org/x", true},
    {"git clone -c filter.x.smudge=id a b", "git clone -b main https://example.org/x", true},
    {"git fetch --upload-pack=id x", "git fetch --tags", true},
    {"git ls-remote --upload-pa=id x", "git ls-remote origin", true},
    {"git push --receive-pack id x", "git push -u origin main", true},
    {"git archive --remote=x --exec=id HEAD", "git archive HEAD", true},
    {"git init --template=/tmp/x", "git init -q"},
    {"git config --global alias.x !id", "git config user.name"},
    {"git log --help", "git log --oneline -n 3"},
    {"npm test", "npm ls"},
    {"npm install left-pad", "npm view left-pad"},
    {"npm run build", "npm view left-pad --json"},
    {"npm view github:a/b", "npm view @a/b"},
    {"npm view x --git=./x", "npm list --depth=0"},
    {"awk {print>\"/srv/x\"}", "awk $1>5 x"},
    {"curl --unix-socket /run/docker.sock http://x/", "curl -I https://example.org"},
    {"pip list --python ./x", "pip list --outdated"},
    {"git diff --output=/srv/x", "git diff --stat"},
    {"git format-patch -o /srv x", "git format-patch x"},
    {"git apply --unsafe-paths x", "git apply x"},
    {"gh pr view --web", "gh pr view 1"},
    {"mutt -e x", "mutt --version"},
    {"env rbash x", "env --version", true},
    {"cargo --version", "ls --version"},
    {"yarn --version", "ls --help"},
    {"npm exec -c id", "npm --version", true},
    {"npm x -- id", "npm --help"},
    {"npx cowsay", "npx --version"},
    {"yarn dlx x", "ls"},
    {"pnpm install", "ls -l"},
    {"pip install x", "pip list"},
    {"pip3.11 download x", "pip3.11 show x"},
    {"cargo run", "ls -a"},
    {"go run .", "go version"},
    {"make", "make --version"},
    {"pytest -q", "pytest --version"},
    {"python3.11 -c 1", "python3.11 --version"},
    {"perl -e 1", "perl --version"},
    {"node x.js", "node --version"},
    {"ruby -e 1", "ruby --version"},
    {"php -r 1", "php --version"},
    {"find . -exec id ;", "find . -name x"},
    {"find . -execdir sh -c id ;", "find . -type f", true},
    {"find . -ok id ;", "find . -newer x"},
    {"find . -fprintf /srv/x %p", "find . -printf %p"},
    {"tar -xf a.tar --to-command=id", "tar -xf a.tar", true},
    {"tar --checkpoint=1 --checkpoint-action=exec=id -cf a b", "tar -tvf a", true},
    {"tar --checkpoint=1 --checkpoint-act=exec=id -cf a b", "tar --list -f a", true},
    {"tar -I id -xf a", "tar -xzf a"},
    {"tar -xIid -f a", "tar -xfImage.tar"},
    {"tar cIf id a b", "tar cf a b"},
    {"tar --use-compress=id -xf a", "tar --gzip -xf a"},
    {"tar -xf host:a", "tar -xf a b"},
    {"awk BEGIN{system(\"id\")}", "awk {print$1} x"},
    {"awk BEGIN{print|\"id\"}", "awk -F, {print$2} x"},
    {"awk BEGIN{\"id\"|getline}", "awk NR==3 x"},
    {"awk -f x", "awk -v a=1 {print}"},
    {"sed 1eid x", "sed -n 1,5p x"},
    {"sed s/a/id/e x", "sed s/a/b/g x"},
    {"sed s/a/b/w/srv/x x", "sed -i s/a/b/ x"},
    {"sed w/srv/x y", "sed /x/d y"},
    {"sed -f x y", "sed -e $= y"},
    {"xargs id", "xargs --version"},
    {"xargs sh -c id", "xargs --help", true},
    {"env id", "env --version"},
    {"env sh -c id", "env --help", true},
    {"nice id", "nice --version"},
    {"timeout 5 id", "timeout --version"},
    {"watch id", "watch --version"},
    {"sudo id", "sudo --version"},
    {"strace id", "strace --version"},
    {"gdb -ex x", "gdb --version"},
    {"vim -c x", "vim --version"},
    {"less +!id x", "less x"},
    {"man -P id ls", "man ls"},
    {"ssh -oProxyCommand=id h", "ssh --help"},
    {"scp -S id a b", "scp --help"},
    {"rsync -e id a b", "rsync -av a b"},
    {"rsync host:a b", "rsync --checksum a b"},
    {"docker run -v /:/host x", "docker ps -a"},
    {"docker exec x id", "docker logs x"},
    {"kubectl exec x -- id", "kubectl get pods -A"},
    {"kubectl --kubeconfig=x get pods", "kubectl describe pod x"},
    {"curl -K x", "curl -XPOST https://example.org"},
    {"curl -so /srv/x https://example.org", "curl -s https://example.org"},
    {"curl --outp x https://example.org", "curl -H X-O:1 https://example.org"},
    {"wget --use-askpass=id x", "wget -q https://example.org/x"},
    {"wget -e use_askpass=id x", "wget -nv https://example.org/x"},
    {"wget -O/srv/x https://example.org", "wget --spider https://example.org"},
    {"zip -TT id -T a b", "zip -r a b", true},
    {"zip a b --unzip-command=id", "zip -9 a b", true},
    {"sqlite3 a .shell", "sqlite3 a SELECT(1)"},
    {"sqlite3 a SELECT(load_extension(1))", "sqlite3 -json a SELECT(2)"},
    {"sort --compress-program=id x", "sort -u x"},
    {"split --filter=id x", "split -b 5 x", true},
    {"gcc -wrapper id x.c", "gcc -c x.c"},
    {"openssl x -engine y", "openssl version"},
    {"psql -c \\!id", "psql -l"},
    {"systemctl -H h status x", "systemctl status x"},
    {"ip netns exec x id", "ip addr"},
    {"hg status", "hg --version"},
    {"gh alias set x y", "gh pr list"},
    {"crontab x", "crontab --version"},
    {"apt install x", "apt list --installed"},
    {"terraform apply", "terraform version"},
};

class DisguisesTest : public testing::TestWithParam<Form> {
 protected:
  DisguisesTest() {
    paths_.program("/usr/bin/dash");
    paths_.folder("/srv/project/src");
    rules_.roots = {"/srv/project"};
    rules_.approval = false;
  }

  // permit has the program of `line` be there and listed; the line needs no quotes.
  Result<Permit, Refusal> permit(const std::string& line, bool shell) {
    const std::string name = line.substr(0, line.find(' '));
    paths_.program("/usr/bin/" + name);
    rules_.programs = {name};
    rules_.shell = shell ? "/usr/bin/dash" : "";
    std::string quoted;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      quoted += (quoted.empty() ? "'" : " '") + line.substr(at, end - at) + "'";
      at = end + 1;
    }
    return CommandPolicy::make(rules_, paths_).value().permit({quoted, {}, {}, false});
  }

  fakes::SimPaths paths_;
  CommandRules rules_;
};

TEST_P(DisguisesTest, NeedsAPersonAndItsTwinNone) {
  const Form& form = GetParam();
  const auto with_shell = permit(form.line, true);
  ASSERT_TRUE(with_shell.ok()) << with_shell.error().why;
  EXPECT_TRUE(with_shell.value().approval);
  EXPECT_FALSE(with_shell.value().runs.empty());
  const auto without = permit(form.line, false);
  EXPECT_EQ(!without.ok(), form.shell) << with_shell.value().runs;
  if (!without.ok()) {
    EXPECT_EQ(without.error().rule, "shell") << without.error().why;
  }
  const auto harmless = permit(form.harmless, false);
  ASSERT_TRUE(harmless.ok()) << harmless.error().why;
  EXPECT_FALSE(harmless.value().approval) << form.harmless << ": " << harmless.value().runs;
}

INSTANTIATE_TEST_SUITE_P(All, DisguisesTest, testing::ValuesIn(kForms));

using DisguiseRulesTest = DisguisesTest;

TEST_F(DisguiseRulesTest, WhatMayRunAnythingIsTakenAsItIs) {
  rules_.runs_anything = {"npm", "/usr/bin/git"};
  EXPECT_FALSE(permit("npm test", false).value().approval);
  const auto git = permit("git x", false);
  EXPECT_FALSE(git.value().approval);
  EXPECT_FALSE(git.value().command.env.contains("GIT_EDITOR"));
  EXPECT_TRUE(permit("npx x", false).value().approval);
}

TEST_F(DisguiseRulesTest, AnOptionOfGitThatLacksItsValueNamesNoCommand) {
  for (const char* line : {"git -C", "git -c", "git --namespace", "git -C src --attr-source"}) {
    const auto permitted = permit(line, false);
    ASSERT_TRUE(permitted.ok()) << line;
    EXPECT_EQ(permitted.value().runs, "") << line;
  }
}

TEST_F(DisguiseRulesTest, AProgramIsKnownByWhatItsNameLeadsTo) {
  paths_.program("/usr/bin/vim.basic");
  paths_.link("/usr/bin/editor", "vim.basic");
  rules_.programs = {"editor"};
  rules_.shell = "/usr/bin/dash";
  const auto found =
      CommandPolicy::make(rules_, paths_).value().permit({"editor x", {}, {}, false});
  EXPECT_EQ(found.value().runs, "editor is an editor, which starts a shell when it is told");
}

TEST_F(DisguiseRulesTest, AVariableOfTheRequestMayRunAnythingToo) {
  rules_.request_env = {"GIT_PAGER", "CI", "NODE_OPTIONS"};
  paths_.program("/usr/bin/ls");
  rules_.programs = {"ls"};
  const CommandPolicy policy = CommandPolicy::make(rules_, paths_).value();
  EXPECT_FALSE(policy.permit({"ls", {}, {{"CI", "1"}}, false}).value().approval);
  const auto found = policy.permit({"ls", {}, {{"NODE_OPTIONS", "--require=./x"}}, false});
  EXPECT_TRUE(found.value().approval);
  EXPECT_EQ(found.value().runs, "the variable NODE_OPTIONS may have programs start others");
}

TEST_F(DisguiseRulesTest, TheSettingsOfARepositoryAreRead) {
  const std::map<std::string, bool> texts = {
      {"[core]\n\tbare = false\n[remote \"origin\"]\n\turl = x\n[user]\nname=ada\n", false},
      {"[filter \"x\"]\n\tclean = id\n", true},
      {"[Filter.x] clean=id\n", true},
      {"[diff \"a ] b\"]\n  textconv = id\n", true},
      {"[core]\n\tx = a\\\n[user]\n\tname = y\n", true},
      {"[include]\r\n\tpath = x\r\n", true},
      {"# [filter \"x\"]\n; clean = id\n[core]\n", false},
      {"[filter \"x\"\n", true},
      {"[merge \"x\"]\ndriver = id", true},
      {"[credential \"https://example.org\"]\nhelper = !id", true}};
  for (const auto& [text, starts] : texts) {
    paths_.file("/srv/project/.git/config", text);
    EXPECT_EQ(permit("git status", false).value().approval, starts) << text;
    EXPECT_EQ(permit("git -C src status", false).value().approval, starts) << text;
  }
  EXPECT_EQ(starting_setting("[filter \"X\"]\nClean = id"), "filter.x.clean");
}

TEST_F(DisguiseRulesTest, SettingsAreFoundWhereGitFindsThem) {
  paths_.file("/srv/project/.git/config", "");
  paths_.file("/srv/project/.git/worktrees/w/commondir", "../..\n");
  paths_.file("/srv/project/src/.git", "gitdir: /srv/project/.git/worktrees/w\n");
  EXPECT_FALSE(permit("git -C src status", false).value().approval);
  paths_.file("/srv/project/.git/worktrees/w/config.worktree", "[filter \"x\"]\nclean=id\n");
  EXPECT_TRUE(permit("git -C src status", false).value().approval);
  EXPECT_FALSE(permit("git status", false).value().approval);
  paths_.file("/srv/project/.gitmodules");
  EXPECT_EQ(permit("git status", false).value().runs,
            "/srv/project/.gitmodules: submodules have settings of their own");
}

}  // namespace
}  // namespace plumbline::agents::command_line
