#include "cli/commands/test/watch.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/os/files/file_watch.h"
#include "core/os/interrupt.h"
#include "scenarios/suite/suite.h"

namespace plumbline::cli {

namespace {

namespace fs = std::filesystem;

constexpr Duration kQuiet = std::chrono::milliseconds(100);

bool is_test_file(const std::string& path) { return path.ends_with(suite::kSuiteEnding); }

std::string same_spelling(const std::string& path) {
  return fs::path(path).lexically_normal().string();
}

}  // namespace

bool is_worth_a_round(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
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
        std::error_code unknown;
        const bool file = word.find('/') != std::string::npos && fs::is_regular_file(word, unknown);
        if (file) paths.push_back(word);
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
  os::FileWatch watch(loop, kQuiet, [&changed](std::set<std::string> files) {
    for (const std::string& file : files) {
      if (is_worth_a_round(file)) changed.insert(same_spelling(file));
    }
  });
  for (const std::string& path : paths) {
    const Status added = watch.add(path);
    if (!added.ok()) return host.complain(added.error().message, kExitUsage);
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
    std::erase_if(again.paths, [](const std::string& path) {
      std::error_code unknown;
      return is_test_file(path) && !fs::exists(path, unknown);  // It is gone.
    });
    if (again.paths.empty()) again.paths = options.paths;
  }
}

}  // namespace plumbline::cli
