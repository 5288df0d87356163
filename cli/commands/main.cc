// The composition root: the only place that decides what is real.

#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/baseline_file.h"
#include "cli/commands/command_line.h"
#include "cli/host.h"
#include "cli/real_world.h"
#include "core/base/errors/errors.h"
#include "core/os/overdue.h"

namespace plumbline::cli {
namespace {

int run_program(const std::vector<std::string>& words) {
  RealWorld world;
  Host host(world);
  Result<std::variant<Invocation, Answered>> parsed = parse_command_line(words);
  if (!parsed.ok()) {
    host.secrets().add_words(words);  // What is wrong may be one of them.
    return host.complain(parsed.error(), kExitUsage);
  }
  if (const auto* const answered = std::get_if<Answered>(&parsed.value())) {
    host.out(answered->text);
    return host.finish(kExitOk);
  }
  const Invocation& invocation = std::get<Invocation>(parsed.value());
  if (const Common* const common = invocation.options->judging()) {
    // What a judging command would only meet at its end.
    const Status baseline = check_baseline_file(host, *common);
    if (!baseline.ok()) return host.complain(baseline.error(), kExitUsage);
    for (const ReportTarget& report : common->reports) {
      if (report.path == "-") continue;
      const Status writable = os::check_writable(report.path);
      if (!writable.ok()) {
        return host.complain(the_error("cli.report-unwritable", report.format, report.path,
                                       writable.error().message),
                             kExitUsage);
      }
    }
  }
  if (!invocation.note.empty()) host.tell_line("note: " + invocation.note);
  return host.finish(invocation.run(host));
}

// No budget lets it come to this; where it does, it is an error like any other.
void end_without_memory() {
  os::Overdue::end("plumbline: there is not enough memory for this [cli.memory]\n",
                   kExitUnreachable);
}

}  // namespace
}  // namespace plumbline::cli

int main(int argc, char** argv) {
  std::set_new_handler(plumbline::cli::end_without_memory);
  try {
    return plumbline::cli::run_program(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "plumbline: a fault of ours: %s [cli.fault]\n", wrong.what());
    return plumbline::cli::kExitUnreachable;
  }
}
