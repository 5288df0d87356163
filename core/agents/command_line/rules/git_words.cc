#include "core/agents/command_line/rules/git_words.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/wildcard.h"

namespace plumbline::agents::command_line {

namespace {

// With our settings none of these gets anything to run that a file names.
constexpr std::array<std::string_view, 68> kHarmless = {"add",
                                                        "am",
                                                        "apply",
                                                        "archive",
                                                        "blame",
                                                        "branch",
                                                        "cat-file",
                                                        "check-attr",
                                                        "check-ignore",
                                                        "checkout",
                                                        "cherry",
                                                        "cherry-pick",
                                                        "clean",
                                                        "clone",
                                                        "commit",
                                                        "config",
                                                        "count-objects",
                                                        "describe",
                                                        "diff",
                                                        "diff-files",
                                                        "diff-index",
                                                        "diff-tree",
                                                        "fetch",
                                                        "for-each-ref",
                                                        "format-patch",
                                                        "fsck",
                                                        "grep",
                                                        "hash-object",
                                                        "init",
                                                        "log",
                                                        "ls-files",
                                                        "ls-remote",
                                                        "ls-tree",
                                                        "merge",
                                                        "merge-base",
                                                        "merge-file",
                                                        "merge-tree",
                                                        "mv",
                                                        "name-rev",
                                                        "notes",
                                                        "prune",
                                                        "pull",
                                                        "push",
                                                        "range-diff",
                                                        "reflog",
                                                        "remote",
                                                        "replace",
                                                        "reset",
                                                        "restore",
                                                        "rev-list",
                                                        "rev-parse",
                                                        "revert",
                                                        "rm",
                                                        "shortlog",
                                                        "show",
                                                        "show-branch",
                                                        "show-ref",
                                                        "sparse-checkout",
                                                        "stash",
                                                        "status",
                                                        "stripspace",
                                                        "switch",
                                                        "symbolic-ref",
                                                        "tag",
                                                        "update-index",
                                                        "update-ref",
                                                        "version",
                                                        "whatchanged"};

constexpr std::string_view kStartsNamed = "starts programs that its words name";
constexpr std::string_view kCopies = "takes settings from elsewhere, which may start programs";

// What words behind a command start. The rows of "git-log" are those of "git log".
constexpr DisguiseRow kOptions[] = {
    {"git-grep", "-O --open-files-in-pager", Starts::kShell, kStartsNamed, "", "efABCm"},
    {"git-clone", "-u --upload-pack", Starts::kShell, kStartsNamed, "", "objcb"},
    {"git-clone", "-c --config --template", Starts::kShell, kCopies, "", "objub"},
    {"git-init", "--template", Starts::kCode, kCopies},
    {"git-fetch git-pull git-ls-remote", "--upload-pack ~--exec*", Starts::kShell, kStartsNamed},
    {"git-push", "--receive-pack ~--exec*", Starts::kShell, kStartsNamed},
    {"git-archive", "~--exec* --remote", Starts::kShell, kStartsNamed},
    {"git-diff git-log git-show git-diff-* git-whatchanged git-range-diff git-shortlog", "--output",
     Starts::kCode, "writes any file"},
    {"git-archive git-format-patch", "-o --output --output-directory", Starts::kCode,
     "writes any file"},
    {"git-apply", "--unsafe-paths --directory", Starts::kCode, "writes any file"},
    {"git-config", "--global --system -f --file", Starts::kCode, kCopies},
    {"git-diff git-log git-show git-diff-tree git-diff-index git-diff-files git-whatchanged",
     "--ext-diff", Starts::kPrograms, "starts programs that settings name"},
};

// Settings whose name we cannot know, so that they cannot be turned off before.
constexpr std::array<std::string_view, 25> kStarting = {"credential.*",
                                                        "core.alternaterefscommand",
                                                        "core.worktree",
                                                        "diff.*.command",
                                                        "diff.*.textconv",
                                                        "diff.external",
                                                        "filter.*",
                                                        "gc.recentobjectshook",
                                                        "gpg.*",
                                                        "include.*",
                                                        "init.templatedir",
                                                        "includeif.*",
                                                        "interactive.difffilter",
                                                        "lfs.*",
                                                        "merge.*.driver",
                                                        "remote.*.receivepack",
                                                        "remote.*.uploadpack",
                                                        "remote.*.vcs",
                                                        "sendemail.*",
                                                        "submodule.*",
                                                        "tar.*",
                                                        "trailer.*.cmd",
                                                        "trailer.*.command",
                                                        "uploadpack.*",
                                                        "receive.proc*"};

// Settings that ours turn off or that only commands read which are refused; a word that sets one
// would win over ours.
constexpr std::array<std::string_view, 21> kTurnedOff = {
    "alias.*",       "browser.*",      "core.askpass", "core.editor",     "core.fsmonitor",
    "core.gitproxy", "core.hookspath", "core.pager",   "core.sshcommand", "diff.guitool",
    "difftool.*",    "guitool.*",      "help.*",       "instaweb.*",      "man.*",
    "mergetool.*",   "pager.*",        "protocol.*",   "safe.*",          "sequence.editor",
    "web.*"};

template <std::size_t N>
bool any_fits(const std::array<std::string_view, N>& patterns, std::string_view key) {
  return std::ranges::any_of(patterns, [&](std::string_view one) { return fits(one, key); });
}

// SettingsReader reads the names of settings in a file, as git does. What it cannot be sure of it
// takes for a setting that starts something.
class SettingsReader {
 public:
  explicit SettingsReader(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
  }

