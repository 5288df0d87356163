#include "cli/judging/judge_line.h"

#include <chrono>
#include <string>

#include "core/base/wait.h"
#include "core/os/terminal.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr int kTerminal = 2;
constexpr Duration kLinePause = std::chrono::milliseconds(200);
constexpr Duration kPlainLinePause = std::chrono::seconds(1);
constexpr std::size_t kLineColumns = 80;
// Before so many are done nobody knows how long the rest takes.
constexpr std::size_t kDoneLeast = 10;

}  // namespace

JudgeLine::JudgeLine(Host& host, Loop& loop, bool always)
    : host_(host),
      loop_(loop),
      terminal_(os::is_terminal(kTerminal)),
      shown_(terminal_ || always) {}

void JudgeLine::show(std::size_t done, std::size_t all, std::string_view doing) {
  if (all_ == 0) begin_ = loop_.now();
  done_ = done;
  all_ = all;
  doing_ = doing;
}

Task<void> JudgeLine::keep_moving() {
  while (shown_) {
    const Duration pause = terminal_ ? kLinePause : kPlainLinePause;
    co_await Sleep(loop_, after(loop_.now(), pause));
    if (all_ != 0) write();
  }
}

std::string JudgeLine::state() const {
  std::string text = std::to_string(done_) + " of " + std::to_string(all_) + " checks";
  if (done_ >= kDoneLeast) {
    const double took = static_cast<double>((loop_.now() - begin_).count()) / 1e6;
    const double left = took / static_cast<double>(done_) * static_cast<double>(all_ - done_);
    text += ", about " + reports::duration_text(left) + " to go";
  }
  return reports::one_line(text + ": " + doing_);
}

void JudgeLine::write() {
  if (!terminal_) return host_.tell_line(state());
  written_ = true;
  const std::size_t columns = os::terminal_columns(kTerminal).value_or(kLineColumns);
  host_.tell("\r\033[K" + reports::clip(state(), columns - 1));
}

void JudgeLine::wipe() {
  if (written_) host_.tell("\r\033[K");
  written_ = false;
}

void JudgeLine::end() {
  wipe();
  all_ = 0;
}

}  // namespace plumbline::cli
