#include "core/agents/command_line/rules/disguises.h"

#include <algorithm>
#include <map>
#include <utility>

#include <re2/re2.h>

#include "core/base/check.h"
#include "core/base/wildcard.h"

namespace plumbline::agents::command_line {

namespace {

constexpr std::string_view kShells =
    "ash bash busybox csh dash elvish es fish ksh lksh mksh nu oksh pdksh posh rbash rc rksh sh "
    "tcsh "
    "toybox xonsh yash zsh";

constexpr std::string_view kOfVersions = "0123456789.-";

constexpr std::string_view kStartingVariables =
    "AR AS AWKPATH AWKLIBPATH BASH_* BROWSER BUNDLE_* CARGO* CC CLASSPATH CURL_HOME CVS_RSH CXX "
    "DOCKER_* DYLD_* EDITOR ENV ERL_* EXINIT GCONV_PATH GEM_* GIT_* GNUMAKEFLAGS GO* GRADLE_* HG* "
    "HOME IFS JAVA_* JDK_* KUBECONFIG LD LD_* LESS LESSCLOSE LESSOPEN LUA_* MAKE* MANPAGER MANOPT "
    "MAVEN_* MYSQL_* NM NODE_* NPM_* npm_* OPENSSL_* PAGER PATH PERL* PHP* PIP_* PROMPT_COMMAND "
    "PS4 PSQLRC PYTEST_* PYTHON* RSYNC_* RUBY* RUST* SHELL SHELLOPTS SSH_* SUDO_* SVN_* "
    "SYSTEMD_* TAR_OPTIONS TERMINAL TMPDIR VIMINIT VISUAL WGETRC XDG_* YARN_* ZDOTDIR ZIPOPT "
    "_JAVA_OPTIONS *_ASKPASS *_EDITOR *_PAGER *_RSH";

// each_of calls `found` for every part of a list with blanks between, until it returns true.
template <typename Found>
bool each_of(std::string_view list, const Found& found) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0 && found(list.substr(0, end))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// is_called returns whether `name` fits `pattern`, whatever version stands behind it.
bool is_called(std::string_view pattern, std::string_view name) {
  if (pattern.front() != '*' && !name.starts_with(pattern.front())) return false;  // Most do not.
  if (fits(pattern, name)) return true;
  return name.starts_with(pattern) &&
         name.find_first_not_of(kOfVersions, pattern.size()) == std::string_view::npos;
}

// is_option returns whether `word` is the long option `option`, or one that may stand for it.
bool is_option(std::string_view option, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  return name.size() > 2 && name.starts_with("--") && option.starts_with(name);
}

// has_letter returns whether `word`, "-xzf", has the letter before one that takes the rest.
bool has_letter(char letter, std::string_view word, std::string_view valued) {
  if (word.size() < 2 || word[0] != '-' || word[1] == '-') return false;
  for (const char c : word.substr(1)) {
    if (c == letter) return true;
    if (valued.find(c) != std::string_view::npos) return false;
  }
  return false;
}

bool is_form(std::string_view form, std::span<const std::string> words, const DisguiseRow& row) {
  if (form.starts_with('+')) {
    return !words.empty() && !words.front().starts_with('-') &&
           words.front().find(form[1]) != std::string::npos;
  }
  return std::ranges::any_of(words, [&](const std::string& word) {
    if (form.starts_with('~')) return fits(form.substr(1), word);
    if (form.starts_with("--")) return is_option(form, word);
    return has_letter(form[1], word, row.valued);
  });
}

RE2::Options of_pattern() {
  RE2::Options options;
  options.set_dot_nl(true);
  return options;
}

// known_harmless returns what is harmless in disguise_table(), compiled once: every command of a
// scenario is looked up there.
const std::map<std::string_view, RE2>& known_harmless() {
  static const std::map<std::string_view, RE2> kAll = [] {
    std::map<std::string_view, RE2> all;
    for (const DisguiseRow& row : disguise_table()) {
      if (row.harmless.empty()) continue;
      const re2::StringPiece pattern(row.harmless.data(), row.harmless.size());
      const auto made = all.try_emplace(row.harmless, pattern, of_pattern());
      check(made.first->second.ok(), "a pattern of the table of disguises cannot be compiled");
    }
    return all;
  }();
  return kAll;
}

bool fits_harmless(std::string_view pattern, std::span<const std::string> words) {
  if (pattern.empty()) return false;
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : "\x1f") + word;
  const auto known = known_harmless().find(pattern);
  if (known != known_harmless().end()) return RE2::FullMatch(joined, known->second);
  const RE2 re2(re2::StringPiece(pattern.data(), pattern.size()), of_pattern());
  check(re2.ok(), "a pattern of a table of disguises cannot be compiled");
  return RE2::FullMatch(joined, re2);
}

// form_of returns the form of the row that the words have; empty: none.
std::string_view form_of(const DisguiseRow& row, std::span<const std::string> words) {
  std::string_view which;
  const bool asks = words.size() == 1 && (words[0] == "--version" || words[0] == "--help");
  each_of(row.forms, [&](std::string_view form) {
    bool hit = form == "**";
    if (form == "*") hit = !fits_harmless(row.harmless, words);
    if (!form.starts_with('*')) hit = is_form(form, words, row);
    hit = hit && (!asks || form == "**");
    if (hit) which = form;
    return hit;
  });
  return which;
}

}  // namespace

std::string base_of(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

bool is_shell(std::string_view program) {
  const std::string name = base_of(program);
  return each_of(kShells, [&name](std::string_view shell) { return is_called(shell, name); });
}

bool is_starting_variable(std::string_view name) {
  return each_of(kStartingVariables, [&](std::string_view known) { return fits(known, name); });
}

std::optional<Disguise> find_disguise(std::span<const DisguiseRow> table,
                                      const std::vector<std::string>& names,
                                      std::span<const std::string> words) {
  std::optional<Disguise> out;
  for (const DisguiseRow& row : table) {
    const bool called = std::ranges::any_of(names, [&](const std::string& name) {
      return each_of(row.programs, [&](std::string_view known) { return is_called(known, name); });
    });
    const std::string_view form = called ? form_of(row, words) : "";
    if (form.empty()) continue;
    const bool names_shell =
        row.starts == Starts::kPrograms && std::ranges::any_of(words, is_shell);
    const bool shell = row.starts == Starts::kShell || names_shell;
    if (out && (out->shell || !shell)) continue;
    const std::string lead =
        form.starts_with('*') ? "" : std::string(form.substr(form[0] == '~' ? 1 : 0)) + ": ";
    out = Disguise{shell, lead + names.front() + " " + std::string(row.what)};
  }
  return out;
}

}  // namespace plumbline::agents::command_line
