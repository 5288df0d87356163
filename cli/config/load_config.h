// Reading a configuration file for a command: with the environment, the inputs that were given and,
// at a terminal, those that a person types.

#pragma once

#include <string>
#include <vector>

#include "cli/config/config.h"
#include "cli/host.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

// ConfigFile is a file as a command line names it.
struct ConfigFile {
  std::string path;
  std::vector<std::string> servers;  // Only these are wanted; empty: all.
  std::vector<std::string> inputs;   // "NAME=VALUE".
};

// add_inputs declares --input.
void add_inputs(CLI::App& app, std::vector<std::string>& inputs);

// load_config reads the file on top of `so_far`, tells its notes, and lets `host` show none of its
// secrets. kInvalidInput: it cannot be read, is wrong, or wants what is not there.
Result<Config> load_config(const ConfigFile& file, Host& host, Config so_far = {});

// surroundings_of returns what `file` may refer to. `host` must outlive it.
Result<Surroundings> surroundings_of(const ConfigFile& file, Host& host);

// tell_notes tells the notes of `config` on standard error, and forgets them.
void tell_notes(Config& config, Host& host);

}  // namespace plumbline::cli
