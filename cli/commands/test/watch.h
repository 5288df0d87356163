// `test --watch`: again after each change.

#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cli/commands/test/options.h"

namespace plumbline::cli {

// Round runs test files once and returns the exit status. It is cut short when `newer` returns
// true.
using Round = std::function<int(const TestOptions& options, const std::function<bool()>& newer)>;

// watched_paths returns what a run is made of: the folder where its servers are started, the files
// that their commands name, and the test files. Or what --watch-path says, and the test files.
std::vector<std::string> watched_paths(const TestOptions& options,
                                       const std::vector<std::vector<std::string>>& commands,
                                       const std::vector<std::string>& test_files);

// is_worth_a_round returns whether a change of a file may change what a server answers: not one of
// what servers and tests write themselves.
bool is_worth_a_round(const std::string& path);

// watch_tests runs a round, and another one after each change of `paths`, until somebody ends it.
// Where nothing but test files changed, those alone are run.
int watch_tests(const TestOptions& options, const std::vector<std::string>& paths, Host& host,
                const Round& round);

}  // namespace plumbline::cli
