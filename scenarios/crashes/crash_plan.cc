#include "scenarios/crashes/crash_plan.h"

#include <utility>

#include "core/base/check.h"
#include "scenarios/judge/event_text.h"

namespace plumbline::scenarios {

namespace {

Status unwritten() { return Error{ErrorCode::kDisconnected, "the checkpoint cannot be written"}; }

}  // namespace

CrashPlan::CrashPlan(Loop& loop, EventSink& events, const std::vector<Crash>& crashes)
    : loop_(loop), events_(events) {
  for (const Crash& crash : crashes) planned_.push_back(Planned{crash});
  for (Planned& planned : planned_) {
    if (planned.crash.point) continue;
    alarms_.push_back(std::make_unique<Alarm>([this, &planned] { strike(planned); }));
    loop_.arm(*alarms_.back(), after(Instant{}, planned.crash.at));
  }
}

bool CrashPlan::reach(CrashPoint point) {
  if (dead_) return true;
  const std::int64_t time = ++reached_[point];
  for (Planned& planned : planned_) {
    if (planned.over || planned.crash.point != point || planned.crash.nth != time) continue;
    strike(planned);
    return true;
  }
  return false;
}

void CrashPlan::strike(Planned& planned) {
  planned.over = true;
  dead_ = true;
  down_ = planned.crash.down;
  Json detail = Json::object();
  detail["fault"] = "crash_orchestrator";
  if (planned.crash.point) {
    detail["at"] = all_crash_points()[static_cast<std::size_t>(*planned.crash.point)].name;
  }
  events_.on_event(TraceEvent{loop_.now(), EventKind::kFault, "orchestrator", detail});
}

Duration CrashPlan::bury() {
  check(dead_, "bury() of a live orchestrator");
  dead_ = false;
  return down_;
}

void CrashPlan::stop_watching() {
  alarms_.clear();
  planned_.clear();
  dead_ = false;
}

void CrashPlan::on_event(const TraceEvent& event) {
  if (dead_) return;
  if (event.kind == EventKind::kEffect) reach(CrashPoint::kAfterEffect);
  if (event.kind != EventKind::kRequestStarted) return;
  if (is_call(string_or(event.detail, "method", ""))) reach(CrashPoint::kAfterCall);
}

Task<mcp::Reply<Json>> MortalClient::invoke(connector::McpRequest request) {
  if (plan_.reach(CrashPoint::kBeforeCall)) co_await plan_.end();
  mcp::Reply<Json> reply = co_await client_.invoke(std::move(request));
  if (plan_.reach(CrashPoint::kAfterResult)) co_await plan_.end();
  co_return std::move(reply);
}

Task<Status> MortalSaver::put(graph::Turn turn, Kept checkpoint) {
  return mortal(inner().put(std::move(turn), std::move(checkpoint)));
}

Task<Status> MortalSaver::put_branch(graph::Turn turn, graph::Branch<agents::SavedState> branch) {
  return mortal(inner().put_branch(std::move(turn), std::move(branch)));
}

Task<Status> MortalSaver::mortal(Task<Status> writing) {
  if (plan_.reach(CrashPoint::kBeforeCheckpoint)) co_await plan_.end();
  if (operations_.fails("checkpoint")) co_return unwritten();
  Status kept = co_await writing;
  if (plan_.reach(CrashPoint::kAfterCheckpoint)) co_await plan_.end();
  co_return kept;
}

Task<Status> MortalSaver::add_note(graph::Turn turn, graph::Note note) {
  if (plan_.reach(CrashPoint::kBeforeNote)) co_await plan_.end();
  if (operations_.fails("note")) co_return unwritten();
  Status kept = co_await inner().add_note(std::move(turn), std::move(note));
  co_return kept;
}

}  // namespace plumbline::scenarios
