// Any bytes as a command line: what is split is what bash splits it into, word by word, and quoted
// again it is the same words.
//
// One bash answers for all of them. A line stands behind the name of a function that says its
// words, so that nothing is started; PATH is empty, and what ends or changes that bash is no
// builtin of it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/agents/command_line/remote/remote_desk.h"
#include "core/agents/command_line/rules/disguises.h"
#include "core/agents/command_line/rules/git_words.h"
#include "core/agents/command_line/rules/words.h"
#include "core/base/check.h"
#include "fuzz/bash.h"

namespace {

using plumbline::check;
namespace cl = plumbline::agents::command_line;

// Each word ends with a NUL, and a line with \1: no word that is split holds one.
constexpr const char* kScript = R"(
said() { builtin printf '%s\0' "$@"; }
enable -n kill exec exit cd source . trap set unset enable command
ulimit -f 0
while IFS= builtin read -r -d '' line; do
  builtin eval "said $line" </dev/null 2>/dev/null
  builtin printf '\1\0'
done
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string line(reinterpret_cast<const char*>(data), size);
  const std::string setting = cl::starting_setting(line);
  check(setting.size() <= size + 2, "a setting is longer than its file");
  const auto split = cl::split_words(line);
  if (!split.ok()) return 0;
  const std::vector<std::string>& words = split.value();
  const auto again = cl::split_words(cl::quoted_line(words));
  check(again.ok() && again.value() == words, "words that are quoted are others");
  [[maybe_unused]] const auto found =
      cl::find_disguise(cl::disguise_table(), {cl::base_of(words.front())}, words);
  static const bool kHasBash = plumbline::fuzzing::Bash::is_here();
  if (!kHasBash) return 0;
  static plumbline::fuzzing::Bash bash(kScript);
  check(bash.words(line) == words, "bash splits it otherwise");
  return 0;
}
