// CommandDesk is where a command is decided on and run: the rules, the runner and the audit log as
// one. Nothing runs that is not written down first.

#pragma once

#include <optional>
#include <string>

#include "core/agents/approvals/approval.h"
#include "core/agents/command_line/audit/audit_log.h"
#include "core/agents/command_line/rules/command_policy.h"
#include "core/agents/command_line/run/command_runner.h"
#include "core/base/task.h"
#include "core/trace/tracer.h"

namespace plumbline::agents::command_line {

// Prepared is a command that may run, as a value that a person can approve.
struct Prepared {
  Permit permit;
  approvals::Action action;
};

class CommandDesk {
 public:
  // `audit` may be null: nothing is written down then. `bubblewrap` is the program of the sandbox
  // that every command runs in; empty: none. With a `tracer` each command that is run, or blocked
  // when it was to run, has a span. All must outlive the desk.
  CommandDesk(const CommandPolicy& policy, CommandRunner& runner, AuditLog* audit,
              std::string bubblewrap = {}, trace::Tracer* tracer = nullptr);

  // prepare returns how `request` of `who` is to be run, whether a person has to approve it, and
  // what they would approve: its program is opened and read, which refuses one that cannot be.
  Result<Prepared, Refusal> prepare(const CommandRequest& request, const std::string& who) const;

  // blocked writes down that a rule (`refusal.rule`) or a person ("person") refused `request`, and
  // returns that as a result.
  CommandResult blocked(const CommandRequest& request, const Refusal& refusal,
                        const std::string& who);

  // run writes down that `request` is about to run, runs it, and writes down what came of it.
  // `approved` is the digest of what a person has approved; empty: nothing. It is prepared anew,
  // and blocked where the rules now refuse it, or where they want a person and that is not what was
  // approved. A program that a person approved is held against the digest once more in the moment
  // before it starts, and started by the descriptor that was read; a script, and what starts in a
  // sandbox, by its path. A log that cannot be written is an error: nothing ran.
  Task<CommandResult> run(CommandRequest request, std::string approved, std::string who,
                          std::optional<Duration> timeout);

 private:
  CommandResult refuse(const CommandRequest& request, const Refusal& refusal,
                       const std::string& who);
  Task<CommandResult> run_traced(CommandRequest request, std::string approved, std::string who,
                                 std::optional<Duration> timeout);

  const CommandPolicy& policy_;
  CommandRunner& runner_;
  AuditLog* audit_;
  std::string bubblewrap_;
  trace::Tracer* tracer_;
};

}  // namespace plumbline::agents::command_line
