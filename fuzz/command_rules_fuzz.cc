// Any bytes as a command line that somebody wants to run here: what the rules permit, bash would
// run as one simple command of that program with exactly these words. No pipe, list, subshell,
// redirection, expansion or variable is left for it to act on.
//
// The programs are functions there. Each says its words, and what else a line has done to it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/agents/command_line/rules/command_policy.h"
#include "core/base/check.h"
#include "fakes/world/sim_paths.h"
#include "fuzz/bash.h"

namespace {

using plumbline::check;
namespace cl = plumbline::agents::command_line;

// \2 stands for a command; \3 that it is in a subshell or has other streams than it was given.
constexpr const char* kScript = R"(
said() {
  builtin printf '\2\0'
  builtin printf '%s\0' "$@"
  [[ $BASH_SUBSHELL == 0 && -z $A && /dev/fd/0 -ef /dev/null && /dev/fd/2 -ef /dev/null ]] ||
    builtin printf '\3\0'
}
for name in git npm awk printf /usr/bin/git /bin/git /usr/bin/npm /usr/bin/awk /usr/bin/printf \
            /bin/npm /bin/awk /bin/printf /opt/tool/run; do
  builtin eval "function $name { said $name \"\$@\"; }"
done
enable -n kill exec exit cd source . trap set unset enable command
ulimit -f 0
a=expanded HOME=/home/somebody
while IFS= builtin read -r -d '' line; do
  A=
  builtin eval "$line" </dev/null 2>/dev/null
  builtin printf '\1\0'
done
)";

// Rules are those of a machine with a few programs, each of which may run anything.
class Rules {
 public:
  Rules() {
    for (const char* name : {"git", "npm", "printf", "mawk", "dash", "rm"}) {
      paths_.program(std::string("/usr/bin/") + name);
    }
    paths_.link("/usr/bin/awk", "mawk");
    paths_.link("/usr/bin/sh", "dash");
    paths_.link("/bin", "usr/bin");
    paths_.program("/opt/tool/run");
    paths_.program("/srv/git");
    rules_.programs = {"git", "npm", "awk", "printf", "/opt/tool/run"};
    rules_.roots = {"/srv"};
  }

  cl::CommandPolicy policy(bool runs_anything) {
    cl::CommandRules rules = rules_;
    if (runs_anything) rules.runs_anything = rules.programs;
    auto made = cl::CommandPolicy::make(rules, paths_);
    check(made.ok(), "good rules");
    return std::move(made).value();
  }

 private:
  plumbline::fakes::SimPaths paths_;
  cl::CommandRules rules_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Rules rules;
  static const cl::CommandPolicy strict = rules.policy(false);
  static const cl::CommandPolicy free = rules.policy(true);
  const std::string given(reinterpret_cast<const char*>(data), size);
  for (const std::string& line : {given, "git " + given}) {
    const auto permit = free.permit({line, {}, {}, false});
    const auto guarded = strict.permit({line, {}, {}, false});
    // Who may run anything is asked less, never more.
    check(permit.ok() || !guarded.ok(), "stricter rules permit more");
    if (!permit.ok()) continue;
    const std::vector<std::string>& words = permit.value().command.argv;
    check(!guarded.ok() || guarded.value().command.argv == words, "one line is two commands");
    static const bool kHasBash = plumbline::fuzzing::Bash::is_here();
    if (!kHasBash) continue;
    static plumbline::fuzzing::Bash bash(kScript);
    std::vector<std::string> expected = {"\2"};
    expected.insert(expected.end(), words.begin(), words.end());
    check(bash.words(line) == expected, "bash would run something else");
  }
  return 0;
}
