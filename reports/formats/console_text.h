// What the console writers share: colours, wrapped lines, the wire log below a result.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/report.h"
#include "reports/writer.h"

namespace plumbline::reports {

inline constexpr std::string_view kBold = "1";
inline constexpr std::string_view kDim = "2";

// color_of returns the ANSI code of a verdict.
std::string_view color_of(Verdict verdict);

// label returns the verdict as the console shows it. A failure is loud without colour too.
std::string_view label(Verdict verdict);

// ConsoleText is console output in the making.
class ConsoleText {
 public:
  explicit ConsoleText(const ConsoleOptions& options);

  std::size_t columns() const { return columns_; }
  // take returns what was written. No line of it is obeyed by a log that it is printed to.
  std::string take();

  // paint returns `text` in the ANSI colour `code`, or as it is without colours.
  std::string paint(std::string_view code, std::string_view text) const;

  void add(std::string_view text) { out_ += text; }

  std::size_t lines_so_far() const {
    return static_cast<std::size_t>(std::ranges::count(out_, '\n'));
  }

  // heading writes what ran, whole: version, command, revision and seeds, and what was judged.
  void heading(const Report& report);

  // lines writes `text` wrapped behind `indent`; lines after the first are indented alike.
  void lines(std::string_view indent, std::string_view text);

  // evidence writes the last lines of a wire log behind `indent`, one a line.
  void evidence(std::string_view indent, const std::vector<Evidence>& evidence);

  // reproduce writes the command that shows a result again, whole, however long; nothing without.
  void reproduce(std::string_view indent, const CheckResult& result);

 private:
  const ConsoleOptions& options_;
  std::size_t columns_;
  std::string out_;
};

// write_brief_console is write_console for a report of checks, in one screen; write_checks_console
// tells all of it.
std::string write_brief_console(const Report& report, const ConsoleOptions& options);
std::string write_checks_console(const Report& report, const ConsoleOptions& options);

// write_lint_console is write_console for a report of `lint`.
std::string write_lint_console(const Report& report, const ConsoleOptions& options);

}  // namespace plumbline::reports
