#include "scenarios/world/agent_run.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace plumbline::scenarios {

namespace {

// places_of names the nodes that a checkpoint stands before.
std::vector<std::string> places_of(const MortalSaver::Kept& kept) {
  if (kept.ended()) return {std::string(graph::kEnd)};
  std::vector<std::string> nodes;
  for (const auto& branch : kept.at.branches) nodes.push_back(branch.node);
  return nodes;
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
      services_{world.models(place)},
      watch_(traced ? static_cast<graph::GraphObserver&>(tracer_) : quick_) {
  if (may_crash()) watch.add(place, crashes_);
  world.models(place).on_prompt(
      [this](const model::Prompt& prompt) { judges_.model().on_prompt(prompt); });
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
  agents::Surroundings surroundings{world_.loop(), *client, scenario_.policy, &watch_,
                                    world_.model(place_)};
  surroundings.supervisor = &services_;
  if (ShellWorld* const shell = world_.shell()) {
    desk_.emplace(world_.loop(), *shell, world_.operations(), crashes_, judges_.commands(),
                  world_.models(place_));
    surroundings.commands = &desk_->commands();
    surroundings.supervisor = &desk_->supervisor();
  }
  session_ = spec_.agent->open(surroundings);
}

void AgentRun::reviewed(const Json& review, const Json& reply) {
  judges_.commands().reviewed(review, reply);
}

void AgentRun::ended(const Json& state) {
  if (may_crash() && !world_.operations().on()) look_at_kept();
  const bool alone = scenario_.agents.size() == 1 && world_.shell() != nullptr;
  judges_.commands().request_ends(state, alone ? world_.shell()->at_work() : 0);
}

// look_at_kept has the last checkpoint judged.
void AgentRun::look_at_kept() {
  Task<Result<std::optional<MortalSaver::Kept>>> reading = saver_.latest(thread_);
  reading.start();
  const std::optional<MortalSaver::Kept>& kept = reading.result().value();
  if (!kept) return;
  const Status right = spec_.agent->check_kept(*kept);
  if (!right.ok()) return judges_.commands().lost(right.error().message);
  const Json json = kept->at.state.json();
  judges_.commands().kept(*find(json, "value"));
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
  desk_.reset();
  world_.restart(place_);
  return crashes_.bury();
}

void AgentRun::revive() {
  Task<Result<std::optional<MortalSaver::Kept>>> reading = saver_.latest(thread_);
  reading.start();
  const std::optional<MortalSaver::Kept>& kept = reading.result().value();
  judges_.restarted(kept ? places_of(*kept) : std::vector<std::string>());
  look_at_kept();
  start();
}

}  // namespace plumbline::scenarios
