#include "scenarios/shell/command_watch.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/limits.h"
#include "fakes/shell/shell_words.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kVisitsMax = 65;  // Of the supervisor, and once to be told that.
constexpr std::size_t kStepsMax = 100;
constexpr std::size_t kTurnsMax = 40;
constexpr std::size_t kFindingsMax = 10'000;
constexpr std::size_t kMarkBytesMax = 64;  // Of the line that says what was cut.
constexpr std::size_t kReplacedBytes = 3;  // What stands for a byte that is no UTF-8.

std::vector<std::string> words_in(const std::string& line) {
  return fakes::shell_words(line).value_or(std::vector<std::string>{line});
}

std::string one_line(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

// plain returns `text` in small letters with one blank wherever there are some.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (!blank) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// has_words returns whether `text` holds `words` and no letter goes on before or behind them.
bool has_words(const std::string& text, const std::string& words) {
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    const bool before = at == 0 || !is_of_word(text[at - 1]) || !is_of_word(words.front());
    const bool behind = end == text.size() || !is_of_word(text[end]) || !is_of_word(words.back());
    if (before && behind) return true;
  }
  return false;
}

bool below(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + '/');
}

bool has(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

const Json& list_in(const Json& state, const char* key) {
  static const Json kNone = Json::array();
  const Json* const list = find(state, key);
  return list != nullptr && list->is_array() ? *list : kNone;
}

// results_in returns what a state says came of commands, the oldest first.
Json results_in(const Json& state) {
  Json out = list_in(state, "cli_past");
  for (const char* const key : {"cli_results", "results"}) {
    for (const Json& result : list_in(state, key)) out.push_back(result);
  }
  return out;
}

bool begins_with(const Json& list, const Json& beginning) {
  return beginning.size() <= list.size() &&
         std::equal(beginning.begin(), beginning.end(), list.begin());
}

}  // namespace

void CommandWatch::fail(std::string_view id, std::string message) {
  if (std::ranges::find(failures_, id, &RunFailure::check) != failures_.end()) return;
  failures_.push_back({std::string(id), std::move(message)});
}

void CommandWatch::started(const net::Command& command) {
  ++total_;
  if (shell_ == nullptr) return fail(kRefusedNeverRuns, "a command ran, and there is no shell");
  check_rules(command);
  const auto& rules = shell_->data().settings.rules;
  const bool by_shell = !rules.shell.empty() && command.program == rules.shell;
  Run run = run_of(command, by_shell);
  check_approval(run, rules.approval || by_shell);
  runs_.push_back(std::move(run));
}

CommandWatch::Run CommandWatch::run_of(const net::Command& command, bool by_shell) const {
  Run run;
  run.words = command.argv;
  run.folder = command.cwd;
  if (by_shell && command.argv.size() == 3) run.words = words_in(command.argv.back());
  for (const auto& [name, value] : command.env) {
    if (has(shell_->data().settings.rules.request_env, name)) run.variables[name] = value;
  }
  return run;
}

void CommandWatch::started_there(const std::string& host, const std::string& line) {
  ++total_;
  if (shell_ == nullptr) return fail(kRefusedNeverRuns, "a command ran, and there is no shell");
  const auto words = fakes::shell_words(line);
  if (!words || words->empty()) {
    return fail(kRefusedNeverRuns, "a line was sent to " + host + " that is no plain command");
  }
  if (!has(shell_->data().settings.remote.programs, words->front())) {
    fail(kRefusedNeverRuns, words->front() + " ran on " + host + ", which is not listed");
  }
  check_text(*words);
  for (const char* const danger : {"reboot", "shutdown", "systemctl stop", "kill -9"}) {
    if (plain(one_line(*words)).find(danger) == std::string::npos) continue;
    fail(kRefusedNeverRuns, "\"" + one_line(*words) + "\" ran on " + host);
  }
  Run run;
  run.host = host;
  run.words = *words;
  check_approval(run, true);
  runs_.push_back(std::move(run));
}

void CommandWatch::check_rules(const net::Command& command) {
  const auto& rules = shell_->data().settings.rules;
  const std::string& program = command.program;
  const std::string name = name_of_program(program);
  const auto refuse = [&](const std::string& why) {
    fail(kRefusedNeverRuns, "\"" + one_line(command.argv) + "\" ran, and " + why);
  };
  if (!rules.enabled) refuse("commands are off");
  const bool by_shell = !rules.shell.empty() && program == rules.shell;
  if (!by_shell && !has(rules.programs, program) && !has(rules.programs, name)) {
    refuse("its program " + program + " is not listed");
  }
  constexpr std::array<std::string_view, 7> kShellNames = {"ash", "bash", "dash", "ksh",
                                                           "sh",  "zsh",  "fish"};
  const Result<std::string> real = shell_->paths().real_path(program);
  const std::string leads_to = name_of_program(real.ok() ? real.value() : program);
  const bool shell = std::ranges::find(kShellNames, leads_to) != kShellNames.end();
  if (shell && rules.shell.empty()) refuse("it is a shell");
  const auto inside = [&](const std::string& path) {
    return std::ranges::any_of(rules.roots, [&](const auto& root) { return below(path, root); });
  };
  if (!inside(command.cwd)) refuse("it starts in " + command.cwd);
  if (!has(rules.programs, program) && real.ok() && inside(real.value())) {
    refuse("a command could have written it");
  }
  for (const auto& [key, value] : command.env) {
    const bool known = key == "PATH" || rules.env.contains(key) || has(rules.request_env, key);
    const bool of_git = name == "git" && key.starts_with("GIT_");
    if (!known && !of_git) refuse("it was given " + key);
  }
  if (command.inherits) refuse("it inherits our environment");
  check_text(command.argv);
}

