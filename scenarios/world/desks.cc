#include "scenarios/world/desks.h"

#include <algorithm>
#include <utility>

namespace plumbline::scenarios {

void Desks::add(const UserSpec& spec, AgentRun& agent, UserRun& user) {
  const auto found =
      std::ranges::find_if(desks_, [&](const Desk& one) { return &one.agent == &agent; });
  Desk& desk = found == desks_.end() ? desks_.emplace_back(agent) : *found;
  Visitor& visitor = visitors_.emplace_back(spec, user, desk.line);
  loop_.arm(visitor.comes, after(loop_.now(), spec.begins));
}

// waits returns whether there is something to do at the desk before the world goes on.
bool Desks::waits(const Desk& desk) const {
  if (desk.agent.dead() || desk.state != Desk::State::kUp) {
    return desk.state != Desk::State::kDown;
  }
  return desk.served == nullptr ? !desk.line.empty() : desk.asking.done();
}

bool Desks::all_answered() const {
  return std::ranges::all_of(visitors_,
                             [](const Visitor& one) { return one.answered == one.spec.times; });
}

Status Desks::run() {
  while (!all_answered()) {
    const Result<std::int64_t> turns = loop_.run_until(
        [this] {
          return std::ranges::any_of(desks_, [this](const Desk& desk) { return waits(desk); });
        },
        limits::kTurnsMax, give_up());
    if (!turns.ok()) return turns.error();
    work_.ran(turns.value());
    for (Desk& desk : desks_) {
      if (waits(desk)) look_at(desk);
    }
  }
  return Done{};
}

void Desks::look_at(Desk& desk) {
  if (desk.state == Desk::State::kBack) return revive(desk);
  if (desk.agent.dead()) return bury(desk);
  if (desk.served == nullptr) {
    desk.served = desk.line.front();
    desk.line.pop_front();
    return serve(desk, false);
  }
  Visitor& visitor = *std::exchange(desk.served, nullptr);
  work_.end(visitor.user, desk.asking.result());
  desk.asking.drop();
  if (++visitor.answered < visitor.spec.times) {
    loop_.arm(visitor.comes, after(loop_.now(), visitor.spec.pause));
  }
}

void Desks::serve(Desk& desk, bool again) {
  desk.asking = work_.begin(desk.served->user, again);
  desk.give_up = after(loop_.now(), time_max_);
  desk.asking.start();
}

// A dead agent is away for a while, in which everybody else goes on.
void Desks::bury(Desk& desk) {
  desk.asking.drop();
  desk.state = Desk::State::kDown;
  loop_.arm(desk.back, after(loop_.now(), desk.agent.bury()));
}

void Desks::revive(Desk& desk) {
  desk.state = Desk::State::kUp;
  desk.agent.revive();
  if (desk.served != nullptr) serve(desk, true);
}

// give_up returns when the first of those who are served has waited too long.
Instant Desks::give_up() const {
  Instant first = kNever;
  for (const Desk& desk : desks_) {
    const bool at_work = desk.served != nullptr && desk.state == Desk::State::kUp;
    if (at_work) first = std::min(first, desk.give_up);
  }
  return first;
}

}  // namespace plumbline::scenarios
