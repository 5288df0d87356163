// RemoteDesk is where a command for another machine is decided on and run there: stricter than
// here, always by words, and written down in the same log.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/agents/approvals/approval.h"
#include "core/agents/command_line/audit/audit_log.h"
#include "core/agents/command_line/rules/command_policy.h"
#include "core/agents/command_line/rules/patterns.h"
#include "core/agents/command_line/run/command_result.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/net/remote_host.h"

namespace plumbline::agents::command_line {

// RemoteTarget is "user@host:port", of which only the host must be there.
struct RemoteTarget {
  std::string user;
  std::string host;
  int port = 0;
};

// parse_target reads one; an IPv6 address with a port is written in brackets. kInvalidInput says
// what was expected.
Result<RemoteTarget> parse_target(const std::string& text);

// quoted_line returns one line that any POSIX shell splits into exactly `words`, and does nothing
// else with.
std::string quoted_line(const std::vector<std::string>& words);

// remote_action is a command for the machine `name` as a person approves it: `sign_in` is how we
// sign in there, "ssh_key".
approvals::Action remote_action(std::string name, std::string sign_in, std::string line,
                                std::string who);

// place_of returns where a command goes that is sent to `access`, one that is resolved, and with
// which key: "root@10.0.0.1:22, with the key /home/ada/.ssh/id".
std::string place_of(const net::RemoteAccess& access);

struct RemoteRules {
  bool enabled = true;
  std::vector<std::string> programs;  // Names alone: what they lead to there is not known here.
  std::vector<std::string> blocked;
};

class RemotePolicy {
 public:
  explicit RemotePolicy(RemoteRules rules);

  // permit returns the line to be sent, every word of it quoted, or why it is not. No shell is ever
  // allowed, nor what gives one its words, and the patterns for other machines hold besides those
  // for this one.
  Result<std::string, Refusal> permit(const std::string& line) const;

 private:
  RemoteRules rules_;
  Patterns dangers_;
  Patterns remote_dangers_;
  Patterns blocked_;
};

class RemoteDesk {
 public:
  // `audit` may be null. All must outlive the desk.
  RemoteDesk(const RemotePolicy& policy, Loop& loop, AuditLog* audit)
      : policy_(policy), loop_(loop), audit_(audit) {}

  // assess returns the line as it would be sent, or why it is not.
  Result<std::string, Refusal> assess(const std::string& line) const {
    return policy_.permit(line);
  }

  // blocked writes down that a rule or a person ("person") refused `line` on the host that is
  // called `name`, and returns that as a result.
  CommandResult blocked(const std::string& name, const std::string& line, const Refusal& refusal,
                        const std::string& who);

  // run runs the line of `action` on `host`, and writes down both that it will and what came of it.
  // `approved` is the digest of what a person has approved: that of `action`, or it is blocked.
  // Which program its name leads to there, nobody here knows. When the connection is lost, or it
  // does not stop in time, the outcome is unknown, and nothing is run again.
  Task<CommandResult> run(net::RemoteHost& host, approvals::Action action, std::string approved,
                          Duration timeout, std::size_t output_bytes_max);

 private:
  const RemotePolicy& policy_;
  Loop& loop_;
  AuditLog* audit_;
};

}  // namespace plumbline::agents::command_line
