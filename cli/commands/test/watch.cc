#include "cli/commands/test/watch.h"

#include <algorithm>

#include "scenarios/suite/suite.h"

namespace plumbline::cli {

namespace {

bool is_test_file(const std::string& path) { return path.ends_with(suite::kSuiteEnding); }

}  // namespace

int watch_tests(const TestOptions& options, const std::vector<std::string>& paths, Host& host,
                const Round& round) {
  const ChangedRound again = [&](const std::set<std::string>& changed,
                                 const std::function<bool()>& newer) {
    TestOptions now = options;
    if (!changed.empty() && std::ranges::all_of(changed, is_test_file)) {
      now.paths.assign(changed.begin(), changed.end());
      std::erase_if(now.paths, [&host](const std::string& path) {
        return !host.files().mode_of(path).ok();  // It is gone.
      });
      if (now.paths.empty()) now.paths = options.paths;
    }
    return round(now, newer);
  };
  return watch_rounds(options.watching, paths, host, again);
}

}  // namespace plumbline::cli
