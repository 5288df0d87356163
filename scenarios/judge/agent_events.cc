#include "scenarios/judge/agent_events.h"

#include <utility>

#include "core/json/json.h"
#include "scenarios/judge/event_text.h"

namespace plumbline::scenarios {

namespace {

std::string_view tool_of(const Json& message) {
  const Json* const params = find(message, "params");
  return params == nullptr ? std::string_view() : text_of(*params, "name");
}

}  // namespace

void Callers::on_event(std::size_t agent, const TraceEvent& event) {
  if (event.kind == EventKind::kMessageSent) {
    if (text_of(event.detail, "method") != "tools/call") return;
    calls_.push_back(Call{agent, std::string(event.who), std::string(tool_of(event.detail)),
                          int_or(event.detail, "id", -1)});
  } else if (event.kind == EventKind::kRequestEnded) {
    const std::int64_t id = int_or(event.detail, "id", -1);
    for (Call& call : calls_) {
      if (call.agent == agent && call.server == event.who && call.id == id) call.open = false;
    }
  }
}

std::optional<std::size_t> Callers::caller_of(std::string_view server,
                                              std::string_view tool) const {
  for (const bool open : {true, false}) {
    std::optional<std::size_t> only;
    for (const Call& call : calls_) {
      if (call.server != server || call.tool != tool || (open && !call.open)) continue;
      if (only && *only != call.agent) return std::nullopt;
      only = call.agent;
    }
    if (only) return only;
  }
  return std::nullopt;
}

EventSink& AgentEvents::add(std::string name, EventSink& own, EventSink& situations) {
  return agents_.emplace_back(*this, agents_.size(), std::move(name), own, situations);
}

void AgentEvents::Agent::on_event(const TraceEvent& event) {
  const std::string who = name + '/' + std::string(event.who);
  owner.all_.on_event(TraceEvent{event.at, event.kind, who, event.detail});
  owner.callers_.on_event(index, event);
  if (event.kind == EventKind::kApproval) owner.unknown_.on_event(event);
  own.on_event(event);
}

void AgentEvents::World::on_event(const TraceEvent& event) {
  owner.all_.on_event(event);
  if (event.kind == EventKind::kEffect) {
    const auto caller = owner.callers_.caller_of(event.who, text_of(event.detail, "tool"));
    (caller ? owner.agents_[*caller].own : owner.unknown_).on_event(event);
    return;
  }
  for (Agent& agent : owner.agents_) {
    if (event.kind == EventKind::kFault) agent.own.on_event(event);
    if (event.kind == EventKind::kConnection) agent.situations.on_event(event);
  }
}

}  // namespace plumbline::scenarios
