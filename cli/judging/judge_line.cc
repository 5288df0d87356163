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
constexpr std::size_t kLineColumns = 80;
// Before so many are done nobody knows how long the rest takes.
constexpr std::size_t kDoneLeast = 10;

}  // namespace

JudgeLine::JudgeLine(Host& host, Loop& loop)
    : host_(host), loop_(loop), shown_(os::is_terminal(kTerminal)) {}

void JudgeLine::show(std::size_t done, std::size_t all, std::string_view doing) {
  if (all_ == 0) begin_ = loop_.now();
  done_ = done;
  all_ = all;
  doing_ = doing;
}

Task<void> JudgeLine::keep_moving() {
  while (shown_) {
    co_await Sleep(loop_, after(loop_.now(), kLinePause));
    if (all_ != 0) write();
  }
}

void JudgeLine::write() {
  written_ = true;
  std::string text = std::to_string(done_) + " of " + std::to_string(all_) + " checks";
  if (done_ >= kDoneLeast) {
    const double took = static_cast<double>((loop_.now() - begin_).count()) / 1e6;
    const double left = took / static_cast<double>(done_) * static_cast<double>(all_ - done_);
    text += ", about " + reports::duration_text(left) + " to go";
  }
  const std::size_t columns = os::terminal_columns(kTerminal).value_or(kLineColumns);
  host_.tell("\r\033[K" + reports::clip(reports::one_line(text + ": " + doing_), columns - 1));
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
