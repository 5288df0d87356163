#include "core/service/sessions/worker_desk.h"

#include <algorithm>

namespace plumbline::service {

namespace {

using End = WorkerOutcome::End;

WorkerOutcome ended(End end, std::string why) { return {end, nullptr, std::move(why), {}}; }

std::string seconds_text(Duration span) {
  const std::int64_t ms = milliseconds_of(span);
  return ms % 1'000 == 0 ? std::to_string(ms / 1'000) + " s" : std::to_string(ms) + " ms";
}

}  // namespace

std::optional<WorkerDesk::Refusal> WorkerDesk::start(Call call, Instant now) {
  if (closed_) return Refusal::kSessionOver;
  if (calls_.contains(call.id) || ended_.contains(call.id)) return Refusal::kIdInUse;
  if (calls_.size() >= options_.calls_max) return Refusal::kTooManyCalls;
  Waiting waiting;
  waiting.deadline = after(now, options_.call_max);
  if (!present_) waiting.patience = after(now, options_.grace);
  std::string id = call.id;
  waiting.call = std::move(call);
  Waiting& added = calls_.emplace(std::move(id), std::move(waiting)).first->second;
  if (present_) tell(added);
  return std::nullopt;
}

void WorkerDesk::tell(Waiting& waiting) {
  waiting.told = true;
  Json data = {{"type", "tool_request"},
               {"requestId", waiting.call.id},
               {"toolName", waiting.call.tool},
               {"params", waiting.call.params}};
  if (!waiting.call.dataset.is_null()) data["dataset"] = waiting.call.dataset;
  actions_.emplace_back(Tell{"tool_request", std::move(data)});
}

void WorkerDesk::end(Calls::iterator at, WorkerOutcome outcome) {
  const bool answered = outcome.end == End::kResult || outcome.end == End::kFailed;
  std::string id = at->first;
  calls_.erase(at);
  ended_.emplace(id, answered);
  ended_order_.push_back(id);
  if (ended_order_.size() > options_.remembered_max) {
    ended_.erase(ended_order_.front());
    ended_order_.pop_front();
  }
  actions_.emplace_back(Ended{std::move(id), std::move(outcome)});
}

WorkerDesk::Heard WorkerDesk::heard_of_ended(const std::string& id) {
  const auto known = ended_.find(id);
  if (known == ended_.end()) {
    ++ignored_.unknown;
    return Heard::kUnknown;
  }
  ++(known->second ? ignored_.twice : ignored_.late);
  return known->second ? Heard::kTwice : Heard::kLate;
}

WorkerDesk::Heard WorkerDesk::answer(const std::string& id, WorkerOutcome outcome) {
  const auto found = calls_.find(id);
  // What nobody was told, nobody can have done.
  if (found == calls_.end() || !found->second.told) return heard_of_ended(id);
  end(found, std::move(outcome));
  return Heard::kTaken;
}

template <typename Said>
WorkerDesk::Heard WorkerDesk::pass_on(Said said) {
  const auto found = calls_.find(said.id);
  if (found == calls_.end() || !found->second.told) return heard_of_ended(said.id);
  actions_.emplace_back(std::move(said));
  return Heard::kTaken;
}

WorkerDesk::Heard WorkerDesk::progress(Progressed report) { return pass_on(std::move(report)); }

WorkerDesk::Heard WorkerDesk::log(Logged line) { return pass_on(std::move(line)); }

void WorkerDesk::cancel(const std::string& id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  if (found->second.told) {
    actions_.emplace_back(Tell{"tool_cancelled", {{"type", "tool_cancelled"}, {"requestId", id}}});
  }
  end(found, ended(End::kCancelled, "the caller took the call back"));
}

void WorkerDesk::worker_came(bool resumed) {
  present_ = true;
  for (auto at = calls_.begin(); at != calls_.end();) {
    const auto here = at++;
    Waiting& waiting = here->second;
    waiting.patience = kNever;
    if (!waiting.told) {
      tell(waiting);
    } else if (!resumed) {
      end(here, ended(End::kTakenOver, "another worker took over before the call was answered"));
    }
  }
}

void WorkerDesk::worker_left(Instant now) {
  if (!std::exchange(present_, false)) return;
  for (auto& [id, waiting] : calls_) waiting.patience = after(now, options_.grace);
}

void WorkerDesk::close() {
  closed_ = true;
  while (!calls_.empty()) {
    end(calls_.begin(), ended(End::kSessionOver, "the session is over"));
  }
}

void WorkerDesk::tick(Instant now) {
  for (auto at = calls_.begin(); at != calls_.end();) {
    const auto here = at++;
    const Waiting& waiting = here->second;
    if (waiting.deadline <= now) {
      if (waiting.told) {
        actions_.emplace_back(
            Tell{"tool_cancelled", {{"type", "tool_cancelled"}, {"requestId", here->first}}});
      }
      end(here,
          ended(End::kTimeout, "the worker did not answer in " + seconds_text(options_.call_max)));
    } else if (waiting.patience <= now) {
      end(here,
          ended(End::kWorkerGone, waiting.told ? "the worker went away before the call was answered"
                                               : "no worker is connected to the session"));
    }
  }
}

Instant WorkerDesk::next_deadline() const {
  Instant next = kNever;
  for (const auto& [id, waiting] : calls_) {
    next = std::min({next, waiting.deadline, waiting.patience});
  }
  return next;
}

}  // namespace plumbline::service
