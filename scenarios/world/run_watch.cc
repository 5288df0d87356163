#include "scenarios/world/run_watch.h"

#include <string>
#include <string_view>
#include <utility>

namespace plumbline::scenarios {

namespace {

std::vector<std::string> patterns_of(const Json& policy, std::string_view key) {
  std::vector<std::string> out;
  const Json* const list = find(policy, key);
  if (list == nullptr || !list->is_array()) return out;
  for (const Json& item : *list) {
    if (const auto* const text = item.get_ptr<const std::string*>()) out.push_back(*text);
  }
  return out;
}

InvariantRules rules_of(const Scenario& scenario, const agents::Agent& agent,
                        const Redactor& redactor) {
  InvariantRules rules(agent);
  if (!scenario.secrets.empty()) rules.secrets = &redactor;
  rules.allow = patterns_of(scenario.policy_file, "allow");
  rules.not_allowed = patterns_of(scenario.policy_file, "deny");
  for (std::string& pattern : patterns_of(scenario.policy_file, "review")) {
    rules.not_allowed.push_back(std::move(pattern));
  }
  return rules;
}

}  // namespace

Redactor redactor_of(const Scenario& scenario) {
  Redactor redactor;
  for (const std::string& secret : scenario.secrets) redactor.add_forms(secret);
  return redactor;
}

void hide_said(Json& state, std::string_view said, const Redactor& redactor) {
  Redactor own;
  for (const Span& span : redactor.find(said)) {
    own.add_forms(std::string(said.substr(span.begin, span.end - span.begin)));
  }
  own.contain(state);
}

RunWatch::RunWatch(const Scenario& scenario, const Redactor& redactor, const Options& options,
                   const std::vector<EventSink*>& all)
    : scenario_(scenario), redactor_(redactor), redacts_(options.redacts) {
  for (const AgentSpec& agent : scenario.agents) {
    judges_.emplace_back(rules_of(scenario, *agent.agent, redactor),
                         options.conversations ? &redactor : nullptr,
                         scenario.shell ? &*scenario.shell : nullptr, options.late_effects);
    judges_.back().listen(own_.emplace_back());
  }
  const bool alone = judges_.size() == 1;
  for (EventSink* const sink : all) (alone ? own_.front() : all_).add(*sink);
  if (alone) {
    world_ = sinks_.emplace_back(&redacted(own_.front()));
    return;
  }
  everyone_.emplace(rules_of(scenario, *scenario.agents.front().agent, redactor));
  sorted_.emplace(all_, *everyone_);
  for (std::size_t i = 0; i < judges_.size(); ++i) {
    EventSink& sink = sorted_->add(scenario.agents[i].name, own_[i], judges_[i].situations());
    sinks_.push_back(&redacted(sink));
  }
  world_ = &redacted(sorted_->world());
}

EventSink& RunWatch::redacted(EventSink& sink) {
  if (!redacts_) return sink;
  return redacting_.emplace_back(redactor_, sink);
}

void RunWatch::request_begins(std::size_t agent, std::string said) {
  judges_[agent].request_begins(std::move(said));
  if (everyone_) everyone_->request_begins();
}

void RunWatch::finish(Instant now, std::size_t timers) {
  for (AgentJudges& judges : judges_) judges.invariants().finish(now, everyone_ ? 0 : timers);
  if (everyone_) everyone_->finish(now, timers);
}

std::vector<RunFailure> RunWatch::failures() const {
  std::vector<RunFailure> all;
  for (std::size_t i = 0; i < judges_.size(); ++i) {
    for (RunFailure& failure : judges_[i].failures()) {
      if (everyone_) failure.message = scenario_.agents[i].name + ": " + failure.message;
      all.push_back(std::move(failure));
    }
  }
  if (!everyone_) return all;
  all.insert(all.end(), everyone_->failures().begin(), everyone_->failures().end());
  return all;
}

std::int64_t RunWatch::commands_run() const {
  std::int64_t all = 0;
  for (const AgentJudges& judges : judges_) all += judges.commands().total();
  return all;
}

SituationSet RunWatch::situations() const {
  SituationSet met;
  for (const AgentJudges& judges : judges_) met |= judges.met();
  return met;
}

}  // namespace plumbline::scenarios
