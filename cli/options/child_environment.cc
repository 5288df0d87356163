#include "cli/options/child_environment.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

void add_environment(CLI::App& app, ChildEnvironment& environment) {
  app.add_flag("--clean-env", environment.clean,
               "Start COMMAND with the minimal environment that desktop clients give: PATH, HOME, "
               "LANG, ...");
  app.add_option("--env", environment.added,
                 "Give COMMAND this variable (default: its value here); repeatable")
      ->type_name("NAME[=VALUE]")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

Result<std::map<std::string, std::string>> variables_of(const ChildEnvironment& environment) {
  std::map<std::string, std::string> variables =
      environment.clean ? os::inherited_environment() : os::whole_environment();
  for (const std::string& word : environment.added) {
    const std::size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    if (equals != std::string::npos) {
      variables[std::move(name)] = word.substr(equals + 1);
      continue;
    }
    std::optional<std::string> value = os::environment_variable(name);
    if (!value) {
      return the_error("target.environment-missing", name, name);
    }
    variables[std::move(name)] = std::move(*value);
  }
  return variables;
}

std::vector<std::string> words_of(const ChildEnvironment& environment) {
  std::vector<std::string> words;
  if (environment.clean) words.emplace_back("--clean-env");
  for (const std::string& word : environment.added) {
    words.emplace_back("--env");
    words.push_back(word);
  }
  return words;
}

}  // namespace plumbline::cli
