#include "cli/judging/watching.h"

#include <algorithm>
#include <chrono>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "core/base/errors/errors.h"
#include "core/os/files/file_watch.h"
#include "core/os/interrupt.h"

namespace plumbline::cli {

namespace {

constexpr Duration kCalm = std::chrono::milliseconds(100);

}  // namespace

void declare_watching(CLI::App& app, Watching& watching) {
  app.add_flag("--watch", watching.on, "Run again after each change of the server's files");
  app.add_option("--watch-path", watching.paths,
                 "Watch this, not the current folder and the files of the command; repeatable")
      ->type_name("PATH")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

Status read_watching(const Watching& watching) {
  if (watching.on || watching.paths.empty()) return Done{};
  return the_error("test.watch-path");
}

std::vector<std::string> paths_of(const Watching& watching,
                                  const std::vector<std::vector<std::string>>& commands) {
  if (!watching.paths.empty()) return watching.paths;
  std::vector<std::string> paths = {"."};
  for (const std::vector<std::string>& command : commands) {
    std::ranges::copy_if(command, std::back_inserter(paths), [](const std::string& word) {
      return word.find('/') != std::string::npos;
    });
  }
  return paths;
}

bool is_worth_a_round(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  for (const char* const ending :
       {".snap.json", ".log", ".jsonl", ".db", ".sqlite", ".tmp", ".swp", ".xml", "~"}) {
    if (name.ends_with(ending)) return false;
  }
  return !name.starts_with('.') && name.find(".tmp-") == std::string::npos;
}

int watch_rounds(const Watching& watching, const std::vector<std::string>& paths, Host& host,
                 const ChangedRound& round) {
  os::RealLoop& loop = host.world().loop();
  std::set<std::string> changed;
  os::FileWatch watch(loop, kCalm, [&changed](const std::set<std::string>& files) {
    for (const std::string& file : files) {
      if (is_worth_a_round(file)) changed.insert(file);
    }
  });
  for (const std::string& path : paths) {
    const Status added = watch.add(path);
    const bool wanted = std::ranges::count(watching.paths, path) > 0;
    // A word of a command need not be a file.
    const bool missing = !added.ok() && added.error().code == ErrorCode::kInvalidInput;
    if (!added.ok() && (wanted || !missing)) {
      return host.complain(the_error("test.watch", added.error().message), kExitUsage);
    }
  }
  std::set<std::string> before;
  for (;;) {
    changed.clear();
    const int status = round(before, [&changed] { return !changed.empty(); });
    if (status == kExitInterrupted) return status;
    bool interrupted = false;
    if (changed.empty()) {
      const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
      host.tell_line("waiting for changes in " + std::to_string(watch.folders()) +
                     " folders; Ctrl-C ends");
      loop.run_until([&] { return interrupted || !changed.empty(); });
    }
    if (interrupted) return kExitInterrupted;
    host.tell_line(
        "changed: " + *changed.begin() +
        (changed.size() == 1 ? "" : " and " + std::to_string(changed.size() - 1) + " more"));
    before = changed;
  }
}

}  // namespace plumbline::cli
