// `test --watch`: again after each change.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/commands/test/options.h"

namespace plumbline::cli {

// Round runs test files once and returns the exit status. It is cut short when `newer` returns
// true.
using Round = std::function<int(const TestOptions& options, const std::function<bool()>& newer)>;

// watch_tests runs a round, and another one after each change of `paths`, until somebody ends it.
// Where nothing but test files changed, those alone are run.
int watch_tests(const TestOptions& options, const std::vector<std::string>& paths, Host& host,
                const Round& round);

}  // namespace plumbline::cli
