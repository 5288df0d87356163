#include "core/agents/command_line/command_desk.h"

#include <string>
#include <utility>

#include "core/agents/command_line/run/command_span.h"
#include "core/agents/command_line/run/sandbox.h"

namespace plumbline::agents::command_line {

namespace {

const std::string kBlockedLead = "Command blocked for security: ";

// ProgramLook makes sure that a program and the folder it starts in are those that were approved,
// and has that very file started in that very folder, where it can be by their descriptors.
class ProgramLook final : public LastLook {
 public:
  ProgramLook(const CommandPolicy& policy, const Prepared& prepared, bool by_descriptor)
      : policy_(policy), prepared_(prepared), by_descriptor_(by_descriptor) {}

  // implements LastLook ---
  Status look(net::Command& command) override {
    Result<OpenProgram> program = policy_.open(prepared_.permit);
    if (!program.ok()) return program.error();
    if (program.value().digest != prepared_.action.meaning) {
      return Error{ErrorCode::kConflict, kBlockedLead + prepared_.permit.command.program +
                                             " is another program than the one that was approved"};
    }
    Result<OpenFolder> folder = policy_.open_folder(prepared_.permit);
    if (!folder.ok()) return folder.error();
    if (folder.value().number != prepared_.action.identity) {
      return Error{ErrorCode::kConflict, kBlockedLead + prepared_.permit.command.cwd +
                                             " is another folder than the one that was approved"};
    }
    open_ = std::move(program).value();
    folder_ = std::move(folder).value();
    if (by_descriptor_) {
      command.program = open_.path;
      command.cwd = folder_.path;
    }
    return Done{};
  }

 private:
  const CommandPolicy& policy_;
  const Prepared& prepared_;
  bool by_descriptor_;
  OpenProgram open_;  // Until the command has started.
  OpenFolder folder_;
};

}  // namespace

CommandDesk::CommandDesk(const CommandPolicy& policy, CommandRunner& runner, AuditLog* audit,
                         std::string bubblewrap, trace::Tracer* tracer)
    : policy_(policy),
      runner_(runner),
      audit_(audit),
      bubblewrap_(std::move(bubblewrap)),
      tracer_(tracer) {}

Result<Prepared, Refusal> CommandDesk::prepare(const CommandRequest& request,
                                               const std::string& who) const {
  Result<Permit, Refusal> permit = policy_.permit(request);
  if (!permit.ok()) return permit.error();
  Prepared out;
  out.permit = std::move(permit).value();
  if (!out.permit.approval) return out;
  const Result<OpenProgram> program = policy_.open(out.permit);
  if (!program.ok()) return Refusal{"program", program.error().message};
  out.action.type = "command";
  out.action.line = request.line;
  out.action.name = out.permit.command.argv.front();
  out.action.folder = out.permit.command.cwd;
  out.action.variables = request.env;
  out.action.program = out.permit.real_program;
  out.action.shell = request.shell;
  out.action.runs = out.permit.runs;
  out.action.user = who;
  out.action.meaning = program.value().digest;
  const Result<OpenFolder> folder = policy_.open_folder(out.permit);
  if (!folder.ok()) return Refusal{"folder", folder.error().message};
  out.action.identity = folder.value().number;
  return out;
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
  result.error = kBlockedLead + refusal.why;
  if (audit_ == nullptr) return result;
  const Decision decision = refusal.rule == "person" ? Decision::kRefused : Decision::kBlocked;
  const auto written =
      audit_->decided({who, request.line, request.folder, "", "", decision, refusal.why});
  if (!written.ok())
    result.error += "; the audit log cannot be written: " + written.error().message;
  return result;
}

Task<CommandResult> CommandDesk::run(CommandRequest request, std::string approved, std::string who,
                                     std::optional<Duration> timeout) {
  CommandSpan span(tracer_, request.line, request.traceparent, "");
  CommandResult result =
      co_await run_traced(std::move(request), std::move(approved), std::move(who), timeout);
  span.tell(result);
  co_return result;
}

Task<CommandResult> CommandDesk::run_traced(CommandRequest request, std::string approved,
                                            std::string who, std::optional<Duration> timeout) {
  Result<Prepared, Refusal> prepared = prepare(request, who);
  if (!prepared.ok()) co_return refuse(request, prepared.error(), who);
  const Permit& permit = prepared.value().permit;
  if (permit.approval && approved != digest_of(prepared.value().action)) {
    const Refusal refusal{
        "approval", approved.empty() ? "nobody has approved it" : "it is not what was approved"};
    co_return refuse(request, refusal, who);
  }
  ProgramLook look(policy_, prepared.value(), bubblewrap_.empty());
  net::Command command = permit.command;
  std::string id;
  if (audit_ != nullptr) {
    const Decision decision = permit.approval ? Decision::kApproved : Decision::kAllowed;
    const AuditEntry entry{who, request.line, command.cwd, "", permit.real_program, decision, ""};
    const Result<std::string> written = audit_->decided(entry);
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
  LastLook* const last = permit.approval ? &look : nullptr;
  CommandResult result =
      co_await runner_.run(std::move(command), std::move(request.line), time, last);
  if (audit_ != nullptr) audit_->ended(id, result);
  co_return result;
}

}  // namespace plumbline::agents::command_line
