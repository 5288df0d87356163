#include "scenarios/judge/situations.h"

#include <algorithm>
#include <array>

#include "scenarios/judge/event_text.h"
#include "scenarios/judge/invariants.h"

namespace plumbline::scenarios {

namespace {

constexpr std::array<SituationInfo, kSituations> kEvery = {{
    {"call-timed-out", "A call was not answered in time."},
    {"call-lost-connection", "The connection was lost while a call was open."},
    {"call-cancelled", "A request was taken back before its answer."},
    {"call-retried", "A call was made again at the same server."},
    {"another-candidate", "A second server was called for one request."},
    {"late-answer", "An answer came for a request that was over."},
    {"garbage-received", "Something arrived that is no message."},
    {"fault-met-connection", "A fault struck, and something changed by it."},
    {"server-restarted", "A server was started again."},
    {"auth-refused", "A server refused who asked."},
    {"person-approved", "A person approved a call."},
    {"person-refused", "A person refused a call."},
    {"effect", "A side effect happened."},
    {"outcome-unknown", "The user was told that it is not known whether the call took effect."},
    {"status-ok", "A request ended with the status ok."},
    {"status-answered-without-mcp", "A request ended with the status answered_without_mcp."},
    {"status-needs-review", "A request ended with the status needs_review."},
    {"status-failed", "A request ended with the status failed."},
}};

}  // namespace

std::span<const SituationInfo> all_situations() { return kEvery; }

std::optional<Situation> find_situation(std::string_view name) {
  const auto found = std::ranges::find(kEvery, name, &SituationInfo::name);
  if (found == kEvery.end()) return std::nullopt;
  return static_cast<Situation>(found - kEvery.begin());
}

void SituationWatch::on_event(const TraceEvent& event) {
  switch (event.kind) {
    case EventKind::kMessageReceived:
      return on_message(event);
    case EventKind::kRequestStarted:
      return on_request_started(event);
    case EventKind::kRequestEnded:
      return on_request_ended(event);
    case EventKind::kConnection:
      return on_connection(event);
    case EventKind::kGarbage:
      return meet(Situation::kGarbage);
    case EventKind::kEffect:
      return meet(Situation::kEffect);
    case EventKind::kFault:
      if (bool_or(event.detail, "met_a_connection", false)) meet(Situation::kFaultMet);
      return;
    case EventKind::kApproval:
      return meet(bool_or(event.detail, "approved", false) ? Situation::kApproved
                                                           : Situation::kRefused);
    case EventKind::kMessageSent:
    case EventKind::kNodeStarted:
    case EventKind::kNodeEnded:
    case EventKind::kEdgeTaken:
    case EventKind::kState:
    case EventKind::kExchange:
    case EventKind::kNote:
      return;
  }
}

void SituationWatch::on_request_started(const TraceEvent& event) {
  open_.push_back(Open{std::string(event.who), int_or(event.detail, "id", -1)});
  if (!is_call(text_of(event.detail, "method"))) return;
  if (calls_++ == 0) {
    called_ = event.who;
  } else {
    meet(called_ == event.who ? Situation::kCallRetried : Situation::kAnotherCandidate);
  }
}

void SituationWatch::on_request_ended(const TraceEvent& event) {
  const std::int64_t id = int_or(event.detail, "id", -1);
  std::erase_if(open_, [&](const Open& one) { return one.id == id && one.who == event.who; });
  const std::string_view outcome = text_of(event.detail, "outcome");
  if (outcome == "cancelled") meet(Situation::kCallCancelled);
  if (!is_call(text_of(event.detail, "method"))) return;
  if (outcome == "timeout") meet(Situation::kCallTimedOut);
  if (outcome == "disconnected") meet(Situation::kCallLostConnection);
}

void SituationWatch::on_message(const TraceEvent& event) {
  if (find(event.detail, "method") != nullptr) return;
  const std::int64_t id = request_number(event.detail);
  const bool open = std::ranges::any_of(
      open_, [&](const Open& one) { return one.id == id && one.who == event.who; });
  if (!open) meet(Situation::kLateAnswer);
  if (open && speaks_of_auth(event.detail)) meet(Situation::kAuthRefused);
}

void SituationWatch::on_connection(const TraceEvent& event) {
  if (text_of(event.detail, "state") != "started") return;
  auto server = std::ranges::find(servers_, event.who, &Server::name);
  if (server == servers_.end()) {
    server = servers_.insert(servers_.end(), Server{std::string(event.who)});
  }
  if (++server->starts == 2) meet(Situation::kServerRestarted);
}

void SituationWatch::request_begins() {
  calls_ = 0;
  called_.clear();
}

void SituationWatch::request_ends(const Json& final_output) {
  const std::string_view status = text_of(final_output, "status");
  if (status == "ok") meet(Situation::kOk);
  if (status == "answered_without_mcp") meet(Situation::kAnsweredWithoutMcp);
  if (status == "needs_review") meet(Situation::kNeedsReview);
  if (status == "failed") meet(Situation::kFailed);
  if (text_of(final_output, "outcome") == "unknown") meet(Situation::kOutcomeUnknown);
}

}  // namespace plumbline::scenarios
