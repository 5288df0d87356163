// `test --new` and `test --from`: a first test file.

#pragma once

#include "cli/commands/test/options.h"

namespace plumbline::cli {

// write_tests writes it. Exit status 2: the recording cannot be read, or the file not be written;
// 3: the server cannot be reached.
int write_tests(const TestOptions& options, Host& host);

}  // namespace plumbline::cli
