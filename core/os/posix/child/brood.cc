#include "core/os/posix/child/brood.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/base/time.h"

namespace plumbline::os {

namespace {

constexpr Duration kBroodEndMax = std::chrono::seconds(2);
constexpr Duration kBroodPause = std::chrono::milliseconds(1);

struct State {
  std::mutex mutex;
  int children = 0;
  bool adopts = false;
  std::set<pid_t> inherited;  // Children from before adopt_orphans().
};

State& state() {
  static State one;
  return one;
}

std::optional<pid_t> number_of(std::string_view text) {
  pid_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// is_ours returns whether we are the parent, as "7 (any name) S 1 ..." says.
bool is_ours(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return false;
  const std::size_t begin = name_end + 4;
  if (begin >= text.size()) return false;
  return number_of(std::string_view(text).substr(begin, text.find(' ', begin) - begin)) == getpid();
}

std::set<pid_t> children_of_ours() {
  std::set<pid_t> children;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator("/proc", error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const auto number = number_of(entry->path().filename().native());
    if (number && is_ours(entry->path())) children.insert(*number);
  }
  return children;
}

bool has_children() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

// end_orphans goes on until none is left: what one of them leaves behind falls to us in turn.
void end_orphans(const std::set<pid_t>& spared) {
  for (Duration waited{}; has_children() && waited < kBroodEndMax; waited += kBroodPause) {
    bool found = false;
    for (const pid_t child : children_of_ours()) {
      if (spared.contains(child)) continue;
      found = true;
      kill(child, SIGKILL);
      siginfo_t info{};
      waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG);
    }
    if (!found) return;
    std::this_thread::sleep_for(kBroodPause);
  }
}

}  // namespace

void Brood::adopt_orphans() {
  const std::lock_guard lock(state().mutex);
  if (state().adopts) return;
  state().adopts = true;
  if (has_children()) state().inherited = children_of_ours();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Brood::Brood() {
  const std::lock_guard lock(state().mutex);
  ++state().children;
}

Brood::~Brood() {
  const std::lock_guard lock(state().mutex);
  if (--state().children == 0 && state().adopts) end_orphans(state().inherited);
}

}  // namespace plumbline::os
