// `test`: assertions on somebody's own tools.

#pragma once

#include "cli/commands/test/options.h"

namespace plumbline::cli {

// run_test runs test files. Exit status 1: a test failed; 2: a file is wrong; 3: a server could not
// be reached, or a test has no verdict.
int run_test(const TestOptions& options, Host& host);

}  // namespace plumbline::cli
