#include "core/os/posix/child/start_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/fd.h"
#include "core/os/posix/child/brood.h"

namespace plumbline::os {

namespace {

using net::Command;
using Environment = std::map<std::string, std::string>;

constexpr std::size_t kGivenBytesMax = 32U << 10U;  // A pipe holds that without a reader.

// ChildEnds are the descriptors that become 0, 1 and 2 of the child, and 3 where it is given
// something.
struct ChildEnds {
  Fd in;
  Fd out;
  Fd err;
  Fd given;
};

// SpawnPlan holds what posix_spawn is to do between fork and exec.
class SpawnPlan {
 public:
  SpawnPlan(const ChildEnds& ends, const std::string& cwd) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, ends.in.number(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, ends.out.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, ends.err.number(), STDERR_FILENO);
    if (ends.given.open()) {
      posix_spawn_file_actions_adddup2(&actions_, ends.given.number(), STDERR_FILENO + 1);
    }
    close_on_exec_from(STDERR_FILENO + 1);
    if (!cwd.empty()) posix_spawn_file_actions_addchdir_np(&actions_, cwd.c_str());

    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }

  // start returns 0 or the errno of what failed, exec included.
  int start(pid_t& pid, const std::string& program, std::vector<std::string> argv,
            std::vector<std::string> env) const {
    std::vector<char*> argv_words = words(argv);
    std::vector<char*> env_words = words(env);
    return posix_spawn(&pid, program.c_str(), &actions_, &attributes_, argv_words.data(),
                       env_words.data());
  }

 private:
  static std::vector<char*> words(std::vector<std::string>& strings) {
    std::vector<char*> pointers;
    for (std::string& text : strings) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

bool is_folder(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

// from_folder returns `path` as we reach it, when a process in the folder `cwd` says `path`.
std::string from_folder(const std::string& cwd, const std::string& path) {
  if (cwd.empty() || path.starts_with('/')) return path;
  return cwd + "/" + path;
}

// find_program returns the file that `name` stands for: itself when it has a slash, else the first
// one of that name in `search_path` that may be executed.
Result<std::string> find_program(const std::string& name, const std::string& search_path,
                                 const std::string& cwd) {
  const Error missing = the_error("server.no-program", name);
  if (name.empty()) return the_error("server.command-empty");
  if (name.find('/') != std::string::npos) return name;
  for (std::size_t start = 0; start <= search_path.size();) {
    const std::size_t colon = std::min(search_path.find(':', start), search_path.size());
    std::string folder = search_path.substr(start, colon - start);
    start = colon + 1;
    if (folder.empty()) folder = ".";
    const std::string path = folder + "/" + name;
    const std::string seen = from_folder(cwd, path);
    if (access(seen.c_str(), X_OK) == 0 && !is_folder(seen)) return path;
  }
  return missing;
}

// program_of returns the file to start: the one that is named, or what argv[0] stands for.
Result<std::string> program_of(const Command& command, const Environment& env) {
  if (command.argv.empty()) return the_error("server.command-empty");
  if (!command.program.empty()) return command.program;
  const auto path = env.find("PATH");
  return find_program(command.argv[0],
                      path == env.end() ? "/usr/local/bin:/usr/bin:/bin" : path->second,
                      command.cwd);
}

Environment environment_of(const Command& command) {
  Environment env = command.env;
  if (command.inherits) env.merge(inherited_environment());
  return env;
}

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

// check_words refuses what a process cannot be given.
Status check_words(const Command& command) {
  for (const std::string& word : command.argv) {
    if (has_nul(word)) return the_error("server.command-unfit");
  }
  for (const auto& [name, value] : command.env) {
    if (name.empty() || name.find('=') != std::string::npos || has_nul(name) || has_nul(value)) {
      return the_error("server.variable-unfit", name);
    }
  }
  if (!command.cwd.empty() && !is_folder(command.cwd)) {
    return the_error("server.no-folder", command.cwd);
  }
  return Done{};
}

// pipe_with returns the end of a pipe from which `bytes` can be read.
Result<Fd> pipe_with(const std::string& bytes) {
  Result<PipeEnds> ends = make_pipe();
  if (!ends.ok()) return ends.error();
  const bool fits = bytes.size() <= kGivenBytesMax;
  const auto size = static_cast<ssize_t>(bytes.size());
  if (!fits || write(ends.value().write.number(), bytes.data(), bytes.size()) != size) {
    return the_error_as(ErrorCode::kLimitReached, "file.cannot-use", "a pipe for a child",
                        "it does not hold what is given");
  }
  return std::move(ends.value().read);
}

// start_failure tells why a program could not be started. A limit of the system is none of its.
Error start_failure(const std::string& program, int error) {
  const bool system_limit = error == EAGAIN || error == ENOMEM || error == EMFILE;
  const ErrorCode code = system_limit ? ErrorCode::kLimitReached : ErrorCode::kInvalidInput;
  return the_error_as(code, "server.cannot-start", program, reason_of(error));
}

}  // namespace

Result<StartedProcess> start_process(const net::Command& command) {
  Status checked = check_words(command);
  if (!checked.ok()) return std::move(checked).error();
  const Environment env = environment_of(command);
  const Result<std::string> program = program_of(command, env);
  if (!program.ok()) return program.error();

  Result<PipeEnds> in = make_pipe();
  if (!in.ok()) return in.error();
  Result<PipeEnds> out = make_pipe();
  if (!out.ok()) return out.error();
  Result<PipeEnds> err = make_pipe();
  if (!err.ok()) return err.error();

  Fd given;
  if (!command.given.empty()) {
    Result<Fd> filled = pipe_with(command.given);
    if (!filled.ok()) return filled.error();
    given = std::move(filled).value();
  }

  std::vector<std::string> env_words;
  for (const auto& [name, value] : env) env_words.push_back(name + "=" + value);
  const ChildEnds ends{std::move(in.value().read), std::move(out.value().write),
                       std::move(err.value().write), std::move(given)};
  pid_t pid = 0;
  const int error =
      SpawnPlan(ends, command.cwd).start(pid, program.value(), command.argv, std::move(env_words));
  if (error != 0) return start_failure(command.argv[0], error);
  return StartedProcess{pid, std::move(in.value().write), std::move(out.value().read),
                        std::move(err.value().read)};
}

}  // namespace plumbline::os
