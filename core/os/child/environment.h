// The environment of this process.

#pragma once

#include <map>
#include <optional>
#include <string>

namespace plumbline::os {

// environment_variable returns the value, nothing when it is not set.
std::optional<std::string> environment_variable(const std::string& name);

// program_path returns the file that this process runs, for starting itself once more.
std::string program_path();

// inherited_environment returns what a child process gets of ours: no more than it needs to run,
// so that no secret of the environment reaches a server by accident.
std::map<std::string, std::string> inherited_environment();

// whole_environment returns all of ours.
std::map<std::string, std::string> whole_environment();

}  // namespace plumbline::os
