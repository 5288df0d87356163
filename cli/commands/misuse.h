// What is said of a command line that cannot be read: which word is wrong, what may be meant, and
// where to look.

#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace plumbline::cli {

// misuse returns the one line about `words` that `app` refused with `wrong`.
Error misuse(const CLI::App& app, const std::vector<std::string>& words,
             const CLI::ParseError& wrong);

// unknown_command returns the line about `words` whose first is no command of `app`.
Error unknown_command(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace plumbline::cli
