// CommandSpan is the span of one command: which program, where, and how it ended; not what it
// printed.

#pragma once

#include <string>

#include "core/agents/command_line/run/command_result.h"
#include "core/trace/tracer.h"

namespace plumbline::agents::command_line {

class CommandSpan {
 public:
  // Begins now, as "execute PROGRAM", where `line` begins with one. `tracer` may be null; `host` is
  // the other machine, empty: this one. The line is told without its secrets.
  //
  // OpenTelemetry, Semantic conventions for CLI programs; process attributes.
  CommandSpan(trace::Tracer* tracer, const std::string& line, const std::string& traceparent,
              const std::string& host);

  // tell says how it ended. Otherwise it was dropped, and nobody knows.
  void tell(const CommandResult& result);

 private:
  trace::OpenSpan span_;
};

}  // namespace plumbline::agents::command_line
