// What the command line takes, as its parser knows it: whence help comes, and the manual with it.

#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace plumbline::cli {

struct OptionEntry {
  std::vector<std::string> names;  // "-q", "--quiet"; none of a positional.
  std::string value;               // "FORMAT=PATH", "COMMAND..."; empty of a flag.
  std::vector<std::string> choices;
  std::string what;
  bool required = false;
};

struct CommandEntry {
  std::string name;  // "check server"; empty of the program itself.
  std::string what;
  std::vector<OptionEntry> options;
  std::vector<OptionEntry> positionals;
  std::vector<std::string> commands;  // Below it: "server".
};

// value_of returns what an option takes, as help has it: "HOST:PORT"; empty of a switch.
std::string value_of(const CLI::Option& option);

// full_name is what stands on the command line: "plumbline check server".
std::string full_name(const CommandEntry& command);

// commands_of returns the program itself, then every command, in the order of help. What help does
// not show is left out.
std::vector<CommandEntry> commands_of(const CLI::App& app);

}  // namespace plumbline::cli
