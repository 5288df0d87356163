#include "core/agents/command_line/command_desk.h"

#include <utility>

#include "core/agents/command_line/run/command_span.h"
#include "core/agents/command_line/run/sandbox.h"

namespace plumbline::agents::command_line {

CommandDesk::CommandDesk(const CommandPolicy& policy, CommandRunner& runner, AuditLog* audit,
                         std::string bubblewrap, trace::Tracer* tracer)
    : policy_(policy),
      runner_(runner),
      audit_(audit),
      bubblewrap_(std::move(bubblewrap)),
      tracer_(tracer) {}

Result<Permit, Refusal> CommandDesk::assess(const CommandRequest& request) const {
  return policy_.permit(request);
}

CommandResult CommandDesk::blocked(const CommandRequest& request, const Refusal& refusal,
                                   const std::string& who) {
  CommandSpan span(tracer_, request.line, request.traceparent, "");
  CommandResult result = refuse(request, refusal, who);
  span.tell(result);
  return result;
}

CommandResult CommandDesk::refuse(const CommandRequest& request, const Refusal& refusal,
                                  const std::string& who) {
  CommandResult result;
  result.command = request.line;
  result.status = CommandStatus::kBlocked;
  result.error = "Command blocked for security: " + refusal.why;
  if (audit_ == nullptr) return result;
  const Decision decision = refusal.rule == "person" ? Decision::kRefused : Decision::kBlocked;
  const auto written =
      audit_->decided({who, request.line, request.folder, "", "", decision, refusal.why});
  if (!written.ok())
    result.error += "; the audit log cannot be written: " + written.error().message;
  return result;
}

Task<CommandResult> CommandDesk::run(CommandRequest request, bool approved, std::string who,
                                     std::optional<Duration> timeout) {
  CommandSpan span(tracer_, request.line, request.traceparent, "");
  CommandResult result = co_await run_traced(std::move(request), approved, std::move(who), timeout);
  span.tell(result);
  co_return result;
}

Task<CommandResult> CommandDesk::run_traced(CommandRequest request, bool approved, std::string who,
                                            std::optional<Duration> timeout) {
  Result<Permit, Refusal> permit = policy_.permit(request);
  if (!permit.ok()) co_return refuse(request, permit.error(), who);
  if (permit.value().approval && !approved) {
    const Refusal refusal{"approval", "nobody has approved it"};
    co_return refuse(request, refusal, who);
  }
  net::Command command = std::move(permit.value().command);
  std::int64_t id = 0;
  if (audit_ != nullptr) {
    const Decision decision = approved ? Decision::kApproved : Decision::kAllowed;
    const AuditEntry entry{
        who, request.line, command.cwd, "", permit.value().real_program, decision, ""};
    const Result<std::int64_t> written = audit_->decided(entry);
    if (!written.ok()) {
      CommandResult unwritten;
      unwritten.command = request.line;
      unwritten.error = "the audit log cannot be written: " + written.error().message;
      co_return unwritten;
    }
    id = written.value();
  }
  if (!bubblewrap_.empty()) command = sandboxed(std::move(command), bubblewrap_);
  const Duration time = timeout.value_or(runner_.limits().timeout);
  CommandResult result = co_await runner_.run(std::move(command), std::move(request.line), time);
  if (audit_ != nullptr) audit_->ended(id, result);
  co_return result;
}

}  // namespace plumbline::agents::command_line