  std::string first_starting() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.ends_with('\\')) return "?";  // The next line would go on with this one.
      line = trimmed(line);
      if (line.starts_with('[') && !read_section(line)) return "?";
      const std::size_t name_end =
          std::min(line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789-"),
                   line.size());
      if (name_end == 0) continue;  // Blank, or a comment.
      const std::string key = section_ + "." + lower_case(line.substr(0, name_end));
      if (any_fits(kStarting, key)) return key;
    }
    return "";
  }

 private:
  // read_section takes "[core]" or '[filter "x"]' from the beginning of `line`.
  bool read_section(std::string_view& line) {
    bool quoted = false;
    for (std::size_t at = 1; at < line.size(); ++at) {
      if (line[at] == '\\' && quoted) {
        ++at;
      } else if (line[at] == '"') {
        quoted = !quoted;
      } else if (line[at] == ']' && !quoted) {
        section_ = lower_case(line.substr(1, at - 1));
        const std::size_t blank = section_.find_first_of(" \t");
        if (blank != std::string::npos) section_[blank] = '.';
        std::erase_if(section_, [](char c) { return c == '"' || c == ' ' || c == '\t'; });
        line = trimmed(line.substr(at + 1));
        return true;
      }
    }
    return false;
  }

  std::string_view rest_;
  std::string section_;
};

Disguise settings_of(const std::string& where, const std::string& key) {
  return {false, where + " sets " + (key == "?" ? "what cannot be told" : key) +
                     ", which may start programs"};
}

// in_file looks at one file of settings, where it is there.
std::optional<Disguise> in_file(const std::string& path, Paths& paths) {
  if (!paths.real_path(path).ok()) return std::nullopt;
  const Result<std::string> text = paths.text_of(path);
  if (!text.ok()) return settings_of(path, "?");
  const std::string key = starting_setting(text.value());
  if (key.empty()) return std::nullopt;
  return settings_of(path, key);
}

// pointed_at returns the folder that a file says, "gitdir: ../x" or "../x", from `folder` on.
std::string pointed_at(const std::string& file, const std::string& folder, Paths& paths) {
  const Result<std::string> text = paths.text_of(file);
  if (!text.ok()) return "";
  std::string_view path = text.value();
  if (path.starts_with("gitdir:")) path.remove_prefix(7);
  path = trimmed(path.substr(0, path.find_first_of("\r\n")));
  return path.starts_with('/') ? std::string(path) : folder + "/" + std::string(path);
}

// in_repository looks at the settings of the repository that `folder` belongs to.
std::optional<Disguise> in_repository(std::string folder, Paths& paths) {
  std::string dir = folder + "/.git";
  while (!paths.real_path(dir).ok()) {
    if (folder.empty() || folder == "/") return std::nullopt;
    folder.resize(folder.rfind('/'));
    dir = folder + "/.git";
  }
  if (paths.real_path(folder + "/.gitmodules").ok()) {
    return Disguise{false, folder + "/.gitmodules: submodules have settings of their own"};
  }
  if (!paths.is_folder(dir)) dir = pointed_at(dir, folder, paths);
  std::string common = dir;
  if (paths.real_path(dir + "/commondir").ok()) common = pointed_at(dir + "/commondir", dir, paths);
  if (dir.empty() || common.empty()) return settings_of(folder + "/.git", "?");
  if (auto found = in_file(common + "/config", paths)) return found;
  return in_file(dir + "/config.worktree", paths);
}