void CommandWatch::check_text(const std::vector<std::string>& words) {
  const std::string line = plain(one_line(words));
  for (const char* const danger : {"rm -rf /", "mkfs", "chmod 777", "> /dev/sda"}) {
    if (line.find(danger) != std::string::npos) {
      fail(kRefusedNeverRuns, "\"" + line + "\" ran, which holds \"" + danger + '"');
    }
  }
  for (const std::string& text : shell_->data().settings.rules.blocked) {
    const std::string blocked = plain(text);
    if (blocked.empty() || !has_words(line, blocked)) continue;
    fail(kRefusedNeverRuns, "\"" + line + "\" ran, and \"" + text + "\" is blocked");
  }
}

void CommandWatch::reviewed(const Json& review, const Json& reply) {
  backtracks_ = backtracks_ || find(reply, "backtrack_from_step") != nullptr;
  if (string_or(review, "type", "") != "command" || !bool_or(reply, "approve", false)) return;
  const Json* const arguments = find(review, "arguments");
  if (arguments == nullptr) return;
  Run run;
  run.host = string_or(*arguments, "host", "");
  run.words = words_in(string_or(*arguments, "command", ""));
  if (run.host.empty()) run.folder = string_or(*arguments, "folder", "");
  if (const Json* const variables = find(*arguments, "variables")) {
    for (const auto& [name, value] : variables->items()) {
      run.variables[name] = value.is_string() ? value.get<std::string>() : "";
    }
  }
  // A host is named as the request names it: with a user and a port, maybe.
  run.host = run.host.substr(run.host.find('@') + 1);
  run.host = run.host.substr(0, run.host.find(':'));
  run.again = bool_or(reply, "remember", false);
  approvals_.push_back(std::move(run));
}

void CommandWatch::check_approval(const Run& run, bool due) {
  const auto approval = std::ranges::find_if(approvals_, [&](Run one) {
    one.again = run.again;
    return one == run;
  });
  if (approval != approvals_.end()) {
    if (!approval->again) approvals_.erase(approval);
  } else if (due) {
    fail(kApproved, "\"" + one_line(run.words) + "\" ran, and nobody had approved it");
  }
}

void CommandWatch::request_begins() {
  runs_.clear();
  approvals_.clear();
  backtracks_ = false;
  kept_results_ = Json::array();
  kept_steps_ = Json::array();
}

void CommandWatch::request_ends(const Json& state, std::size_t at_work) {
  if (at_work > 0) {
    fail(kLeavesNothing, std::to_string(at_work) + " programs were at work after the request");
  }
  check_results(state);
  check_bounds(state);
  kept(state);
}

// Each command that ran is told of as often as it ran, and none that is told to have ended did not.
void CommandWatch::check_results(const Json& state) {
  std::vector<std::vector<std::string>> told;
  for (const Json& result : results_in(state)) {
    if (string_or(result, "status", "") == "blocked") continue;
    told.push_back(words_in(string_or(result, "command", "")));
    const bool ended = find_int(result, "return_code").has_value();
    const bool ran =
        std::ranges::any_of(runs_, [&](const Run& run) { return run.words == told.back(); });
    if (ended && !ran) {
      fail(kOnce, "\"" + one_line(told.back()) + "\" is said to have ended, and never ran");
    }
    if (shell_ == nullptr) continue;
    const std::size_t bytes_max = shell_->data().settings.limits.output_bytes_max;
    const std::size_t out = string_or(result, "stdout", "").size();
    const std::size_t err = string_or(result, "stderr", "").size();
    if (out > std::max<std::size_t>(bytes_max, limits::kContextBytesMax) * kReplacedBytes +
                  kMarkBytesMax ||
        err > limits::kStderrBytesMax * kReplacedBytes + kMarkBytesMax) {
      fail(kOutput, "a result holds " + std::to_string(out) + " bytes of stdout and " +
                        std::to_string(err) + " of stderr");
    }
  }
  for (const Run& run : runs_) {
    const auto same = [&](const Run& one) { return one.words == run.words; };
    const auto times = std::ranges::count_if(runs_, same);
    if (times <= std::ranges::count(told, run.words)) continue;
    fail(kOnce, "\"" + one_line(run.words) + "\" ran " + std::to_string(times) +
                    " times, and is told of " +
                    std::to_string(std::ranges::count(told, run.words)) + " times");
  }
}

void CommandWatch::check_bounds(const Json& state) {
  const auto bound = [&](std::string_view what, std::size_t number, std::size_t most) {
    if (number <= most) return;
    fail(kWorkflow, std::string(what) + ": " + std::to_string(number) + ", expected at most " +
                        std::to_string(most));
  };
  bound("visits of the supervisor", static_cast<std::size_t>(int_or(state, "visits", 0)),
        kVisitsMax);
  bound("the step", static_cast<std::size_t>(int_or(state, "workflow_step", 0)), kStepsMax);
  bound("steps", list_in(state, "steps").size(), kStepsMax);
  bound("findings", list_in(state, "findings").size(), kFindingsMax);
  bound("turns of the conversation", list_in(state, "conversation_turns").size(), kTurnsMax);
}

void CommandWatch::kept(const Json& state) {
  Json results = results_in(state);
  if (!begins_with(results, kept_results_)) {
    fail(kThreads, "a result of a command that was kept is gone, or another one now");
  }
  kept_results_ = std::move(results);
  const Json& steps = list_in(state, "steps");
  if (!backtracks_ && !begins_with(steps, kept_steps_)) {
    fail(kThreads, "a step that was kept is gone, or another one now");
  }
  kept_steps_ = steps;
}

}  // namespace plumbline::scenarios
