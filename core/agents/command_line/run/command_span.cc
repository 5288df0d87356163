#include "core/agents/command_line/run/command_span.h"

#include <vector>

#include "core/agents/command_line/rules/words.h"

namespace plumbline::agents::command_line {

namespace {

// program_word returns the last part of the path of the program that a line names.
std::string program_word(const std::string& line) {
  const Result<std::vector<std::string>> words = split_words(line);
  if (!words.ok()) return "shell";
  const std::string& program = words.value().front();
  return program.substr(program.rfind('/') + 1);
}

}  // namespace

CommandSpan::CommandSpan(trace::Tracer* tracer, const std::string& line,
                         const std::string& traceparent, const std::string& host) {
  if (tracer == nullptr) return;
  const std::string program = program_word(line);
  span_ = trace::OpenSpan(tracer, "execute " + program, trace::SpanKind::kClient, traceparent);
  span_.set("process.executable.name", program);
  span_.set("process.command_line", line);
  if (!host.empty()) span_.set("server.address", host);
  span_.set("plumbline.command.outcome", std::string("unknown"));
}

void CommandSpan::tell(const CommandResult& result) {
  if (!span_.told()) return;
  const std::string status(name_of(result.status));
  span_.set("plumbline.command.status", status);
  const bool known = !result.outcome_unknown;
  span_.set("plumbline.command.outcome", std::string(known ? "known" : "unknown"));
  if (result.return_code) span_.set("process.exit.code", std::int64_t{*result.return_code});
  if (result.status != CommandStatus::kSuccess) span_.fail(status, result.error);
}

}  // namespace plumbline::agents::command_line
