// What a COMMAND of the command line gets of the environment: all of ours, as behind `env` or
// `time`.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

struct ChildEnvironment {
  bool clean = false;  // What desktop clients give instead of all: PATH, HOME, LANG ....
  std::vector<std::string> added;  // "NAME=VALUE", or "NAME" with the value that it has here.

  bool is_default() const { return !clean && added.empty(); }
};

// add_environment declares --clean-env and --env; `environment` outlives `app`.
void add_environment(CLI::App& app, ChildEnvironment& environment);

// variables_of returns the variables. kInvalidInput: a NAME that is not set here.
Result<std::map<std::string, std::string>> variables_of(const ChildEnvironment& environment);

// words_of returns the options that say so.
std::vector<std::string> words_of(const ChildEnvironment& environment);

}  // namespace plumbline::cli
