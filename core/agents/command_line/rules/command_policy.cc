#include "core/agents/command_line/rules/command_policy.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <utility>

#include "core/agents/command_line/rules/disguises.h"
#include "core/agents/command_line/rules/git_words.h"
#include "core/agents/command_line/rules/words.h"
#include "core/base/words/joined_by.h"

namespace plumbline::agents::command_line {

namespace {

// folder_part returns "/usr/bin" of "/usr/bin/git", and "/" of "/init".
std::string folder_part(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool is_below(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

bool is_absolute(const std::string& path) { return path.starts_with('/'); }

// is_straight returns whether an absolute path says where it leads, symbolic links aside.
bool is_straight(const std::string& path) {
  return is_absolute(path) && path.find("//") == std::string::npos && !path.ends_with('/') &&
         (path + "/").find("/./") == std::string::npos &&
         (path + "/").find("/../") == std::string::npos;
}

bool is_variable_name(const std::string& name) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, fits);
}

bool holds(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

Error wrong(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

// check_lists refuses what is neither a name nor a path that says where it leads.
Status check_lists(const CommandRules& rules) {
  for (const std::string& program : rules.programs) {
    const bool name = !program.empty() && program.find('/') == std::string::npos;
    if (name || is_straight(program)) continue;
    return wrong("the program \"" + program + "\" is neither a name nor an absolute path");
  }
  for (const std::string& folder : rules.search_path) {
    if (is_straight(folder)) continue;
    return wrong("the folder \"" + folder + "\" of the search path is no absolute path");
  }
  for (const auto& [name, unused] : rules.env) {
    if (!is_variable_name(name)) return wrong("\"" + name + "\" is no name of a variable");
  }
  return Done{};
}

// resolve_roots makes each root the path that it leads to.
Status resolve_roots(CommandRules& rules, Paths& paths) {
  if (rules.roots.empty()) return wrong("there is no root, expected a folder to start commands in");
  for (std::string& root : rules.roots) {
    Result<std::string> real = paths.real_path(root);
    if (!real.ok() || !paths.is_folder(root))
      return wrong("the root \"" + root + "\" is no folder");
    root = std::move(real).value();
    if (root == "/") return wrong("the root \"/\" holds every program, expected a folder below it");
  }
  for (const std::string& folder : rules.search_path) {
    const Result<std::string> real = paths.real_path(folder);
    if (!real.ok()) continue;  // Nothing is found in it.
    for (const std::string& root : rules.roots) {
      if (!is_below(real.value(), root)) continue;
      return wrong("the folder \"" + folder + "\" of the search path is inside of the root \"" +
                   root + "\": commands could write what they start");
    }
  }
  return Done{};
}

}  // namespace

CommandPolicy::CommandPolicy(CommandRules rules, Paths& paths)
    : rules_(std::move(rules)),
      paths_(paths),
      dangers_(local_dangers(), {}),
      blocked_({}, rules_.blocked) {}

Result<CommandPolicy> CommandPolicy::make(CommandRules rules, Paths& paths) {
  Status right = check_lists(rules);
  if (right.ok()) right = resolve_roots(rules, paths);
  if (!right.ok()) return right.error();
  if (!rules.shell.empty() && !(is_straight(rules.shell) && paths.is_program(rules.shell))) {
    return wrong("the shell \"" + rules.shell + "\" is no program by its absolute path");
  }
  return CommandPolicy(std::move(rules), paths);
}

Result<Permit, Refusal> CommandPolicy::permit(const CommandRequest& request) const {
  if (!rules_.enabled) return Refusal{"disabled", "no commands are run here"};
  Result<std::vector<std::string>, Refusal> argv = argv_of(request);
  if (!argv.ok()) return argv.error();
  Permit out;
  out.command.argv = std::move(argv).value();
  Result<std::string, Refusal> program =
      request.shell ? rules_.shell : program_of(out.command.argv.front());
  if (!program.ok()) return program.error();
  Result<std::string, Refusal> folder = folder_of(request.folder);
  if (!folder.ok()) return folder.error();
  const Result<std::string> real = paths_.real_path(program.value());
  if (!real.ok()) return Refusal{"program", real.error().message};
  out.real_program = real.value();
  out.command.program = std::move(program).value();
  out.command.cwd = std::move(folder).value();
  out.command.inherits = false;
  out.command.env = rules_.env;
  for (const auto& [name, value] : request.env) {
    const bool sound = is_variable_name(name) && value.find('\0') == std::string::npos;
    if (!sound || !holds(rules_.request_env, name)) {
      return Refusal{"environment", "a request may not set \"" + name + "\""};
    }
    out.command.env[name] = value;
  }
  out.command.env.try_emplace("PATH", joined_by(":", rules_.search_path));
  out.approval = rules_.approval || request.shell;
  if (request.shell) return out;
  if (std::optional<Refusal> refusal = look_through(request, out)) return *std::move(refusal);
  return out;
}

// look_through finds what a command would run besides its program.
std::optional<Refusal> CommandPolicy::look_through(const CommandRequest& request,
                                                   Permit& permit) const {
  net::Command& command = permit.command;
  const std::string name = base_of(command.program);
  if (holds(rules_.runs_anything, name) || holds(rules_.runs_anything, command.program)) {
    return std::nullopt;
  }
  const std::vector<std::string> names = {name, base_of(permit.real_program)};
  const auto words = std::span<const std::string>(command.argv).subspan(1);
  std::optional<Disguise> found = find_disguise(disguise_table(), names, words);
  if (holds(names, "git")) {
    found = git_disguise(words, command.cwd, paths_);
    command.env.merge(harmless_git_settings());
  }
  for (const auto& [variable, unused] : request.env) {
    if (found || !is_starting_variable(variable)) continue;
    found = Disguise{false, "the variable " + variable + " may have programs start others"};
  }
  if (!found) return std::nullopt;
  if (found->shell && rules_.shell.empty()) {
    return Refusal{"shell", found->why + ", and no shell is allowed here"};
  }
  permit.approval = true;
  permit.runs = std::move(found->why);
  return std::nullopt;
}

// The line is searched as it stands, and as the program will see it.
Result<std::vector<std::string>, Refusal> CommandPolicy::argv_of(
    const CommandRequest& request) const {
  const Status text = check_text(request.line);
  if (!text.ok()) return Refusal{"syntax", text.error().message};
  const auto refused = [this](std::string_view line) -> std::optional<Refusal> {
    if (std::optional<std::string> why = dangers_.find(line)) return Refusal{"pattern", *why};
    if (std::optional<std::string> why = blocked_.find(line)) return Refusal{"blocklist", *why};
    return std::nullopt;
  };
  if (const auto refusal = refused(request.line)) return *refusal;
  if (request.shell && rules_.shell.empty()) return Refusal{"shell", "no shell is allowed here"};
  if (request.shell) return std::vector<std::string>{rules_.shell, "-c", request.line};
  Result<std::vector<std::string>> words = split_words(request.line);
  if (!words.ok()) return Refusal{"syntax", words.error().message};
  if (const auto refusal = refused(joined_by(" ", words.value()))) return *refusal;
  return std::move(words).value();
}

Result<std::string, Refusal> CommandPolicy::program_of(const std::string& word) const {
  if (word.find('/') != std::string::npos) return listed_path(word);
  if (!holds(rules_.programs, word)) {
    return Refusal{"program", "\"" + word + "\" is not among the programs that may run (" +
                                  joined_by(", ", rules_.programs) + ")"};
  }
  const std::string path = find_in_path(word);
  if (path.empty()) {
    return Refusal{"program",
                   "no program \"" + word + "\" in " + joined_by(":", rules_.search_path)};
  }
  return checked_program(path, true);
}

// Only the folder may be reached by another way: one file may be many programs, by its name.
Result<std::string, Refusal> CommandPolicy::listed_path(const std::string& path) const {
  if (!is_straight(path)) {
    return Refusal{"program", "\"" + path + "\" is neither a name nor a plain absolute path"};
  }
  const Result<std::string> folder = paths_.real_path(folder_part(path));
  const std::string name = base_of(path);
  for (const std::string& listed : rules_.programs) {
    const bool by_name = !is_absolute(listed);
    if ((by_name ? listed : base_of(listed)) != name || !folder.ok()) continue;
    const std::string found = by_name ? find_in_path(listed) : listed;
    if (found.empty()) continue;
    const Result<std::string> there = paths_.real_path(folder_part(found));
    if (!there.ok() || there.value() != folder.value()) continue;
    return checked_program(path, by_name);
  }
  return Refusal{"program", "\"" + path + "\" is not among the programs that may run (" +
                                joined_by(", ", rules_.programs) + ")"};
}

Result<std::string, Refusal> CommandPolicy::checked_program(const std::string& path,
                                                            bool by_name) const {
  const Result<std::string> real = paths_.real_path(path);
  if (!real.ok() || !paths_.is_program(path)) {
    return Refusal{"program", "\"" + path + "\" is no program"};
  }
  if (by_name && inside_roots(real.value())) {
    return Refusal{"program", "\"" + path + "\" leads to \"" + real.value() +
                                  "\", which commands could have written"};
  }
  const bool shell = is_shell(path) || is_shell(real.value());
  if (shell && rules_.shell.empty()) {
    return Refusal{"shell", "\"" + path + "\" is a shell, and none is allowed here"};
  }
  return path;
}

Result<std::string, Refusal> CommandPolicy::folder_of(const std::string& wanted) const {
  const std::string& first = rules_.roots.front();
  if (wanted.empty()) return first;
  const std::string path = is_absolute(wanted) ? wanted : first + "/" + wanted;
  const Result<std::string> real = paths_.real_path(path);
  if (!real.ok() || !paths_.is_folder(path)) {
    return Refusal{"folder", "there is no folder \"" + wanted + "\" to start in"};
  }
  if (inside_roots(real.value())) return real.value();
  return Refusal{"folder", "\"" + wanted + "\" is outside of " + joined_by(", ", rules_.roots)};
}

std::string CommandPolicy::find_in_path(const std::string& name) const {
  for (const std::string& folder : rules_.search_path) {
    std::string path = folder == "/" ? "/" + name : folder + "/" + name;
    if (paths_.is_program(path)) return path;
  }
  return "";
}

bool CommandPolicy::inside_roots(const std::string& real) const {
  return std::ranges::any_of(rules_.roots,
                             [&real](const std::string& root) { return is_below(real, root); });
}

}  // namespace plumbline::agents::command_line
