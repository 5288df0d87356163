// AuditLog writes down every command: who wanted what, where, what was decided, and what came of
// it. JSON Lines, only ever appended to.
//
//   {"at": "2026-07-28T09:30:00Z", "id": "4f2a-7", "event": "decided", "who": "thread 12",
//    "command": …, "folder": …, "host": …, "program": …, "decision": "approved", "why": …}
//   {"at": …, "id": "4f2a-7", "event": "ended", "status": "success", "return_code": 0,
//   "duration_ms": 12,
//    "stdout_bytes": 40, "stderr_bytes": 0}
//
// A command that is decided as allowed or approved, and has no line that it ended, may have run.
// Several processes may append to one file.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/agents/command_line/run/command_result.h"
#include "core/base/doors/file_store.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/result.h"
#include "core/json/redactor.h"

namespace plumbline::agents::command_line {

enum class Decision {
  kAllowed,   // By the rules, nobody had to be asked.
  kApproved,  // By a person.
  kRefused,   // By a person.
  kBlocked,   // By a rule.
};

std::string_view name_of(Decision decision);

// AuditEntry is one decision.
struct AuditEntry {
  std::string who;
  std::string command;  // The line; secrets are taken out of it by the log.
  std::string folder;
  std::string host;     // Empty: this machine.
  std::string program;  // Where it leads. Empty: it was blocked before that was known.
  Decision decision = Decision::kBlocked;
  std::string why;  // Of a refusal.
};

class AuditLog {
 public:
  // Appends to the file `path`. The doors must outlive the log. `process` names this log among all
  // that ever append there. `redactor` knows secrets that no pattern finds.
  AuditLog(FileStore& files, const WallClock& clock, std::string path, std::string process,
           Redactor redactor = {});

  // decided writes the line of a decision and returns its id, which no other line of the file has
  // but the one of its end. On an Error it may stand or not: nothing may run then. kInvalidInput:
  // as FileStore::append_file.
  Result<std::string> decided(const AuditEntry& entry);

  // ended writes what came of the command `id`, without what it said. That it cannot be written is
  // the error of a result that has none.
  void ended(const std::string& id, CommandResult& result);

 private:
  Status append(const std::string& id, std::string_view event, Json rest);

  FileStore& files_;
  const WallClock& clock_;
  std::string path_;
  std::string process_;
  Redactor redactor_;
  bool torn_ = false;  // A part of the last line may stand.
  std::int64_t last_id_ = 0;
};

}  // namespace plumbline::agents::command_line
