// CommandWatch judges what an agent runs, and what it says came of it: the rules, approvals, that
// nothing runs twice, and the bounds of output and workflows. What a line and a rule mean is read
// here a second time.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "core/net/spawner.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/spec/shell_spec.h"

namespace plumbline::scenarios {

class CommandWatch final {
 public:
  static constexpr std::string_view kRefusedNeverRuns = "invariant.command-refused-never-runs";
  static constexpr std::string_view kApproved = "invariant.command-approved";
  static constexpr std::string_view kOnce = "invariant.command-once";
  static constexpr std::string_view kOutput = "invariant.command-output-bounded";
  static constexpr std::string_view kLeavesNothing = "invariant.command-leaves-nothing";
  static constexpr std::string_view kWorkflow = "invariant.workflow-bounded";
  static constexpr std::string_view kThreads = "invariant.thread-consistent";

  // `shell` is that of the scenario; null: no command may run. It must outlive the watch.
  explicit CommandWatch(const ShellSpec* shell) : shell_(shell) {}

  // started tells that a program was started here, and started_there that `line` was sent to
  // `host`.
  void started(const net::Command& command);
  void started_there(const std::string& host, const std::string& line);

  // reviewed tells what a person was asked, and answered.
  void reviewed(const Json& review, const Json& reply);

  // request_begins and request_ends stand around each request; the state is that of the outcome,
  // and so many programs are at work when it has ended.
  void request_begins();
  void request_ends(const Json& state, std::size_t at_work);

  // kept tells the state of a checkpoint that a new process goes on with, or that was the last one.
  void kept(const Json& state);

  // lost tells why a checkpoint cannot be gone on with.
  void lost(const std::string& why) { fail(kThreads, "what was kept cannot be read: " + why); }

  // total returns how many commands were started, here and there.
  std::int64_t total() const { return total_; }

  // failures returns the first failure of each invariant.
  const std::vector<RunFailure>& failures() const { return failures_; }

 private:
  // Run is one command that was started, or approved.
  struct Run {
    std::string host;  // Empty: here.
    std::vector<std::string> words;
    std::string folder;                            // Here alone.
    std::map<std::string, std::string> variables;  // Of the request; here alone.
    bool again = false;                            // Of an approval: for the rest of the request.
    friend bool operator==(const Run&, const Run&) = default;
  };

  void fail(std::string_view id, std::string message);
  void check_rules(const net::Command& command);
  void check_text(const std::vector<std::string>& words);
  Run run_of(const net::Command& command, bool by_shell) const;
  void check_approval(const Run& run, bool due);
  void check_results(const Json& state);
  void check_bounds(const Json& state);

  const ShellSpec* shell_;
  std::vector<Run> runs_;       // Of this request.
  std::vector<Run> approvals_;  // Not used up.
  std::int64_t total_ = 0;
  bool backtracks_ = false;  // The user has gone back to an earlier step.
  Json kept_results_ = Json::array();
  Json kept_steps_ = Json::array();
  std::vector<RunFailure> failures_;
};

}  // namespace plumbline::scenarios
