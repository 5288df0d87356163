#include "cli/host.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/terminal.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr int kStdout = 1;
constexpr int kStderr = 2;
constexpr std::size_t kLastLines = 12;  // Shown of a program's stderr: a stack of Node fits.

bool decide(When when, int fd) {
  if (when != When::kAuto) return when == When::kAlways;
  return os::is_terminal(fd);
}

// last_lines returns the last lines of `text` that are not blank, the first of them first.
std::vector<std::string_view> last_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < kLastLines) {
    const std::size_t end = text.rfind('\n');
    const std::string_view line = end == text.npos ? text : text.substr(end + 1);
    text = end == text.npos ? std::string_view() : text.substr(0, end);
    if (line.find_first_not_of(" \t\r") != line.npos) lines.push_back(line);
  }
  std::ranges::reverse(lines);
  return lines;
}

}  // namespace

void Host::hide_environment() { secrets_.add_variables(os::whole_environment()); }

void Host::out(std::string_view text) {
  if (out_failed_ != 0) return;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written) out_failed_ = errno;
}

void Host::tell(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void Host::tell_line(std::string_view text) {
  tell(reports::without_commands(reports::one_line(secrets_.redact(std::string(text)))) + "\n");
}

int Host::complain(const Error& error, int exit_status) {
  const std::string_view other =
      exit_status == kExitUsage ? "cli.other-input" : "cli.other-trouble";
  const std::string_view id = error.id.empty() ? other : error.id;
  tell_line("plumbline: " + error.message + " [" + std::string(id) + "]");
  return exit_status;
}

int Host::give_up(const Error& error, std::string_view last_words) {
  complain(error, kExitUnreachable);
  if (const KnownError* const known = known_error(error.id)) {
    tell_line("  " + std::string(known->advice));
  }
  const std::string words =
      secrets_.redact(std::string(last_words));  // Some go over several lines.
  const std::vector<std::string_view> lines = last_lines(words);
  if (!lines.empty()) tell_line("  Its stderr:");
  for (const std::string_view line : lines) tell_line("    " + std::string(line));
  return kExitUnreachable;
}

int Host::finish(int status) {
  if (out_failed_ == 0) return status;
  complain(the_error("cli.stdout-lost", std::strerror(out_failed_)), status);
  return status == kExitOk ? kExitUnreachable : status;
}

bool Host::wants_color(When color) const {
  if (color == When::kAuto && os::environment_variable("NO_COLOR").value_or("") != "") return false;
  return decide(color, kStdout);
}

bool Host::wants_progress(const Common& common) const {
  return !common.quiet && decide(common.progress, kStderr);
}

}  // namespace plumbline::cli
