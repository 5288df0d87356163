// AgentEvents sorts the events of a world with several agents: each agent's judges hear what is
// theirs, and whoever watches the whole world hears everything, with the agent in front of `who`:
// "desk/files".

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/trace_event.h"

namespace plumbline::scenarios {

// Callers tells which agent made a server do something: servers do not know who calls.
class Callers {
 public:
  // on_event hears what an agent did.
  void on_event(std::size_t agent, const TraceEvent& event);

  // caller_of returns the only agent with an open call of that tool; where none is open, the only
  // one that ever called it. Nothing: it could be several.
  std::optional<std::size_t> caller_of(std::string_view server, std::string_view tool) const;

 private:
  struct Call {
    std::size_t agent = 0;
    std::string server;
    std::string tool;
    std::int64_t id = 0;
    bool open = true;
  };

  std::vector<Call> calls_;
};

class AgentEvents final {
 public:
  // `all` hears everything; `unknown` the effects that no one agent can be told to have caused, and
  // every approval. Both must outlive the events, as what is added must.
  AgentEvents(EventSink& all, EventSink& unknown) : all_(all), unknown_(unknown) {}
  AgentEvents(const AgentEvents&) = delete;
  AgentEvents& operator=(const AgentEvents&) = delete;

  // add returns where the agent `name` tells what it does. `own` hears it, and of the world what
  // the agent caused, and every fault; `situations` hears of servers that start, too.
  EventSink& add(std::string name, EventSink& own, EventSink& situations);

  // world returns where everybody else tells what happens.
  EventSink& world() { return world_; }

 private:
  struct Agent final : EventSink {
    Agent(AgentEvents& its_owner, std::size_t its_index, std::string its_name, EventSink& its_own,
          EventSink& its_situations)
        : owner(its_owner),
          index(its_index),
          name(std::move(its_name)),
          own(its_own),
          situations(its_situations) {}
    void on_event(const TraceEvent& event) override;

    AgentEvents& owner;
    std::size_t index;
    std::string name;
    EventSink& own;
    EventSink& situations;
  };
  struct World final : EventSink {
    explicit World(AgentEvents& its_owner) : owner(its_owner) {}
    void on_event(const TraceEvent& event) override;

    AgentEvents& owner;
  };

  EventSink& all_;
  EventSink& unknown_;
  Callers callers_;
  std::deque<Agent> agents_;
  World world_{*this};
};

}  // namespace plumbline::scenarios
