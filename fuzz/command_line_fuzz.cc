// Any bytes as a command line: what is split is what bash splits it into, word by word, and quoted
// again it is the same words.
//
// One bash answers for all of them. A line stands behind the name of a function that says its
// words, so that nothing is started; PATH is empty, and what ends or changes that bash is no
// builtin of it.

#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/command_line/remote/remote_desk.h"
#include "core/agents/command_line/rules/disguises.h"
#include "core/agents/command_line/rules/git_words.h"
#include "core/agents/command_line/rules/words.h"
#include "core/base/check.h"

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

class Bash {
 public:
  Bash() {
    int in[2];
    int out[2];
    check(::pipe(in) == 0 && ::pipe(out) == 0, "no pipes");
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      for (const int fd : {in[0], in[1], out[0], out[1]}) ::close(fd);
      char path[] = "PATH=/nonexistent";
      char locale[] = "LC_ALL=C.UTF-8";
      char* const env[] = {path, locale, nullptr};
      ::execle("/bin/bash", "bash", "--norc", "--noprofile", "-c", kScript, nullptr, env);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    in_ = in[1];
    out_ = out[0];
  }

  std::vector<std::string> words(std::string line) {
    line += '\0';
    check(::write(in_, line.data(), line.size()) == static_cast<ssize_t>(line.size()),
          "bash takes no line");
    std::vector<std::string> out;
    std::string word;
    for (char c = 0; ::read(out_, &c, 1) == 1;) {
      if (c != '\0') {
        word += c;
      } else if (word == "\1") {
        return out;
      } else {
        out.push_back(std::move(word));
        word.clear();
      }
    }
    check(false, "bash has ended");
    return out;
  }

 private:
  int in_ = -1;
  int out_ = -1;
};

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
  static const bool kHasBash = ::access("/bin/bash", X_OK) == 0;
  if (!kHasBash) return 0;
  static Bash bash;
  check(bash.words(line) == words, "bash splits it otherwise");
  return 0;
}
