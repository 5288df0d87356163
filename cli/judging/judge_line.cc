#include "cli/judging/judge_line.h"

#include <chrono>
#include <string>

#include "core/os/terminal.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr int kTerminal = 2;
constexpr Duration kLinePause = std::chrono::milliseconds(100);
constexpr std::size_t kLineColumns = 80;
// Before so many are done nobody knows how long the rest takes.
constexpr std::size_t kDoneLeast = 10;

}  // namespace

JudgeLine::JudgeLine(Host& host, const Loop& clock)
    : host_(host), clock_(clock), shown_(os::is_terminal(kTerminal)) {}

void JudgeLine::show(std::size_t done, std::size_t all, std::string_view doing) {
  if (!shown_) return;
  const Instant now = clock_.now();
  if (done == 0) begin_ = now;
  if (now < next_) return;
  next_ = now + kLinePause;
  written_ = true;
  std::string text = std::to_string(done) + " of " + std::to_string(all) + " checks";
  if (done >= kDoneLeast) {
    const double each = static_cast<double>((now - begin_).count()) / static_cast<double>(done);
    text += ", about " + reports::duration_text(each * static_cast<double>(all - done) / 1e6) +
            " to go";
  }
  text += ": " + std::string(doing);
  const std::size_t columns = os::terminal_columns(kTerminal).value_or(kLineColumns);
  host_.tell("\r\033[K" + reports::clip(reports::one_line(text), columns - 1));
}

void JudgeLine::wipe() {
  if (written_) host_.tell("\r\033[K");
  written_ = false;
}

}  // namespace plumbline::cli
