#include "core/agents/command_line/audit/audit_log.h"

#include <array>
#include <chrono>
#include <utility>

#include "core/json/dump.h"

namespace plumbline::agents::command_line {

namespace {

constexpr std::array<std::string_view, 4> kDecisionNames = {"allowed", "approved", "refused",
                                                            "blocked"};

}  // namespace

std::string_view name_of(Decision decision) {
  return kDecisionNames[static_cast<std::size_t>(decision)];
}

AuditLog::AuditLog(FileStore& files, const WallClock& clock, std::string path, std::string process,
                   Redactor redactor)
    : files_(files),
      clock_(clock),
      path_(std::move(path)),
      process_(std::move(process)),
      redactor_(std::move(redactor)) {}

Result<std::string> AuditLog::decided(const AuditEntry& entry) {
  const std::string id = process_ + '-' + std::to_string(++last_id_);
  Json rest = {{"who", entry.who},
               {"command", redactor_.redact(entry.command)},
               {"folder", entry.folder},
               {"host", entry.host.empty() ? Json(nullptr) : Json(entry.host)},
               {"program", entry.program.empty() ? Json(nullptr) : Json(entry.program)},
               {"decision", name_of(entry.decision)}};
  if (!entry.why.empty()) rest["why"] = redactor_.redact(entry.why);
  const Status written = append(id, "decided", std::move(rest));
  if (!written.ok()) return written.error();
  return id;
}

void AuditLog::ended(const std::string& id, CommandResult& result) {
  Json rest = {{"status", name_of(result.status)},
               {"return_code", nullptr},
               {"duration_ms", result.duration_ms},
               {"stdout_bytes", result.out.size()},
               {"stderr_bytes", result.err.size()}};
  if (result.return_code) rest["return_code"] = *result.return_code;
  if (!result.error.empty()) rest["error"] = redactor_.redact(result.error);
  if (result.outcome_unknown) rest["outcome"] = "unknown";
  const Status written = append(id, "ended", std::move(rest));
  if (written.ok() || !result.error.empty()) return;
  result.error = "the audit log cannot be written: " + written.error().message;
}

Status AuditLog::append(const std::string& id, std::string_view event, Json rest) {
  rest["at"] = rfc3339(clock_.since_1970());
  rest["id"] = id;
  rest["event"] = event;
  Status written = files_.append_file(path_, (torn_ ? "\n" : "") + dump_json(rest) + "\n");
  torn_ = !written.ok();
  return written;
}

}  // namespace plumbline::agents::command_line
