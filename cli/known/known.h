// What the program can say of itself beyond its ids: names of other versions and programs, how help
// is laid out, and each setting it takes from files and from the environment.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

// current_id returns what is called `id` in a report, a file or a log of another version, as it is
// called now: ids.tsv has every id that there was. An id that it does not know is returned as it
// is.
std::string_view current_id(std::string_view id);

// meant_by returns what is called so here what other programs call `typed`: a command, or an option
// of the command `of`; empty: synonyms.tsv does not know it.
std::string_view meant_by(std::string_view kind, std::string_view typed, std::string_view of);

// How --help is laid out: help.tsv.

// option_groups returns the headings that options stand under, in their order; group_of the one of
// an option such as "--url".
std::vector<std::string_view> option_groups();
std::string_view group_of_option(std::string_view name);

struct CommandGroup {
  std::string_view heading;
  std::vector<std::string_view> commands;  // "check server".
};
std::vector<CommandGroup> command_groups();

struct CommandExample {
  std::string_view line;
  std::string_view what;
};

// examples_of returns those of a command, at most three.
std::vector<CommandExample> examples_of(std::string_view command);

struct KnownSetting {
  std::string name;  // "mcp.connectionTimeout", or a variable: "OPENAI_API_KEY".
  std::string what;
};

// known_settings returns the settings of configuration files with the variables that go over them,
// then the other variables (variables.tsv).
std::vector<KnownSetting> known_settings();

}  // namespace plumbline::cli
