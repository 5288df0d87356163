// Disguises are shells that are not called one: programs that start others, or run code, because of
// what their words say. Whoever lists such a program lists more than its name says.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::agents::command_line {

// Disguise is what a command would run besides the program that was listed.
struct Disguise {
  bool shell = false;  // Its words are given to a shell, or name one.
  std::string why;     // "-exec: find starts programs that its words name".
};

// Starts is what comes of a form.
enum class Starts {
  kShell,     // A shell reads its words.
  kPrograms,  // Its words name a program.
  kCode,      // It runs code: of its words, of a file, of the folder, of a container.
};

// DisguiseRow is one row of the table. `programs` and `forms` are lists with blanks between.
struct DisguiseRow {
  std::string_view programs;  // Names; * is any run of characters. "python" is "python3.11", too.

  // forms do it, each for itself:
  //   *        any words at all, but those that `harmless` fits and a lone --version or --help
  //   **       any words at all
  //   --name   an option, also shortened and with =value
  //   -x       the letter among short options
  //   +x       the letter in the first word, without a dash, as tar has it
  //   ~text    a word that is this, with * in it
  std::string_view forms;
  Starts starts = Starts::kCode;
  std::string_view what;  // Behind the form and the program: "starts programs that its words name".

  // harmless (RE2) fits the words behind the program, joined by "\x1f", that do nothing of it.
  std::string_view harmless{};
  std::string_view valued{};  // Letters of short options whose value may follow them at once.
};

// disguise_table returns all of it; git has rows of its own besides: see git_words.h.
std::span<const DisguiseRow> disguise_table();

// find_disguise looks for the `words` behind a program in those rows of `table` that one of its
// `names` fits ("vi", "vim.basic").
std::optional<Disguise> find_disguise(std::span<const DisguiseRow> table,
                                      const std::vector<std::string>& names,
                                      std::span<const std::string> words);

// is_starting_variable returns whether the environment variable `name` has programs start others or
// read code: LD_PRELOAD, GIT_PAGER, NODE_OPTIONS, PATH.
bool is_starting_variable(std::string_view name);

// base_of returns "git" of "/usr/bin/git". is_shell knows "bash" at any path, and also "ksh93" and
// "bash-5.2".
std::string base_of(std::string_view path);
bool is_shell(std::string_view program);

}  // namespace plumbline::agents::command_line
