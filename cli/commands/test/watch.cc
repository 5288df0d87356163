#include "cli/commands/test/watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/os/files/file_watch.h"
#include "core/os/interrupt.h"
#include "scenarios/suite/suite.h"

namespace plumbline::cli {

namespace {

constexpr Duration kCalm = std::chrono::milliseconds(100);

bool is_test_file(const std::string& path) { return path.ends_with(suite::kSuiteEnding); }

}  // namespace

bool is_worth_a_round(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  for (const char* const ending :
       {".snap.json", ".log", ".jsonl", ".db", ".sqlite", ".tmp", ".swp", ".xml", "~"}) {
    if (name.ends_with(ending)) return false;
  }
  return !name.starts_with('.');
}

std::vector<std::string> watched_paths(const TestOptions& options,
                                       const std::vector<std::vector<std::string>>& commands,
                                       const std::vector<std::string>& test_files) {
  std::vector<std::string> paths = options.watch_paths;
  if (paths.empty()) {
    paths.emplace_back(".");
    for (const std::vector<std::string>& command : commands) {
      for (const std::string& word : command) {
        if (word.find('/') != std::string::npos) paths.push_back(word);
      }
    }
  }
  paths.insert(paths.end(), test_files.begin(), test_files.end());
  return paths;
}

int watch_tests(const TestOptions& options, const std::vector<std::string>& paths, Host& host,
                const Round& round) {
  os::RealLoop& loop = host.world().loop();
  std::set<std::string> changed;
  os::FileWatch watch(loop, kCalm, [&changed](std::set<std::string> files) {
    for (const std::string& file : files) {
      if (is_worth_a_round(file)) changed.insert(file);
    }
  });
  for (const std::string& path : paths) {
    const Status added = watch.add(path);
    const bool wanted = std::ranges::count(options.watch_paths, path) > 0;
    // A word of a command need not be a file.
    const bool missing = !added.ok() && added.error().code == ErrorCode::kInvalidInput;
    if (!added.ok() && (wanted || !missing)) {
      return host.complain("--watch: " + added.error().message, kExitUsage);
    }
  }
  TestOptions again = options;
  for (;;) {
    changed.clear();
    const int status = round(again, [&changed] { return !changed.empty(); });
    if (status == kExitInterrupted) return status;
    bool interrupted = false;
    if (changed.empty()) {
      host.tell_line("waiting for changes in " + std::to_string(watch.folders()) +
                     " folders; Ctrl-C ends");
      const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
      loop.run_until([&] { return interrupted || !changed.empty(); });
    }
    if (interrupted) return kExitInterrupted;
    host.tell_line("changed: " + *changed.begin() +
                   (changed.size() == 1 ? "" : " and " + std::to_string(changed.size() - 1)));
    const bool tests_alone = std::ranges::all_of(changed, is_test_file);
    again.paths =
        tests_alone ? std::vector<std::string>(changed.begin(), changed.end()) : options.paths;
    std::erase_if(again.paths, [&host](const std::string& path) {
      return is_test_file(path) && !host.files().mode_of(path).ok();  // It is gone.
    });
    if (again.paths.empty()) again.paths = options.paths;
  }
}

}  // namespace plumbline::cli
