#include <algorithm>

#include "core/base/check.h"
#include "core/events/report.h"
#include "core/events/trace_event.h"

namespace plumbline {

std::string_view name_of(EventKind kind) {
  switch (kind) {
    case EventKind::kMessageSent:
      return "message_sent";
    case EventKind::kMessageReceived:
      return "message_received";
    case EventKind::kGarbage:
      return "garbage";
    case EventKind::kConnection:
      return "connection";
    case EventKind::kState:
      return "state";
    case EventKind::kRequestStarted:
      return "request_started";
    case EventKind::kRequestEnded:
      return "request_ended";
    case EventKind::kNodeStarted:
      return "node_started";
    case EventKind::kNodeEnded:
      return "node_ended";
    case EventKind::kEdgeTaken:
      return "edge_taken";
    case EventKind::kEffect:
      return "effect";
    case EventKind::kFault:
      return "fault";
    case EventKind::kApproval:
      return "approval";
    case EventKind::kExchange:
      return "exchange";
    case EventKind::kNote:
      return "note";
  }
  check(false, "unknown EventKind");
  return {};
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "fail";
    case Verdict::kWarn:
      return "warn";
    case Verdict::kSkip:
      return "skip";
    case Verdict::kInconclusive:
      return "inconclusive";
    case Verdict::kExpectedFail:
      return "xfail";
  }
  check(false, "unknown Verdict");
  return {};
}

namespace {

// follows returns whether the check that brings this failure with it fails in the report.
bool follows(const CheckResult& result, const Report& report) {
  if (result.because.empty() || result.verdict != Verdict::kFail) return false;
  return std::ranges::any_of(report.results, [&result](const CheckResult& other) {
    return other.verdict == Verdict::kFail && other.id == result.because &&
           other.revision == result.revision && other.server == result.server;
  });
}

}  // namespace

Summary summarize(const Report& report) {
  Summary summary;
  for (const CheckResult& result : report.results) summary.follow += follows(result, report);
  for (const CheckResult& result : report.results) {
    switch (result.verdict) {
      case Verdict::kPass:
        ++summary.pass;
        break;
      case Verdict::kFail:
        ++summary.fail;
        break;
      case Verdict::kWarn:
        ++summary.warn;
        break;
      case Verdict::kSkip:
        ++summary.skip;
        break;
      case Verdict::kInconclusive:
        ++summary.inconclusive;
        break;
      case Verdict::kExpectedFail:
        ++summary.expected_fail;
        break;
    }
  }
  return summary;
}

}  // namespace plumbline
