// Desks lets several users ask several agents at once. An agent answers one request after the
// other, in the order in which they came.

#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "core/agents/agent.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "fakes/world/sim_loop.h"
#include "scenarios/format/scenario.h"
#include "scenarios/world/agent_run.h"

namespace plumbline::scenarios {

struct UserRun;

// DeskWork is what is done at a desk, by whoever keeps the users.
class DeskWork {
 public:
  // begin makes the next request of `user`; `again`: the one that a crash interrupted.
  virtual Task<agents::Outcome> begin(UserRun& user, bool again) = 0;

  // end takes what the request came to.
  virtual void end(UserRun& user, agents::Outcome& outcome) = 0;

  // ran counts the turns of the world.
  virtual void ran(std::int64_t turns) = 0;

 protected:
  ~DeskWork() = default;
};

class Desks final {
 public:
  // All must outlive the desks. A request may take `time_max`.
  Desks(fakes::SimLoop& loop, DeskWork& work, Duration time_max)
      : loop_(loop), work_(work), time_max_(time_max) {}
  Desks(const Desks&) = delete;
  Desks& operator=(const Desks&) = delete;

  // add makes `user` ask `agent` as `spec` says.
  void add(const UserSpec& spec, AgentRun& agent, UserRun& user);

  // run runs the world until everybody was answered as often as they ask. An error: somebody was
  // not, as SimLoop::run_until tells.
  Status run();

 private:
  // Visitor is a user between and at their requests.
  struct Visitor {
    Visitor(const UserSpec& its_spec, UserRun& its_user, std::deque<Visitor*>& its_line)
        : spec(its_spec), user(its_user), line(its_line) {}

    const UserSpec& spec;
    UserRun& user;
    std::deque<Visitor*>& line;  // Of the desk.
    std::int64_t answered = 0;
    Alarm comes{[this] { line.push_back(this); }};
  };
  struct Desk {
    explicit Desk(AgentRun& its_agent) : agent(its_agent) {}

    AgentRun& agent;
    std::deque<Visitor*> line;
    Visitor* served = nullptr;
    Instant give_up{};
    enum class State { kUp, kDown, kBack } state = State::kUp;
    Alarm back{[this] { state = State::kBack; }};
    Task<agents::Outcome> asking;
  };

  bool waits(const Desk& desk) const;
  bool all_answered() const;
  void serve(Desk& desk, bool again);
  void bury(Desk& desk);
  void revive(Desk& desk);
  void look_at(Desk& desk);
  Instant give_up() const;

  fakes::SimLoop& loop_;
  DeskWork& work_;
  Duration time_max_;
  std::deque<Desk> desks_;
  std::deque<Visitor> visitors_;
};

}  // namespace plumbline::scenarios