// Globals are the words before the command.
struct Globals {
  std::size_t command = 0;  // Where the command stands; behind all words: there is none.
  std::string folder;
  std::optional<Disguise> found{};
};

std::optional<Disguise> option_disguise(std::string_view word, std::string_view value) {
  if (word == "-c") {
    const std::string key = lower_case(value.substr(0, value.find('=')));
    if (!any_fits(kStarting, key) && !any_fits(kTurnedOff, key)) return std::nullopt;
    return Disguise{true, "-c " + key + ": git gives its value to a shell, or starts it"};
  }
  for (const std::string_view one : {"--config-env", "--exec-path="}) {
    if (word.starts_with(one))
      return Disguise{true, std::string(one) + ": git " + std::string(kStartsNamed)};
  }
  for (const std::string_view one : {"--git-dir", "--bare", "--work-tree", "--help"}) {
    if (word.starts_with(one))
      return Disguise{false, std::string(one) + ": git " + std::string(kCopies)};
  }
  return std::nullopt;
}

Globals read_globals(std::span<const std::string> words, std::string folder) {
  Globals out{0, std::move(folder)};
  constexpr std::string_view kValued[] = {
      "-C",          "-c",           "--git-dir",      "--work-tree",
      "--namespace", "--config-env", "--super-prefix", "--attr-source",
      "--exec-path"};
  for (std::size_t& at = out.command; at < words.size() && words[at].starts_with('-'); ++at) {
    const std::string& word = words[at];
    const bool valued = std::ranges::find(kValued, word) != std::end(kValued);
    const std::string value = valued && at + 1 < words.size() ? words[at + 1] : "";
    if (!out.found) out.found = option_disguise(word, value);
    if (word == "-C") out.folder = value.starts_with('/') ? value : out.folder + "/" + value;
    if (valued && word != "--exec-path") ++at;
  }
  out.command = std::min(out.command, words.size());  // The last one may lack its value.
  return out;
}

}  // namespace

std::string starting_setting(std::string_view config) {
  return SettingsReader(config).first_starting();
}

std::map<std::string, std::string> harmless_git_settings() {
  constexpr std::pair<const char*, const char*> kSettings[] = {{"core.fsmonitor", "false"},
                                                               {"core.hooksPath", "/dev/null"},
                                                               {"core.pager", "cat"},
                                                               {"diff.ignoreSubmodules", "all"},
                                                               {"fetch.recurseSubmodules", "false"},
                                                               {"push.recurseSubmodules", "no"},
                                                               {"safe.bareRepository", "explicit"},
                                                               {"submodule.recurse", "false"}};
  std::map<std::string, std::string> out = {{"GIT_ALLOW_PROTOCOL", "git:http:https:ssh"},
                                            {"GIT_ASKPASS", "true"},
                                            {"GIT_EDITOR", ":"},
                                            {"GIT_PROXY_COMMAND", ""},
                                            {"GIT_SEQUENCE_EDITOR", ":"},
                                            {"GIT_SSH_COMMAND", "ssh -o BatchMode=yes"},
                                            {"GIT_TERMINAL_PROMPT", "0"}};
  int count = 0;
  for (const auto& [key, value] : kSettings) {
    const std::string number = std::to_string(count++);
    out["GIT_CONFIG_KEY_" + number] = key;
    out["GIT_CONFIG_VALUE_" + number] = value;
  }
  out["GIT_CONFIG_COUNT"] = std::to_string(count);
  return out;
}

std::optional<Disguise> git_disguise(std::span<const std::string> words, const std::string& folder,
                                     Paths& paths) {
  Globals globals = read_globals(words, folder);
  if (globals.found) return std::move(globals.found);
  if (globals.command == words.size()) return std::nullopt;  // It only says something about itself.
  const std::string& command = words[globals.command];
  if (std::ranges::find(kHarmless, command) == kHarmless.end()) {
    return Disguise{false,
                    "git " + command + " may start programs: an alias, an extension, a shell"};
  }
  if (std::ranges::find(words, "--help") != words.end()) {
    return Disguise{false, "--help: git starts a program that shows pages"};
  }
  if (auto found =
          find_disguise(kOptions, {"git-" + command}, words.subspan(globals.command + 1))) {
    return found;
  }
  return in_repository(globals.folder, paths);
}

}  // namespace plumbline::agents::command_line
