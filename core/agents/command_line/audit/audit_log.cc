#include "core/agents/command_line/audit/audit_log.h"

#include <array>
#include <chrono>
#include <utility>

#include <re2/re2.h>

#include "core/json/dump.h"

namespace plumbline::agents::command_line {

namespace {

constexpr std::array<std::string_view, 4> kDecisionNames = {"allowed", "approved", "refused",
                                                            "blocked"};

// A value may be quoted; what stands open runs to the end.
constexpr std::string_view kValue = R"(("[^"]*"?|'[^']*'?|[^\s"']+))";
constexpr std::string_view kSecretName =
    R"([\w-]*(?:token|secret|passw|passphrase|(?:api|access|private)[-_]?key|auth|credential))"
    R"([\w-]*)";

struct SecretPatterns {
  RE2 option{"(?i)(--?" + std::string(kSecretName) + R"((?:=|\s+))" + ")" + std::string(kValue)};
  RE2 variable{"(?i)(\\b" + std::string(kSecretName) + R"(\s*[=:]\s*))" + std::string(kValue)};
  RE2 user_info{R"((\w+://)[^/\s@]+@)"};
  RE2 curl_user{R"(((?:^|\s)(?:-u|--user|--proxy-user)(?:=|\s+)))" + std::string(kValue)};
};

const SecretPatterns& secret_patterns() {
  static const SecretPatterns patterns;
  return patterns;
}

}  // namespace

std::string_view name_of(Decision decision) {
  return kDecisionNames[static_cast<std::size_t>(decision)];
}

std::string without_secrets(std::string line, const Redactor& redactor) {
  const SecretPatterns& patterns = secret_patterns();
  line = redactor.redact(std::move(line));
  RE2::GlobalReplace(&line, patterns.user_info, "\\1[redacted]@");
  RE2::GlobalReplace(&line, patterns.option, "\\1[redacted]");
  RE2::GlobalReplace(&line, patterns.variable, "\\1[redacted]");
  RE2::GlobalReplace(&line, patterns.curl_user, "\\1[redacted]");
  return line;
}

AuditLog::AuditLog(FileStore& files, const WallClock& clock, std::string path, Redactor redactor)
    : files_(files), clock_(clock), path_(std::move(path)), redactor_(std::move(redactor)) {}

Result<std::int64_t> AuditLog::decided(const AuditEntry& entry) {
  const std::int64_t id = ++last_id_;
  Json rest = {{"who", entry.who},
               {"command", without_secrets(entry.command, redactor_)},
               {"folder", entry.folder},
               {"host", entry.host.empty() ? Json(nullptr) : Json(entry.host)},
               {"program", entry.program.empty() ? Json(nullptr) : Json(entry.program)},
               {"decision", name_of(entry.decision)}};
  if (!entry.why.empty()) rest["why"] = without_secrets(entry.why, redactor_);
  const Status written = append(id, "decided", std::move(rest));
  if (!written.ok()) return written.error();
  return id;
}

void AuditLog::ended(std::int64_t id, CommandResult& result) {
  Json rest = {{"status", name_of(result.status)},
               {"return_code", nullptr},
               {"duration_ms", result.duration_ms},
               {"stdout_bytes", result.out.size()},
               {"stderr_bytes", result.err.size()}};
  if (result.return_code) rest["return_code"] = *result.return_code;
  if (!result.error.empty()) rest["error"] = without_secrets(result.error, redactor_);
  if (result.outcome_unknown) rest["outcome"] = "unknown";
  const Status written = append(id, "ended", std::move(rest));
  if (written.ok() || !result.error.empty()) return;
  result.error = "the audit log cannot be written: " + written.error().message;
}

Status AuditLog::append(std::int64_t id, std::string_view event, Json rest) {
  rest["at"] = rfc3339(clock_.since_1970());
  rest["id"] = id;
  rest["event"] = event;
  return files_.append_file(path_, dump_json(rest) + "\n");
}

}  // namespace plumbline::agents::command_line
