// The command line, read by the table of commands.

#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cli/command.h"
#include "core/base/result.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace plumbline::cli {

// Invocation is a command and what it was told.
struct Invocation {
  const Command* command = nullptr;
  std::unique_ptr<Options> options;
  std::string note;  // What may be meant in another way; empty: nothing.

  int run(Host& host) const { return command->run(*options, host); }
};

// Answered is a command line that only asked for help or the version: print and exit 0.
struct Answered {
  std::string text;
};

// parse_command_line reads argv without the program's name. kInvalidInput: one line that says what
// is wrong and what was expected.
Result<std::variant<Invocation, Answered>> parse_command_line(std::vector<std::string> words);

// misuse returns the one line about `words` that `app` refused with `wrong`.
Error misuse(const CLI::App& app, const std::vector<std::string>& words,
             const CLI::ParseError& wrong);

// unknown_command returns the line about `words` whose first is no command of `app`.
Error unknown_command(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace plumbline::cli
