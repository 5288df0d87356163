#include "scenarios/shrink/shrink.h"

#include <algorithm>
#include <utility>

#include "scenarios/format/format_weather.h"
#include "scenarios/shrink/shrink_choices.h"
#include "scenarios/shrink/shrink_document.h"
#include "scenarios/shrink/shrink_held.h"
#include "scenarios/sweep/trials.h"
#include "scenarios/world/weather.h"

namespace plumbline::scenarios {

namespace {

// FailingWorld is a world that fails.
struct FailingWorld {
  Weather weather;
  Trial result;
};

std::optional<FailingWorld> find_failure(Trials& trials) {
  for (const Trials::Around around : {Trials::Around::kDrawn, Trials::Around::kOfFile}) {
    Trial trial = trials.whole(around);
    if (!trial.failures.empty()) return FailingWorld{trials.weather(around), std::move(trial)};
  }
  return std::nullopt;
}

// document_of writes out what the world was. Only the failed expectation is of interest: under
// other weather than that of the file the rest need not be met.
Json document_of(const Scenario& scenario, const FailingWorld& found, Transport transport) {
  Json document = scenario.document;
  const Json weather = to_json(found.weather);
  for (const auto& [key, value] : weather.items()) document[key] = value;
  if (transport != Transport::kAny && found.weather.world.transport == Transport::kAny) {
    document["world"]["transport"] = kTransportNames[static_cast<std::size_t>(transport) - 1];
  }
  if (!found.result.failures.front().check.starts_with("expect.")) {
    const Json any = Json::object({{"status", "any"}});
    const bool answers = !scenario.names_users() && scenario.has_agent();
    document["expect"] = answers ? any : Json::object();
    for (const UserSpec& user : scenario.users) {
      if (scenario.names_users()) document["users"][user.name]["expect"] = any;
    }
  }
  return document;
}

Json with_schedule(Json document, fakes::Schedule schedule) {
  while (!schedule.empty() && schedule.back() == 0) schedule.pop_back();
  document["world"].erase("order");
  document["world"]["schedule"] = std::move(schedule);
  return document;
}

// Search is the search for the smallest document.
class Search {
 public:
  Search(HeldCheck& held, Json whole, std::uint64_t seed)
      : held_(held), whole_(std::move(whole)), seed_(seed) {}

  void shrink(const ShrinkOptions& options, Shrunk& shrunk) {
    std::vector<std::uint64_t> values = keep_everything(whole_, held_.place());
    values.insert(values.begin(), 1);
    const ShrinkLimits limits{options.runs_max, options.stop};
    const ShrunkChoices found = shrink_choices(
        std::move(values),
        [this](fakes::Choices& choices) { return choose(choices).fails.has_value(); }, limits);
    fakes::Choices choices(found.values);
    const Chosen chosen = choose(choices);
    shrunk.document = chosen.document.document;
    shrunk.run_seed = chosen.seed;
    shrunk.message = chosen.fails.value_or("");
    shrunk.complete = found.complete;
    for (const std::string& place : chosen.document.dropped) {
      const Json* const fault = at_pointer(whole_, place);
      if (!is_fault(place) || fault == nullptr) continue;
      shrunk.not_needed.push_back(describe_fault(*fault));
    }
  }

 private:
  struct Chosen {
    std::uint64_t seed = 1;
    ChosenDocument document;
    std::optional<std::string> fails;
  };

  Chosen choose(fakes::Choices& choices) {
    Chosen chosen;
    // What is still drawn in the world may as well be drawn from the seed that needs no mention.
    chosen.seed = choices.below(2) == 0 ? 1 : seed_;
    chosen.document = choose_document(whole_, held_.place(), choices);
    chosen.fails = held_.fails(chosen.document.document, chosen.seed);
    return chosen;
  }

  static bool is_fault(const std::string& place) {
    return place.starts_with("/faults/") && std::ranges::count(place, '/') == 2;
  }

  HeldCheck& held_;
  Json whole_;
  std::uint64_t seed_;
};

}  // namespace

Shrunk shrink_failure(const Scenario& scenario, std::uint64_t seed, const ShrinkOptions& options) {
  Shrunk shrunk;
  Trials trials(scenario, seed, options.transport, options.hire);
  const std::optional<FailingWorld> found = find_failure(trials);
  if (!found) return shrunk;
  shrunk.failed = true;
  shrunk.failure = found->result.failures.front();
  shrunk.message = shrunk.failure.message;
  HeldCheck held(trials, scenario, shrunk.failure);
  Json whole = document_of(scenario, *found, options.transport);
  if (found->weather.world.order == fakes::Order::kPermuted) {
    Json scheduled = with_schedule(whole, found->result.schedule);
    if (held.fails(scheduled, seed)) whole = std::move(scheduled);
  }
  if (!held.fails(whole, seed)) return shrunk;  // A file cannot say what this world was.
  Search(held, std::move(whole), seed).shrink(options, shrunk);
  shrunk.faults = judge_faults(held, shrunk.document, shrunk.run_seed);
  shrunk.runs = held.runs();
  return shrunk;
}

}  // namespace plumbline::scenarios
