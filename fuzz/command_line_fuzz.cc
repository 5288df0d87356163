// Any bytes as a command line: what is split is what bash splits it into, word by word, and quoted
// again it is the same words.
//
// One bash answers for all of them. A line stands behind the name of a function that says its
// words, so that nothing is started; PATH is empty, and what ends or changes that bash is no
// builtin of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agents/command_line/remote/remote_desk.h"
#include "core/agents/command_line/rules/disguises.h"
#include "core/agents/command_line/rules/git_words.h"
#include "core/agents/command_line/rules/words.h"
#include "core/base/check.h"
#include "core/os/child/real_paths.h"
#include "core/os/child/real_spawner.h"
#include "core/os/real_loop.h"

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

class Bash final : private plumbline::net::PipeReader {
 public:
  Bash() {
    plumbline::net::Command command({"bash", "--norc", "--noprofile", "-c", kScript});
    command.program = "/bin/bash";
    command.env = {{"PATH", "/nonexistent"}, {"LC_ALL", "C.UTF-8"}};
    command.inherits = false;
    auto child = spawner_.spawn(command);
    check(child.ok(), "bash cannot be started");
    child_ = std::move(child).value();
    child_->stdio().start(*this);
  }

  std::vector<std::string> words(std::string line) {
    said_.clear();
    child_->stdio().write(line + '\0');
    loop_.run_until([this] { return ended_ || said_.ends_with(kEnd); });
    check(!ended_, "bash has ended");
    std::vector<std::string> out;
    for (std::size_t at = 0; at < said_.size() - kEnd.size();) {
      const std::size_t end = said_.find('\0', at);
      out.push_back(said_.substr(at, end - at));
      at = end + 1;
    }
    return out;
  }

 private:
  static constexpr std::string_view kEnd = std::string_view("\1\0", 2);

  void on_bytes(std::string_view bytes) override { said_ += bytes; }
  void on_end(const plumbline::Error*) override { ended_ = true; }

  plumbline::os::RealLoop loop_;
  plumbline::os::RealSpawner spawner_{loop_};
  std::string said_;
  bool ended_ = false;
  std::unique_ptr<plumbline::net::Child> child_;  // Last: it calls the rest.
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
  static const bool kHasBash = plumbline::os::RealPaths().is_program("/bin/bash");
  if (!kHasBash) return 0;
  static Bash bash;
  check(bash.words(line) == words, "bash splits it otherwise");
  return 0;
}
