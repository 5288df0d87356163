// CommandPolicy decides which command lines may run here, where, and with which environment.
//
// What holds is the list of programs: a line runs one of them, without a shell, or nothing. The
// patterns and the blocklist come to it, for what a listed program should not be told. Programs
// that start others or run code when they are told so (`find -exec`, `env`, an interpreter) are
// known: see disguises.h. What else a program does with its arguments is its own affair.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/command_line/rules/patterns.h"
#include "core/base/doors/paths.h"
#include "core/base/result.h"
#include "core/net/spawner.h"

namespace plumbline::agents::command_line {

struct CommandRules {
  bool enabled = true;

  // programs may be started: names ("git"), looked up in search_path, and absolute paths.
  std::vector<std::string> programs;
  std::vector<std::string> search_path = {"/usr/local/bin", "/usr/bin", "/bin"};

  std::vector<std::string> blocked;  // Texts that no line may hold: see Patterns.

  // roots are the folders in which, and below which, commands may start. The first is where they
  // start when nothing else is said.
  std::vector<std::string> roots = {"."};

  // env is what every command gets besides PATH, which is search_path; request_env what a request
  // may add to it, by name.
  std::map<std::string, std::string> env;
  std::vector<std::string> request_env;

  // shell is the absolute path of the shell for requests that want one; empty: none may.
  std::string shell;

  // runs_anything are programs of the list, as they stand there, that may start others and run code
  // like whatever else they do: nobody is asked more about them, and git runs with its own
  // settings.
  std::vector<std::string> runs_anything;

  bool approval = true;  // A person approves each command. A line for a shell always needs it.
};

// CommandRequest is one command as somebody wants it.
struct CommandRequest {
  std::string line;
  std::string folder;  // Where to start; empty: the first root. A relative one starts there too.
  std::map<std::string, std::string> env;
  bool shell = false;         // `line` is for a shell, and not to be split here.
  std::string traceparent{};  // Of the work that it belongs to; empty: nobody traces that.
};

// Refusal is why a command must not run. `rule` is which of them refused it: "disabled", "syntax",
// "shell", "pattern", "blocklist", "program", "folder" or "environment".
struct Refusal {
  std::string_view rule;
  std::string why;  // A sentence without a full stop.
};

// Permit is a command that may run.
struct Permit {
  net::Command command;      // Complete: its program by path, its whole environment, its folder.
  std::string real_program;  // Where the links of that path lead.
  bool approval = true;      // A person has to approve it first.
  std::string runs;          // What it runs besides its program, for that person; empty: nothing.
};

class CommandPolicy {
 public:
  // make holds the rules against the file system. kInvalidInput names the rule that cannot be: a
  // root that is no folder, a folder of search_path or a program that is neither a name nor an
  // absolute path, a shell that is no program. `paths` must outlive the policy.
  static Result<CommandPolicy> make(CommandRules rules, Paths& paths);

  // permit returns how `request` is to be run, or why it is not.
  //
  // A name is looked up in search_path, and what it leads to must stand outside of the roots: what
  // a command wrote is not taken for a program. An absolute path is allowed when it stands in the
  // list, or when a listed name is found under this very path; one with "." or ".." in it, or a
  // relative one, never is. What leads to a shell is refused unless a shell is allowed, and so is
  // what gives one its words. What starts other programs or runs code needs a person, always,
  // unless the rules say that it may run anything; git runs with harmless_git_settings, unless
  // `env` of the rules says otherwise.
  Result<Permit, Refusal> permit(const CommandRequest& request) const;

  // open opens the program of a permit, to know it again.
  Result<OpenProgram> open(const Permit& permit) const {
    return paths_.open_program(permit.command.program);
  }

  // open_folder opens the folder that it starts in, to know it again.
  Result<OpenFolder> open_folder(const Permit& permit) const {
    return paths_.open_folder(permit.command.cwd);
  }

  const CommandRules& rules() const { return rules_; }

 private:
  CommandPolicy(CommandRules rules, Paths& paths);

  Result<std::string, Refusal> program_of(const std::string& word) const;
  Result<std::string, Refusal> listed_path(const std::string& path) const;
  Result<std::string, Refusal> checked_program(const std::string& path, bool by_name) const;
  Result<std::string, Refusal> folder_of(const std::string& wanted) const;
  Result<std::vector<std::string>, Refusal> argv_of(const CommandRequest& request) const;
  std::optional<Refusal> look_through(const CommandRequest& request, Permit& permit) const;
  std::string find_in_path(const std::string& name) const;
  bool inside_roots(const std::string& real) const;

  CommandRules rules_;
  Paths& paths_;
  Patterns dangers_;
  Patterns blocked_;
};

}  // namespace plumbline::agents::command_line
