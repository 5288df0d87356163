#include "scenarios/world/agent_run.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace plumbline::scenarios {

namespace {

// place_of names the node that a checkpoint stands before.
std::string_view place_of(const MortalSaver::Kept& kept) {
  return kept.ended() ? graph::kEnd : std::string_view(kept.at.branches.front().node);
}

constexpr std::int64_t kTooManyRequests = 429;

}  // namespace

Task<mcp::Reply<Json>> PlantedClient::invoke(connector::McpRequest request) {
  const bool changes = request.method == "tools/call";
  mcp::Reply<Json> reply = co_await client_.invoke(std::move(request));
  if (changes && !reply.ok() && mcp::may_have_happened(mcp::classify(reply.error()))) {
    reply = mcp::Failure(kTooManyRequests, "turned away");
  }
  co_return std::move(reply);
}

AgentRun::AgentRun(const Scenario& scenario, std::size_t place, const Weather& weather,
                   World& world, RunWatch& watch, bool traced)
    : scenario_(scenario),
      spec_(scenario.agents[place]),
      place_(place),
      weather_(weather),
      world_(world),
      judges_(watch.judges(place)),
      crashing_(crashes_of(weather, spec_.name)),
      crashes_(world.loop(), *watch.agents()[place], crashing_),
      saver_(crashes_, world.operations()),
      tracer_(world.loop(), *watch.agents()[place]),
      quick_(judges_.invariants()),
      watch_(traced ? static_cast<graph::GraphObserver&>(tracer_) : quick_) {
  if (may_crash()) watch.add(place, crashes_);
  start();
}

std::vector<Crash> AgentRun::crashes_of(const Weather& weather, const std::string& agent) {
  std::vector<Crash> own;
  for (const Crash& crash : weather.inner.crashes) {
    if (crash.agent.empty() || crash.agent == agent) own.push_back(crash);
  }
  return own;
}

void AgentRun::start() {
  connector::McpClient* client = &world_.hub(place_);
  if (has_defect(weather_.inner, kRetryUnknown)) {
    client = &planted_.emplace(*client);
  }
  if (may_crash()) client = &mortal_.emplace(*client, crashes_);
  session_ = spec_.agent->open({world_.loop(), *client, scenario_.policy, &watch_});
}

Task<agents::Outcome> AgentRun::ask(agents::Request request, agents::Reviewer reviewer,
                                    std::string thread) {
  std::optional<agents::Place> place;
  thread_ = std::move(thread);
  if (may_crash() || world_.operations().on()) place.emplace(agents::Place{saver_, thread_});
  return agents::ask(*session_, std::move(request), std::move(reviewer), std::move(place));
}

Duration AgentRun::bury() {
  session_.reset();
  world_.restart(place_);
  return crashes_.bury();
}

void AgentRun::revive() {
  Task<Result<std::optional<MortalSaver::Kept>>> reading = saver_.latest(thread_);
  reading.start();
  const std::optional<MortalSaver::Kept>& kept = reading.result().value();
  judges_.restarted(kept ? place_of(*kept) : std::string_view());
  start();
}

}  // namespace plumbline::scenarios
